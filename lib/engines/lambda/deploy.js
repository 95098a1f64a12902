'use strict'

/**
 * Deploys the function to AWS Lambda, and removes it. What no option names stays as it is deployed. A function that is up to
 * date is not written, because an update makes Lambda start new environments.
 */

const { createHash } = require('node:crypto')
const { setTimeout: delay } = require('node:timers/promises')
const { isDeepStrictEqual } = require('node:util')
const { accessError } = require('../../../actions/copy-range/address-guard')
const { VERSION } = require('../../../actions/copy-range/failure')
const { throwIfAborted, usage } = require('../../errors')
const { functionFiles, readBundle, zipFiles } = require('../archive')
const { bring, readJson, takeAway } = require('../common')
const { addressOf, openClient } = require('./client')
const { XferError } = require('./answers')
const { resolveLambda } = require('./settings')

/** @typedef {import('../../types').Access} Access */
/** @typedef {Record<string, any>} DeployedFunction the answer to GetFunctionConfiguration */

/** An archive of ours takes a second; a slow line may take longer. */
const SILENCE_MS = 120_000
/** Lambda prepares a function within seconds, and within minutes in a network of the user's. */
const READY_MS = 300_000
const POLL_MS = 500
const ADVICE =
  'Allow lambda:GetFunctionConfiguration, CreateFunction, UpdateFunctionCode, UpdateFunctionConfiguration and DeleteFunction on the function to these credentials, and iam:PassRole on its role; check --role, which Lambda must be able to assume.'
const ROLE_ADVICE =
  'Give --role with the ARN of a role that lambda.amazonaws.com may assume, and that has the policy AWSLambdaBasicExecutionRole; it needs no rights to stores.'

/** The variables of the function that xfer sets. */
const ACCESS = 'XFER_ACCESS'
const INTERFACE = 'XFER_INTERFACE'
const CA_BUNDLE = 'XFER_CA_BUNDLE'

/** Of a new function. arm64: a fifth cheaper than x86_64, in every region that has it. */
const USUAL = { Runtime: 'nodejs22.x', architecture: 'arm64' }

/**
 * A function of ours.
 *
 * @typedef {object} FunctionKind
 * @property {(caBundle?: Uint8Array) => Promise<import('../archive').ArchivedFiles>} files
 * @property {string} description
 * @property {{ MemorySize: number, Timeout: number, Handler: string }} usual of a new one
 * @property {Record<string, string>} [usualVariables] of a new one
 * @property {Record<string, string>} [variables]
 * @property {true} [guarded] it has rules of which hosts it may connect to
 */

/** @type {FunctionKind} */
const COPIES = {
  files: functionFiles,
  description: 'Copies parts of objects between stores, for xfer',
  usual: { MemorySize: 256, Timeout: 300, Handler: 'index.handler' },
  guarded: true,
}

/** What a report calls the settings of Lambda. @type {Record<string, string>} */
const NAMES = {
  MemorySize: 'memory',
  Timeout: 'timeout',
  Runtime: 'runtime',
  Handler: 'handler',
  Role: 'role',
  Environment: 'variables',
}

/**
 * @typedef {object} LambdaDeployOptions
 * @property {string} [functionName] without a version or an alias
 * @property {number} [memory] bytes, whole MiB
 * @property {number} [timeout] milliseconds
 * @property {string} [runtime]
 * @property {string} [architecture]
 * @property {string} [role] ARN; a new function needs it
 * @property {string[]} [allowHosts]
 * @property {boolean} [allowMetadata]
 * @property {string} [caBundle] a file of certificates that the function trusts in addition to the usual ones
 * @property {boolean} [reset] give the function the settings of a new one, but for those that other options name
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal]
 */

/**
 * @param {LambdaDeployOptions} [options]
 * @returns {Promise<import('../../types').Deployed>}
 * @throws {import('../../types').XferError} USAGE, LAMBDA_FOREIGN, errors of Lambda
 */
async function deploy(options = {}) {
  return await deployAs(COPIES, options)
}

/**
 * @param {FunctionKind} kind
 * @param {LambdaDeployOptions} options
 * @returns {Promise<import('../../types').Deployed>}
 */
async function deployAs(kind, options) {
  const { settings, client, settled } = await open(options)
  const { name } = settings.fn
  const caBundle = await readBundle(options.caBundle)
  const archive = zipFiles(await kind.files(caBundle))
  /** @param {'CreateFunction' | 'UpdateFunctionCode' | 'UpdateFunctionConfiguration'} what @param {object} body */
  async function write(what, body) {
    await client.call(what, { ...(what !== 'CreateFunction' && { function: name }), body })
    checkReady(await settled(), client.facts)
  }
  const ZipFile = () => Buffer.from(archive).toString('base64')
  try {
    const { outcome, changes } = await bring(
      {
        read: settled,
        wanted(found) {
          if (!found && options.role === undefined) {
            throw usage(`The function ${name} does not exist yet, and a new one needs a role.`, ROLE_ADVICE)
          }
          if (found) checkOurs(found, settings)
          if (found && trustsOwn(found) && !caBundle && !options.reset) {
            throw usage(
              `The function ${name} trusts certificates of its own, which this deployment would take from it.`,
              'Give them again with --ca-bundle, or leave them out with --reset.',
            )
          }
          const asDeployed = options.reset ? undefined : found?.Architectures?.[0]
          return {
            configuration: configurationOf(options, { kind, caBundle, found }),
            architecture: options.architecture ?? asDeployed ?? USUAL.architecture,
          }
        },
        differences({ configuration, architecture }, found) {
          const differ = [
            ...unequal(configuration, found).map(([key]) => NAMES[key]),
            ...(architecture === (found.Architectures?.[0] ?? USUAL.architecture) ? [] : ['architecture']),
            ...(isDeployed(archive, found) ? [] : ['code']),
          ]
          if (differ.length === 0) checkReady(found, client.facts)
          return differ
        },
        async write({ configuration, architecture }, found, differ) {
          if (!found) {
            return await write('CreateFunction', {
              FunctionName: name,
              Description: kind.description,
              ...configuration,
              Architectures: [architecture],
              Code: { ZipFile: ZipFile() },
            })
          }
          const changed = Object.fromEntries(unequal(configuration, found))
          // The access rules hold before other code runs.
          if (Object.keys(changed).length > 0) await write('UpdateFunctionConfiguration', changed)
          if (differ.includes('code') || differ.includes('architecture')) {
            await write('UpdateFunctionCode', { ZipFile: ZipFile(), Architectures: [architecture] })
          }
        },
      },
      options.signal,
    )
    return { apihost: addressOf(settings), actions: [{ name, outcome, ...(changes && { changes }) }] }
  } finally {
    client.close()
  }
}

/** @param {Record<string, any>} configuration @param {DeployedFunction} found */
const unequal = (configuration, found) =>
  Object.entries(configuration).filter(([key, value]) => !isDeepStrictEqual(found[key], value))

/**
 * Removes the function.
 *
 * @param {LambdaDeployOptions} [options]
 * @returns {Promise<import('../../types').Undeployed>}
 * @throws {import('../../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  return await removeAs(options)
}

/** @param {LambdaDeployOptions} options @returns {Promise<import('../../types').Undeployed>} */
async function removeAs(options) {
  const { settings, client, settled } = await open(options)
  const { name } = settings.fn
  try {
    const { outcome } = await takeAway(
      {
        read: settled,
        async remove(found) {
          checkOurs(found, settings)
          await unlessMissing(client.call('DeleteFunction', { function: name }))
        },
      },
      options.signal,
    )
    return {
      apihost: addressOf(settings),
      actions: [{ name, outcome: outcome === 'missing' ? outcome : 'removed' }],
      packages: [],
    }
  } finally {
    client.close()
  }
}

/** @param {LambdaDeployOptions} options @throws {XferError} USAGE */
async function open(options) {
  const { env = process.env, signal, role } = options
  if (role !== undefined && !/^arn:aws[\w-]*:iam::\d{12}:role\/\S+$/.test(role)) {
    throw usage(`--role "${role}" is not the ARN of a role.`, 'Give it as arn:aws:iam::123456789012:role/name.')
  }
  // --ca-bundle is for the function, and for the connection to Lambda.
  const settings = await resolveLambda(options, env)
  const { name, text, qualifier } = settings.fn
  if (qualifier !== undefined) {
    throw usage(
      `--function ${text} names a version or an alias, and only the function itself can be deployed.`,
      'Leave out what stands behind its name.',
    )
  }
  const client = openClient(settings, { silenceMs: SILENCE_MS, signal, whenRefused: ADVICE })

  /** The function, once nothing of it is being changed. @returns {Promise<DeployedFunction | undefined>} undefined if there is none */
  async function settled() {
    const endMs = Date.now() + READY_MS
    for (;;) {
      const answer = await unlessMissing(client.call('GetFunctionConfiguration', { function: name }))
      const found = answer?.output
      if (found?.State !== 'Pending' && found?.LastUpdateStatus !== 'InProgress') return found
      if (Date.now() > endMs) {
        const reason = `its change does not end within ${READY_MS / 1000} s`
        throw notActive(client.facts, reason)
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
      throwIfAborted(signal)
    }
  }

  return { settings, client, settled }
}

/** @template T @param {Promise<T>} asked */
const unlessMissing = asked =>
  asked.catch(error => {
    if (error.code !== 'ACTION_NOT_DEPLOYED') throw error
    return undefined
  })

/** Anybody else's function is neither written nor deleted. @param {DeployedFunction} found @param {import('./settings').LambdaSettings} settings */
function checkOurs(found, { fn, where }) {
  if (!(INTERFACE in variablesOf(found))) throw new XferError('LAMBDA_FOREIGN', { action: fn.name, where })
}

/** @param {DeployedFunction | undefined} found @param {Record<string, any>} facts @throws {XferError} ACTION_BROKEN */
function checkReady(found, facts) {
  const { State, StateReason, LastUpdateStatus, LastUpdateStatusReason } = found ?? {}
  if (State !== 'Failed' && LastUpdateStatus !== 'Failed') return
  const reason = (State === 'Failed' ? StateReason : LastUpdateStatusReason) || 'Lambda gives no reason'
  throw notActive(facts, reason.replace(/\.$/, ''))
}

/** @param {Record<string, any>} facts @param {string} reason */
function notActive(facts, reason) {
  const advice = 'Look at the function in the console of AWS Lambda, then repeat the command.'
  return new XferError('ACTION_BROKEN', { ...facts, reason, advice })
}

/**
 * The settings as CreateFunction and UpdateFunctionConfiguration take them: those that options name, and all of a new function.
 *
 * @param {LambdaDeployOptions} options
 * @param {{ kind: FunctionKind, caBundle: Uint8Array | undefined, found?: DeployedFunction }} how
 */
function configurationOf(
  { memory, timeout, runtime, role, allowHosts, allowMetadata, reset },
  { kind, caBundle, found },
) {
  const usual = { ...kind.usual, Runtime: USUAL.Runtime }
  const { [CA_BUNDLE]: __, ...variables } = variablesOf(found)
  const { hosts = ['*'], metadata = false } = (reset ? undefined : accessOf(found)) ?? {}
  const asked = reset || allowHosts !== undefined || allowMetadata !== undefined
  return {
    ...((!found || reset) && usual),
    ...(memory !== undefined && { MemorySize: memory / 1024 ** 2 }),
    ...(timeout !== undefined && { Timeout: Math.ceil(timeout / 1000) }),
    ...(runtime !== undefined && { Runtime: runtime }),
    ...(role !== undefined && { Role: role }),
    Environment: {
      Variables: {
        ...kind.usualVariables,
        ...variables,
        ...((asked || (kind.guarded && !(ACCESS in variables))) && {
          [ACCESS]: JSON.stringify({ hosts: allowHosts ?? hosts, metadata: allowMetadata ?? metadata }),
        }),
        ...kind.variables,
        [INTERFACE]: String(VERSION),
        ...(caBundle && { [CA_BUNDLE]: createHash('sha256').update(caBundle).digest('hex') }),
      },
    },
  }
}

/** @param {DeployedFunction | undefined} found @returns {Record<string, string>} */
function variablesOf(found) {
  return found?.Environment?.Variables ?? {}
}

/** The access rules of a function; undefined if it has none. @param {DeployedFunction | undefined} found @returns {Access | undefined} */
function accessOf(found) {
  const text = variablesOf(found)[ACCESS]
  if (text === undefined) return undefined
  const access = readJson(text)
  // The function too allows nothing then.
  return access && accessError(access) === undefined ? access : { hosts: [], metadata: false }
}

/** Whether it was deployed with certificates. @param {DeployedFunction} found */
function trustsOwn(found) {
  return CA_BUNDLE in variablesOf(found)
}

/** @param {Uint8Array} archive @param {DeployedFunction} found */
function isDeployed(archive, found) {
  return createHash('sha256').update(archive).digest('base64') === found.CodeSha256
}

module.exports = { accessOf, deploy, deployAs, isDeployed, removeAs, trustsOwn, undeploy, unlessMissing }

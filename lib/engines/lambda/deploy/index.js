'use strict'

/**
 * Deploys the function to AWS Lambda, and removes it. A function that is up to date is not written, and keeps the settings that
 * it was given. Before a retry the function is read and compared again, so that a lost answer does no harm.
 */

const { repeat } = require('../../../async')
const { readCaBundle } = require('../../../http')
const { functionFiles, zipFiles } = require('../../common')
const { openClient, regionalEndpoint, resolveLambda } = require('../service')
const { deployedBundle } = require('./bundle')
const {
  USUAL,
  accessOf,
  accessTextOf,
  bundleSumOf,
  configurationOf,
  differences,
  isDeployed,
  keptOf,
} = require('./compare')
const { createControl } = require('./control')
const { ROWS, XferError } = require('./errors')
const { checkAccess, checkOurs } = require('./guards')

/** @typedef {import('./compare').Found} Found */
/** @typedef {import('./compare').Settings} Settings */
/** @typedef {import('../service/settings').LambdaSettings} LambdaSettings */
/** @typedef {import('../../../types').DeployedAction} DeployedAction */

const RETRIES = 3
/** An archive of ours takes a second; a slow line may take longer. */
const SILENCE_MS = 120_000
const ADVICE =
  'Check --role, which Lambda must be able to assume, the other options, and that these credentials may deploy functions.'

/**
 * @typedef {object} DeployOptions
 * @property {string} [functionName] without a version or an alias
 * @property {string} [lambdaRegion]
 * @property {string} [lambdaProfile]
 * @property {string} [lambdaEndpoint]
 * @property {number} [memory] bytes, whole MiB; default: the deployed function's, else a new one's (also for the following options)
 * @property {number} [timeout] milliseconds
 * @property {string} [runtime]
 * @property {string} [architecture]
 * @property {string} [role] ARN; a new function needs it, or createRole
 * @property {boolean} [createRole]
 * @property {string[]} [allowHosts]
 * @property {boolean} [allowMetadata]
 * @property {string} [caBundle] a file of certificates that the function trusts in addition to the usual ones
 * @property {boolean} [reset] the defaults are a new function's, not the deployed one's
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal]
 */

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../../../types').Deployed>}
 * @throws {import('../../../types').XferError} USAGE, LAMBDA_NO_ROLE, LAMBDA_FOREIGN, errors of Lambda and IAM
 */
async function deploy(options = {}) {
  const { createRole, reset, env = process.env, signal } = options
  const asked = await readAsked(options)
  const settings = await target(options)
  const client = openClient(settings, { silenceMs: SILENCE_MS, signal, advice: ADVICE, neededBy: 'deploy' })
  const { name } = settings.fn
  try {
    const bare = zipFiles(await functionFiles())
    // Nothing is made for a function that is then left alone.
    const before = createRole && (await createControl(client, { name, signal }).settled())
    if (before) {
      checkOurs(before, bare, settings)
      checkAccess(before, { asked, reset }, name)
    }
    const role = createRole ? await rolesOf(settings, env).ensure(signal) : undefined
    const chosen = { ...asked, ...(role && { role: role.arn }) }
    const control = createControl(client, { name, signal, patient: role?.recent })
    const action = await deployFunction(control, { settings, bare, asked: chosen, reset, signal })
    const roles = role?.outcome === 'created' ? [{ name: role.name, outcome: role.outcome }] : []
    return { apihost: addressOf(settings), actions: [action], ...(roles.length > 0 && { roles }) }
  } finally {
    client.close()
  }
}

/**
 * Removes the function, and its role if xfer has made it.
 *
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../../../types').Undeployed>}
 * @throws {import('../../../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  const { env = process.env, signal } = options
  const settings = await target(options)
  const client = openClient(settings, { signal, advice: ADVICE, neededBy: 'undeploy' })
  const { name } = settings.fn
  const bare = zipFiles(await functionFiles())
  const control = createControl(client, { name, signal })
  /** What was found before the first request to delete it: the answer to that may be lost. @type {Found | undefined} */
  let removed
  try {
    await repeat(
      async () => {
        const found = await control.settled()
        if (!found) return
        checkOurs(found, bare, settings)
        removed = found
        await control.remove()
      },
      { retries: RETRIES, signal },
    )
    const roles = removed ? await rolesOf(settings, env).remove(removed.Role, signal) : []
    const outcome = removed ? 'removed' : 'missing'
    return {
      apihost: addressOf(settings),
      actions: [{ name, outcome }],
      packages: [],
      ...(roles.length > 0 && { roles }),
    }
  } finally {
    client.close()
  }
}

/**
 * @param {import('./control').Control} control
 * @param {{ settings: LambdaSettings, bare: Uint8Array, asked: Partial<Settings>, reset: boolean | undefined, signal: AbortSignal | undefined }} how
 * @returns {Promise<DeployedAction>}
 */
async function deployFunction(control, { settings, bare, asked, reset, signal }) {
  const { name } = settings.fn
  /** The outcome, set before the first write: the answer to the write may be lost. @type {Pick<DeployedAction, 'outcome' | 'changes'> | undefined} */
  let begun
  return await repeat(
    async () => {
      const found = await control.settled()
      if (!found) {
        if (asked.role === undefined) throw new XferError('LAMBDA_NO_ROLE', { action: name })
        begun ??= { outcome: 'created' }
        await create({ ...USUAL, ...asked }, asked.role)
        await ready()
        return { name, ...begun }
      }
      checkOurs(found, bare, settings)
      checkAccess(found, { asked, reset }, name)
      const keeps = !reset && asked.caBundle === undefined
      const how = { action: name, settings, signal }
      const caBundle = keeps ? await deployedBundle(found, bare, control.codeAddress, how) : undefined
      const kept = reset ? {} : keptOf(found, asked, caBundle)
      const wanted = { ...USUAL, ...kept, ...asked }
      const archive = await archiveOf(wanted)
      const differ = differences(wanted, found, { archive, bare, deployed: caBundle })
      if (differ.changes.length === 0 && !differ.code) {
        checkReady(found, settings)
        return { name, ...(begun ?? { outcome: 'unchanged' }), ...keptFields(kept) }
      }
      begun ??= { outcome: 'updated', changes: differ.changes.length > 0 ? differ.changes : ['code'] }
      // The access rules hold before other code runs.
      if (differ.configuration) {
        await control.updateConfiguration({ ...configurationOf(wanted, found), RevisionId: found.RevisionId })
        await ready()
      }
      if (differ.code) {
        await control.updateCode({ ZipFile: archive, Architectures: architectures(wanted) })
        await ready()
      }
      return { name, ...begun, ...keptFields(kept) }
    },
    { retries: RETRIES, signal },
  )

  /** @param {Settings} wanted @param {string} role */
  async function create(wanted, role) {
    await control.create({
      ...configurationOf(wanted),
      Role: role,
      Code: { ZipFile: await archiveOf(wanted) },
      Architectures: architectures(wanted),
      Description: 'Copies parts of objects between stores, for xfer',
    })
  }

  /** Waits until a change is done. */
  async function ready() {
    const found = await control.settled()
    if (found) checkReady(found, settings)
  }

  /** @param {Settings} wanted */
  async function archiveOf({ caBundle }) {
    return caBundle ? zipFiles(await functionFiles(caBundle)) : bare
  }
}

/** @param {Settings} wanted */
function architectures({ architecture }) {
  return [/** @type {import('@aws-sdk/client-lambda').Architecture} */ (architecture)]
}

/** @param {Found} found @param {LambdaSettings} settings @throws {XferError} LAMBDA_NOT_ACTIVE */
function checkReady(found, { fn }) {
  const { State, StateReason, LastUpdateStatus, LastUpdateStatusReason } = found
  const reason = State === 'Failed' ? StateReason : LastUpdateStatus === 'Failed' ? LastUpdateStatusReason : undefined
  if (State !== 'Failed' && LastUpdateStatus !== 'Failed') return
  throw new XferError('LAMBDA_NOT_ACTIVE', {
    action: fn.name,
    reason: (reason || 'Lambda gives no reason').replace(/\.$/, ''),
  })
}

/** @param {Partial<Settings>} kept @returns {Pick<DeployedAction, 'kept'>} {} if nothing was kept */
function keptFields({ caBundle, role, ...kept }) {
  const fields = { ...kept, ...(caBundle && { caBundle: /** @type {const} */ (true) }) }
  return Object.keys(fields).length > 0 ? { kept: fields } : {}
}

/** @param {DeployOptions} options @returns {Promise<LambdaSettings>} @throws {XferError} USAGE */
async function target(options) {
  // --ca-bundle is for the function, and for the connection to Lambda.
  const settings = await resolveLambda(options, options.env ?? process.env)
  const { text, qualifier } = settings.fn
  if (qualifier === undefined) return settings
  throw new XferError('USAGE', {
    text: `--function ${text} names a version or an alias, and only the function itself can be deployed.`,
    advice: 'Leave out what stands behind its name.',
  })
}

/** @param {LambdaSettings} settings @returns {string} the address of the API */
function addressOf({ endpoint, region }) {
  return endpoint ?? regionalEndpoint(region)
}

/** @param {LambdaSettings} settings @param {NodeJS.ProcessEnv} env */
function rolesOf(settings, env) {
  return require('./role').createRoles(settings, env)
}

/** @param {DeployOptions} options @returns {Promise<Partial<Settings>>} @throws {XferError} USAGE */
async function readAsked({ memory, timeout, runtime, architecture, role, caBundle, allowHosts, allowMetadata }) {
  if (role !== undefined && !/^arn:aws[\w-]*:iam::\d{12}:role\/\S+$/.test(role)) {
    throw new XferError('USAGE', {
      text: `--role "${role}" is not the ARN of a role.`,
      advice: 'Give it as arn:aws:iam::123456789012:role/name.',
    })
  }
  return {
    ...(memory !== undefined && { memory: memory / 1024 ** 2 }),
    ...(timeout !== undefined && { timeout: Math.ceil(timeout / 1000) }),
    ...(runtime !== undefined && { runtime }),
    ...(architecture !== undefined && { architecture }),
    ...(role !== undefined && { role }),
    ...(caBundle !== undefined && { caBundle: Buffer.from(await readCaBundle(caBundle, '--ca-bundle')) }),
    ...(allowHosts !== undefined && { hosts: allowHosts }),
    ...(allowMetadata !== undefined && { metadata: allowMetadata }),
  }
}

module.exports = { ROWS, accessOf, accessTextOf, bundleSumOf, deploy, isDeployed, undeploy }

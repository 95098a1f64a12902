'use strict'

/**
 * Compares a deployed function with the wanted one. An update makes Lambda start new environments, so an equal function is not
 * updated. What xfer has no option for (layers, network, tracing, other variables) stays as it is.
 */

const { createHash } = require('node:crypto')
const { isDeepStrictEqual } = require('node:util')
const { accessError } = require('../../../../actions/copy-range/access')
const { VERSION } = require('../../../../actions/copy-range/version')

/** @typedef {import('../../../types').Access} Access */
/**
 * What options set.
 *
 * @typedef {object} Settings
 * @property {number} memory MB
 * @property {number} timeout seconds
 * @property {string} runtime
 * @property {string} architecture
 * @property {string[]} hosts that the function may connect to
 * @property {boolean} metadata whether to metadata addresses too
 * @property {Uint8Array} [caBundle] PEM
 * @property {string} [role] ARN
 */
/** @typedef {import('@aws-sdk/client-lambda').FunctionConfiguration} Found the answer to GetFunctionConfiguration */

const HANDLER = 'index.handler'

/** The variables of the function that xfer sets. */
const ACCESS = 'XFER_ACCESS'
const INTERFACE = 'XFER_INTERFACE'
const CA_BUNDLE = 'XFER_CA_BUNDLE'

/** A new function's, where no option says otherwise. @type {Settings} */
const USUAL = {
  memory: 256,
  timeout: 300,
  runtime: 'nodejs22.x',
  // A fifth cheaper than x86_64, in every region that has it.
  architecture: 'arm64',
  hosts: ['*'],
  metadata: false,
}

/** @param {Found} found @returns {Record<string, string>} */
function variablesOf(found) {
  return found.Environment?.Variables ?? {}
}

/**
 * Whether xfer, or a template of its guide, has made the function. Anybody else's is not written.
 *
 * @param {Found} found
 * @param {Uint8Array} bare our archive without certificates: it tells if the variables may not be read
 */
function isOurs(found, bare) {
  const variables = variablesOf(found)
  const sealed = found.Environment?.Error !== undefined
  const marked = ACCESS in variables || INTERFACE in variables || (sealed && isDeployed(bare, found))
  return found.PackageType !== 'Image' && found.Handler === HANDLER && marked
}

/** The access rules as they were written; undefined if there are none. @param {Found} found @returns {string | undefined} */
function accessTextOf(found) {
  return variablesOf(found)[ACCESS]
}

/** The access rules of a deployed function; undefined if it has no valid ones. @param {Found} found @returns {Access | undefined} */
function accessOf(found) {
  try {
    const access = JSON.parse(variablesOf(found)[ACCESS])
    return access && accessError(access) === undefined ? access : undefined
  } catch {
    return undefined
  }
}

/** The SHA-256 of the certificates that were deployed with the function, in hex. @param {Found} found @returns {string | undefined} */
function bundleSumOf(found) {
  return variablesOf(found)[CA_BUNDLE]
}

/**
 * The settings of a deployed function to keep: those that a new one would not have, and that no option sets.
 *
 * @param {Found} found
 * @param {Partial<Settings>} asked
 * @param {Uint8Array | undefined} caBundle of the deployed function
 * @returns {Partial<Settings>}
 */
function keptOf(found, asked, caBundle) {
  const { hosts = USUAL.hosts, metadata = USUAL.metadata } = accessOf(found) ?? {}
  /** @type {Partial<Settings>} */
  const deployed = {
    memory: found.MemorySize,
    timeout: found.Timeout,
    // A runtime of another language cannot run our code.
    runtime: found.Runtime?.startsWith('nodejs') ? found.Runtime : undefined,
    architecture: found.Architectures?.[0],
    hosts,
    metadata,
    caBundle,
  }
  const kept = Object.entries(deployed).filter(([name, value]) => {
    const setting = /** @type {keyof Settings} */ (name)
    return value !== undefined && asked[setting] === undefined && !isDeepStrictEqual(value, USUAL[setting])
  })
  return Object.fromEntries(kept)
}

/**
 * @param {Settings} wanted
 * @param {Found} found
 * @param {{ archive: Uint8Array, bare: Uint8Array, deployed?: Uint8Array }} code archive: the wanted one; bare: the same without
 *   certificates; deployed: the certificates that were found in the code of the function
 * @returns {{ changes: string[], code: boolean, configuration: boolean }} the names of what differs; code: it needs UpdateFunctionCode;
 *   configuration: it needs UpdateFunctionConfiguration
 */
function differences(wanted, found, { archive, bare, deployed }) {
  const deployedSum = bundleSumOf(found) ?? sumOf(deployed)
  const bundle = sumOf(wanted.caBundle) !== deployedSum
  // An archive with other certificates does not tell whether the code in it is ours.
  const code = deployedSum === undefined ? !isDeployed(bare, found) : !bundle && !isDeployed(archive, found)
  const architecture = found.Architectures?.[0] !== wanted.architecture
  const sealed = found.Environment?.Error !== undefined
  const access = { hosts: wanted.hosts, metadata: wanted.metadata }
  const configuration = namesOf({
    runtime: found.Runtime !== wanted.runtime,
    handler: found.Handler !== HANDLER,
    timeout: found.Timeout !== wanted.timeout,
    memory: found.MemorySize !== wanted.memory,
    role: wanted.role !== undefined && found.Role !== wanted.role,
    access: !sealed && !isDeepStrictEqual(accessOf(found), access),
    'xfer-interface': !sealed && variablesOf(found)[INTERFACE] !== String(VERSION),
  })
  return {
    changes: [...namesOf({ code, 'ca-bundle': bundle, architecture }), ...configuration],
    code: architecture || !isDeployed(archive, found),
    configuration: bundle || configuration.length > 0,
  }
}

/** @param {Record<string, boolean>} marked @returns {string[]} the names of those that are true */
function namesOf(marked) {
  return Object.keys(marked).filter(name => marked[name])
}

/**
 * The settings as CreateFunction and UpdateFunctionConfiguration take them.
 *
 * @param {Settings} wanted
 * @param {Found} [found] its other variables stay
 */
function configurationOf({ memory, timeout, runtime, role, hosts, metadata, caBundle }, found) {
  const { [CA_BUNDLE]: _, ...others } = found ? variablesOf(found) : {}
  const sealed = found?.Environment?.Error !== undefined
  const sum = sumOf(caBundle)
  return {
    MemorySize: memory,
    Timeout: timeout,
    Runtime: /** @type {import('@aws-sdk/client-lambda').Runtime} */ (runtime),
    Handler: HANDLER,
    ...(role !== undefined && { Role: role }),
    // Without the right to decrypt the variables they cannot be written again, so they are left alone.
    ...(!sealed && {
      Environment: {
        Variables: {
          ...others,
          [ACCESS]: JSON.stringify({ hosts, metadata }),
          [INTERFACE]: String(VERSION),
          ...(sum && { [CA_BUNDLE]: sum }),
        },
      },
    }),
  }
}

/** @param {Uint8Array} archive @param {Found} found */
function isDeployed(archive, found) {
  return createHash('sha256').update(archive).digest('base64') === found.CodeSha256
}

/** @param {Uint8Array | undefined} caBundle @returns {string | undefined} as in the variable of the function */
function sumOf(caBundle) {
  return caBundle && createHash('sha256').update(caBundle).digest('hex')
}

module.exports = {
  HANDLER,
  INTERFACE,
  USUAL,
  accessOf,
  accessTextOf,
  bundleSumOf,
  configurationOf,
  differences,
  isDeployed,
  isOurs,
  keptOf,
  sumOf,
  variablesOf,
}

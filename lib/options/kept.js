'use strict'

/** What of a copy's options the journal keeps, so that the job can be gone on with from anywhere. */

const { resolve } = require('node:path')
const { readAttributes } = require('./attributes')

/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').SideOptions} SideOptions */

const KEPT = /** @type {const} */ ([
  'chunk',
  'concurrency',
  'bandwidth',
  'retries',
  'ioTimeout',
  'outageTimeout',
  'engine',
  'route',
  'apihost',
  'packageName',
  'partsPerInvocation',
  'engineLimits',
  'clobber',
  'ifMatch',
  'verify',
  'onFailure',
  'caBundle',
  'metadata',
  'contentType',
  'cacheControl',
  'contentEncoding',
  'contentLanguage',
  'contentDisposition',
  'expires',
  'metadataSet',
  'tags',
  'storageClass',
  'sse',
  'sseKmsKeyId',
  'mtime',
])

/** Of a prefix: what is chosen, */
const CHOOSING = /** @type {const} */ ([
  'filters',
  'newerThan',
  'olderThan',
  'minSize',
  'maxSize',
  'filesFrom',
  'ignoreExisting',
  'sizeOnly',
  'checksum',
])
/** and what becomes of the rest. */
const SELECTING = /** @type {const} */ ([
  ...CHOOSING,
  'delete',
  'allowEmptySource',
  'maxDelete',
  'maxErrors',
  'failures',
])

/**
 * No secret is among them: credentials come from the environment and the profiles of whoever goes on.
 *
 * @param {import('../job/open').Job} job
 * @param {import('../types').PrefixOptions} options
 * @returns {import('../types').JobOptions}
 */
function optionsToKeep({ source, destination }, options) {
  // The local engine takes any text for a host and never looks at it: a password may be in it.
  const names = KEPT.filter(name => name !== 'apihost' || options.engine !== 'local')
  const kept = names.filter(name => options[name] !== undefined).map(name => [name, options[name]])
  return {
    ...Object.fromEntries(kept),
    ...(options.recursive
      ? {
          recursive: options.recursive,
          select: selectToKeep(options),
        }
      : { exactKey: true }),
    source: sideToKeep(source, options.source),
    destination: sideToKeep(destination, options.destination),
  }
}

/** Files where they are found from anywhere. @param {import('../types').PrefixOptions} options */
function selectToKeep(options) {
  const select = Object.fromEntries(SELECTING.map(name => [name, options[name]]))
  const { filesFrom, failures } = options
  return defined({
    ...select,
    ...(filesFrom !== undefined && filesFrom !== '-' && { filesFrom: resolve(filesFrom) }),
    ...(failures !== undefined && { failures: resolve(failures) }),
  })
}

/**
 * Where the store is, as it was found: another machine may be configured for another one.
 *
 * @param {import('../job/open').Side} side
 * @param {SideOptions} [options]
 */
function sideToKeep({ profile, settings }, options = {}) {
  const { endpoint, region, addressing, versionId } = settings
  const { noSignRequest, requestPayer } = options
  const known = {
    profile: options.profile ?? profile,
    endpointUrl: endpoint,
    region,
    addressing,
    noSignRequest,
    requestPayer,
    versionId,
    // That there is one, and nothing of it.
    ...(settings.customerKey && { sseC: true }),
  }
  return defined(known)
}

/**
 * @param {import('../types').JobOptions} kept
 * @param {CopyOptions} given what is to be otherwise
 * @returns {import('../types').PrefixOptions}
 */
function mergeOptions({ select, ...kept }, given) {
  return {
    ...kept,
    ...select,
    ...defined(given),
    source: { ...kept.source, ...defined(given.source ?? {}) },
    destination: { ...kept.destination, ...defined(given.destination ?? {}) },
  }
}

/**
 * Whether an upload that was begun with some options is the one that others ask for: what it is given beside its bytes
 * was settled when it was created.
 *
 * @param {import('../types').JobOptions} begun
 * @param {import('../types').JobOptions} asked
 */
function givesSameAttributes(begun, asked) {
  const told = (/** @type {import('../types').JobOptions} */ options) =>
    JSON.stringify([readAttributes(options), options.destination?.sseC ?? false])
  return told(begun) === told(asked)
}

/**
 * Whether jobs of the same prefixes choose the same objects: what one has found done the other need not look at.
 *
 * @param {import('../types').JobOptions} begun
 * @param {import('../types').JobOptions} asked
 */
function choosesSame(begun, asked) {
  const told = (/** @type {import('../types').JobOptions} */ { recursive, select = {} }) =>
    JSON.stringify([recursive, ...CHOOSING.map(name => select[name] ?? null)])
  return told(begun) === told(asked)
}

/** @template {object} T @param {T} object @returns {T} without what is undefined */
function defined(object) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)))
}

module.exports = { optionsToKeep, mergeOptions, givesSameAttributes, choosesSame }

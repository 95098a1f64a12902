'use strict'

/** What of a copy's options the journal keeps, so that the job can be gone on with from anywhere. */

/** @typedef {import('./types').CopyOptions} CopyOptions */
/** @typedef {import('./types').SideOptions} SideOptions */

const KEPT = /** @type {const} */ ([
  'chunk',
  'concurrency',
  'bandwidth',
  'retries',
  'ioTimeout',
  'engine',
  'apihost',
  'packageName',
  'partsPerInvocation',
  'engineLimits',
  'clobber',
  'ifMatch',
  'verify',
  'onFailure',
  'caBundle',
])

/**
 * No secret is among them: credentials come from the environment and the profiles of whoever goes on.
 *
 * @param {import('./job').Job} job
 * @param {CopyOptions} options
 * @returns {import('./types').JobOptions}
 */
function optionsToKeep({ source, destination }, options) {
  // The local engine takes any text for a host and never looks at it: a password may be in it.
  const names = KEPT.filter(name => name !== 'apihost' || options.engine !== 'local')
  const kept = names.filter(name => options[name] !== undefined).map(name => [name, options[name]])
  return {
    ...Object.fromEntries(kept),
    exactKey: true,
    source: sideToKeep(source, options.source),
    destination: sideToKeep(destination, options.destination),
  }
}

/**
 * Where the store is, as it was found: another machine may be configured for another one.
 *
 * @param {import('./job').Side} side
 * @param {SideOptions} [options]
 */
function sideToKeep({ profile, settings }, options = {}) {
  const { endpoint, region, addressing } = settings
  const { noSignRequest, requestPayer } = options
  const known = {
    profile: options.profile ?? profile,
    endpointUrl: endpoint,
    region,
    addressing,
    noSignRequest,
    requestPayer,
  }
  return defined(known)
}

/**
 * @param {import('./types').JobOptions} kept
 * @param {CopyOptions} given what is to be otherwise
 * @returns {CopyOptions}
 */
function mergeOptions(kept, given) {
  return {
    ...kept,
    ...defined(given),
    source: { ...kept.source, ...defined(given.source ?? {}) },
    destination: { ...kept.destination, ...defined(given.destination ?? {}) },
  }
}

/** @template {object} T @param {T} object @returns {T} without what is undefined */
function defined(object) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)))
}

module.exports = { optionsToKeep, mergeOptions }

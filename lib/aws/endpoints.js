'use strict'

const { ignoresConfigured } = require('./profiles')

/** @typedef {import('./profiles').Profile} Profile */

/**
 * The DNS suffixes of AWS's partitions, by the beginning of their regions' names; `aws` for all others.
 * https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html
 *
 * @type {Array<[beginning: string, suffix: string]>}
 */
const SUFFIXES = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['', 'amazonaws.com'],
]
/** Of endpoints with IPv6. */
const DUAL_STACK = ['api.aws', 'api.amazonwebservices.com.cn', 'api.amazonwebservices.eu']

/** What the hosts of a region end with, without a dot before. @param {string} region */
function dnsSuffix(region) {
  const [, suffix] = SUFFIXES.find(([beginning]) => region.startsWith(beginning)) ?? SUFFIXES[SUFFIXES.length - 1]
  return suffix
}

/** Whether a host is one of AWS. @param {string} host */
function isAws(host) {
  return [...SUFFIXES.map(([, suffix]) => suffix), ...DUAL_STACK].some(suffix =>
    `.${host.toLowerCase()}`.endsWith(`.${suffix}`),
  )
}

/**
 * The endpoint of a service from the first of: the profile that an option names, the environment, the default profile.
 *
 * @param {string} service as in the variable AWS_ENDPOINT_URL_<SERVICE>
 * @param {NodeJS.ProcessEnv} env
 * @param {Record<string, Profile>} profiles of `loadProfiles`, for that service
 * @param {string} [named] the profile that an option names
 * @returns {string | undefined} undefined: none is configured, or they are to be ignored
 */
function configuredEndpoint(service, env, profiles, named) {
  const profile = named === undefined ? {} : (profiles[named] ?? {})
  if (ignoresConfigured(env, profile)) return undefined
  if (profile.endpointUrl !== undefined) return profile.endpointUrl
  const fallback = profiles[env.AWS_PROFILE || 'default'] ?? {}
  if (ignoresConfigured(env, fallback)) return undefined
  return env[`AWS_ENDPOINT_URL_${service}`] || env.AWS_ENDPOINT_URL || fallback.endpointUrl
}

module.exports = { configuredEndpoint, dnsSuffix, isAws }

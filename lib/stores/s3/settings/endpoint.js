'use strict'

const { ignoresConfigured } = require('../../../aws')

/** @typedef {import('../../../types').SideOptions} SideOptions */
/** @typedef {import('../../../aws/profiles').Profile} Profile */

/**
 * The endpoint of a side, from the first place that has one.
 *
 * @param {'source' | 'destination'} side
 * @param {SideOptions} options
 * @param {object} where
 * @param {(name: string) => string | undefined} where.own reads the variables of this side
 * @param {NodeJS.ProcessEnv} where.env
 * @param {Profile} where.profile the one chosen for the side
 * @param {Profile} where.fallback the default profile
 * @returns {{ url?: string, from?: string }} from: what sets it, for messages; both absent: nothing does
 */
function findEndpoint(side, { endpointUrl, endpointKept }, { own, env, profile, fallback }) {
  const [option, variable] = side === 'source' ? ['--source', 'XFER_SOURCE'] : ['--dest', 'XFER_DEST']
  const flag = `${option}-endpoint-url`
  /** @type {Array<[url: string | undefined, from: string | undefined]>} */
  const places = [
    [endpointUrl, endpointKept ? `the job; ${flag} sets another one` : flag],
    [own('ENDPOINT_URL'), `${variable}_ENDPOINT_URL`],
  ]
  if (!ignoresConfigured(env, profile)) places.push([profile.endpointUrl, profile.endpointFrom])
  if (!ignoresConfigured(env, fallback)) {
    places.push(
      [env.AWS_ENDPOINT_URL_S3 || undefined, 'AWS_ENDPOINT_URL_S3'],
      [env.AWS_ENDPOINT_URL || undefined, 'AWS_ENDPOINT_URL'],
      [fallback.endpointUrl, fallback.endpointFrom],
    )
  }
  const [url, from] = places.find(([url]) => url !== undefined) ?? []
  return { url, from }
}

module.exports = { findEndpoint }

'use strict'

/** What is sent to an HTTPS source, and what a resumed job has to be given again. */

const { optionalCaBundle } = require('../../../http')
const { XferError } = require('../../../errors')
const { digest, isWideSas } = require('../address')
const { readHeaders } = require('./headers')

/** @typedef {import('../../../types').SideOptions} SideOptions */
/** @typedef {import('../types').HttpsSettings} HttpsSettings */

/**
 * @param {import('../../contract').Place} place
 * @param {'source' | 'destination'} side
 * @param {SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<HttpsSettings>}
 * @throws {XferError} USAGE
 */
async function resolveSide(place, side, options, env) {
  const { scheme, container, key, query } = /** @type {import('../types').HttpsPlace} */ (place)
  const endpoint = `${scheme}://${container}`
  const url = `${endpoint}/${key}${query()}`
  checkGivenAgain(options, query())
  const headers = await readHeaders(options.header)
  const names = Object.keys(headers).join(', ')
  const secret = secretOf(url, names !== '')
  return {
    side,
    endpoint,
    url: () => url,
    headers: () => headers,
    ...(secret && { secret }),
    ca: await optionalCaBundle(options.caBundle, env),
    keep: {
      headerNames: names === '' ? undefined : names,
      queryDigest: query() === '' ? undefined : digest(query()),
    },
  }
}

/**
 * The journal of a job has no secrets.
 *
 * @param {SideOptions} options those that the journal kept, and those that are given now
 * @param {string} query
 * @throws {XferError} USAGE
 */
function checkGivenAgain({ header, headerNames, queryDigest }, query) {
  const repeat = 'Repeat the command of the copy with it: that goes on with the job.'
  if (queryDigest !== undefined && query === '') {
    const text = "The address of the job's source has a query, which may be a secret, so the journal does not have it."
    throw new XferError('USAGE', { text, advice: repeat })
  }
  if (headerNames !== undefined && header === undefined) {
    const text = `The job began with --source-header (${headerNames}), whose values the journal does not have.`
    throw new XferError('USAGE', { text, advice: 'Give it again to xfer resume.' })
  }
}

/** @param {string} url @param {boolean} sendsHeaders @returns {HttpsSettings['secret']} */
function secretOf(url, sendsHeaders) {
  const advice = 'Use --engine local.'
  if (sendsHeaders) return { name: 'secret (--source-header)', advice }
  if (!isWideSas(url)) return undefined
  return { name: 'SAS of more than one blob', advice: `Make a SAS of this blob alone. ${advice}` }
}

module.exports = { resolveSide }

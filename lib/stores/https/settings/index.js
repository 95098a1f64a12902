'use strict'

/**
 * What is sent to an HTTPS source, and what a resumed job has to be given again. Precedence of a password: a header
 * Authorization of the user, then ~/.netrc, or the file that NETRC names.
 */

const { homedir } = require('node:os')
const { join } = require('node:path')
const { isLoopback, optionalCaBundle, readOptional } = require('../../../http')
const { XferError } = require('../../../errors')
const { digest, isSigned, isWideSas } = require('../address')
const { readHeaders } = require('./headers')
const { findEntry } = require('./netrc')

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
  const given = await readHeaders(options.header)
  // A server that is sent a signature and a password refuses both.
  const signed = options.noSignRequest || given.authorization !== undefined || isSigned(query())
  const netrc = signed ? undefined : await fromNetrc(new URL(endpoint), env)
  const headers = { ...given, ...(netrc && { authorization: netrc.authorization }) }
  const from = [...(Object.keys(given).length > 0 ? ['--source-header'] : []), ...(netrc ? [netrc.path] : [])]
  const secret = options.headerToFunctions ? undefined : secretOf(url, from)
  return {
    side,
    endpoint,
    url: () => url,
    headers: () => headers,
    ...(from.length > 0 && { headersFrom: from.join(' and ') }),
    ...(secret && { secret }),
    ca: await optionalCaBundle(options.caBundle, env),
    keep: {
      headerNames: Object.keys(given).length > 0 ? Object.keys(given).join(', ') : undefined,
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

/**
 * @param {URL} url of the origin
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ authorization: string, path: string } | undefined>}
 * @throws {XferError} USAGE if the password is for this host, and everybody on the way could read it
 */
async function fromNetrc({ protocol, hostname }, env) {
  const path = env.NETRC || join(env.HOME || env.USERPROFILE || homedir(), '.netrc')
  const entry = findEntry(await readOptional(path), hostname)
  if (entry === undefined) return undefined
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    if (!entry.byName) return undefined
    throw new XferError('USAGE', {
      text: `The password of ${hostname} in ${path} is not sent by http://, where all on the way could read it.`,
      advice: 'Give the address as https://, or read without the password by --source-no-sign-request.',
    })
  }
  return { authorization: `Basic ${Buffer.from(`${entry.login}:${entry.password}`).toString('base64')}`, path }
}

/** @param {string} url @param {string[]} from what sets headers @returns {HttpsSettings['secret']} */
function secretOf(url, from) {
  const allow = 'Use --engine local, or allow it with --source-header-to-functions.'
  if (from.length > 0) return { name: `secret (${from.join(' and ')})`, advice: allow }
  if (!isWideSas(url)) return undefined
  return { name: 'SAS of more than one blob', advice: `Make a SAS of this blob alone. ${allow}` }
}

module.exports = { resolveSide }

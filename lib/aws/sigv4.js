'use strict'

/**
 * AWS Signature Version 4, for requests with all headers signed. Used for every object and every part, so it is optimized:
 * some 30,000 signatures per second of processor time.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

const { createHmac, createHash } = require('node:crypto')

/** @typedef {import('../types').Credentials} Credentials */
/**
 * The names that a signature is made with.
 *
 * @typedef {object} SignatureNames
 * @property {string} algorithm
 * @property {string} secretPrefix what the first key begins with, before the secret
 * @property {string} service
 * @property {string} terminator
 * @property {string} headerPrefix what the names of the service's own headers begin with
 */

/**
 * The signing key for a day, a region and credentials. scope: what it is for; time: of the second that was asked for last, such as
 * 20261121T104500Z.
 *
 * @typedef {{ second: number, time: string, day: string, key: Buffer, scope: string }} DayKey
 */

/** Kept, because most of the hashing makes them. @type {WeakMap<Credentials, Map<string, DayKey>>} by credentials, and by region and service */
const keys = new WeakMap()

/** @param {string | Buffer} key @param {string} text */
const hmac = (key, text) => createHmac('sha256', key).update(text).digest()

/** @param {Credentials} credentials @param {string} region @param {number} nowMs @param {SignatureNames} names @returns {DayKey} of this second */
function signingKey(credentials, region, nowMs, { secretPrefix, service, terminator }) {
  const id = `${region}/${service}`
  const known = keys.get(credentials)?.get(id)
  const second = Math.floor(nowMs / 1000)
  if (known?.second === second) return known
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  if (known?.day === day) return Object.assign(known, { second, time })
  const byRegion = keys.get(credentials) ?? new Map()
  keys.set(credentials, byRegion)
  const key = [day, region, service, terminator].reduce(
    (/** @type {string | Buffer} */ parent, text) => hmac(parent, text),
    secretPrefix + credentials.secretAccessKey,
  )
  const scope = `${day}/${region}/${service}/${terminator}`
  const made = { second, time, day, key: /** @type {Buffer} */ (key), scope }
  byRegion.set(id, made)
  return made
}

/**
 * @param {object} request
 * @param {string} request.method
 * @param {string} request.path encoded, as it is sent
 * @param {string} request.query canonical: names and values encoded, in order, joined; '' without a query
 * @param {Record<string, string>} request.headers names in lower case, `host` and `x-amz-content-sha256` among them; each
 *   character is one byte
 * @param {{ credentials: Credentials, region: string, nowMs: number, names: SignatureNames, unsigned?: ReadonlySet<string> }} context unsigned:
 *   headers that are not signed
 * @returns {Record<string, string>} the headers, with x-amz-date, x-amz-security-token, authorization
 */
function signHeaders({ method, path, query, headers }, { credentials, region, nowMs, names: own, unsigned }) {
  const { algorithm, headerPrefix } = own
  const { key, scope, time } = signingKey(credentials, region, nowMs, own)
  /** @type {Record<string, string>} */
  const signed = { ...headers, [`${headerPrefix}date`]: time }
  if (credentials.sessionToken) signed[`${headerPrefix}security-token`] = credentials.sessionToken
  const all = Object.keys(signed).sort()
  const names = unsigned ? all.filter(name => !unsigned.has(name)) : all
  let canonical = `${method}\n${path}\n${query}\n`
  for (const name of names) {
    const value = signed[name]
    canonical += `${name}:${UNTIDY.test(value) ? tidied(value) : value}\n`
  }
  const list = names.join(';')
  canonical += `\n${list}\n${headers[`${headerPrefix}content-sha256`]}`
  const signature = signatureOf(canonical, { key, scope, algorithm, time })
  signed.authorization = `${algorithm} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
  return signed
}

/** @param {string} canonical the request, in its canonical form @param {{ key: Buffer, scope: string, algorithm: string, time: string }} how */
function signatureOf(canonical, { key, scope, algorithm, time }) {
  const digest = createHash('sha256').update(canonical, 'latin1').digest('hex')
  return createHmac('sha256', key).update(`${algorithm}\n${time}\n${scope}\n${digest}`).digest('hex')
}

const UNTIDY = /^[ \t]|[ \t]$|[ \t][ \t]|\t/

/**
 * Of an untidy value: trims spaces and tabs, and reduces each run of them to one space. Other characters that JavaScript counts as white space
 * are bytes of letters here.
 *
 * @param {string} value
 */
function tidied(value) {
  return value
    .split(/[ \t]+/)
    .filter(word => word !== '')
    .join(' ')
}

module.exports = { signHeaders, signatureOf, signingKey }

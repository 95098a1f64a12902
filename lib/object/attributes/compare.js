'use strict'

/** Compares the attributes that an object was written with to those that its store reports afterwards. Pure. */

const { decodeMail } = require('../../http')
const { notice } = require('../../notices')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */

/**
 * The attributes that the store did not keep as they were sent; `headers` and `user` hold names.
 *
 * @typedef {object} Lost
 * @property {string[]} headers
 * @property {string[]} user
 * @property {string} [framed] the Content-Encoding that is there, with the framing of the upload
 * @property {true} [storageClass]
 * @property {true} [encryption]
 */

/** The headers that stores report for objects that were written without any. */
const UNTYPED = new Set(['binary/octet-stream', 'application/octet-stream', ''])
/** Those whose values are the same in upper and lower case. */
const CASELESS = new Set(['content-type', 'content-encoding', 'content-language', 'cache-control'])

/**
 * @typedef {object} About
 * @property {boolean} metadata content headers and user metadata are not known to be kept, so they are compared
 * @property {string} [defaultClass] the store's name for its default storage class
 */

/** What to compare of the objects of a store. @param {import('../../types').Store} store @returns {About} */
function comparisonOf({ can, facts }) {
  return { metadata: !can.keepsMetadata, defaultClass: facts.terms?.storageClass }
}

/**
 * What of an object's attributes a store may drop without a word, each by a name of its own: whether one of a kind was kept
 * says something of the others of that kind.
 *
 * @param {ObjectAttributes} attributes
 * @param {About} about
 * @returns {string[]}
 */
function kindsOf({ metadata: { headers, user }, tags = [], storageClass, encryption }, { metadata, defaultClass }) {
  const names = Object.keys(headers).filter(name => !isUntyped(name, headers[name]))
  return [
    ...(metadata ? names : []),
    ...(metadata && Object.keys(user).length > 0 ? ['user metadata'] : []),
    ...(tags.length > 0 ? ['tags'] : []),
    ...(storageClass !== undefined && storageClass !== defaultClass ? [`class ${storageClass}`] : []),
    ...(encryption ? [`encryption ${encryption.kind}`] : []),
  ]
}

/**
 * All but the tags.
 *
 * @param {ObjectAttributes} written
 * @param {ObjectDescription} found
 * @param {About} about
 * @returns {{ kept: ObjectAttributes, lost: Lost }} kept: of what was written what is there, as it is there; with the tags
 *   that were written
 */
function compareAttributes(written, found, { metadata: compares, defaultClass }) {
  const { metadata, storageClass, encryption, ...rest } = written
  const { headers, user } = metadata
  const there = found.metadata
  const lostHeaders = compares ? Object.keys(headers).filter(name => !sameHeader(name, headers, there.headers)) : []
  const lostUser = compares ? Object.keys(user).filter(name => !sameUser(user[name], there.user[name])) : []
  const framed = compares ? found.framed : undefined
  const lostClass = storageClass !== undefined && storageClass !== (found.storageClass ?? defaultClass)
  const lostEncryption = encryption !== undefined && found.encryption?.kind !== encryption.kind
  const keptClass = lostClass ? found.storageClass : storageClass
  const keptEncryption = lostEncryption ? found.encryption : encryption
  return {
    kept: {
      ...rest,
      metadata: {
        headers: {
          ...mended(headers, lostHeaders, there.headers),
          ...(framed !== undefined && { 'content-encoding': framed }),
        },
        user: mended(user, lostUser, there.user),
      },
      ...(keptClass !== undefined && { storageClass: keptClass }),
      ...(keptEncryption && { encryption: keptEncryption }),
    },
    lost: {
      headers: lostHeaders,
      user: lostUser,
      ...(framed !== undefined && { framed }),
      ...(lostClass && { storageClass: /** @type {const} */ (true) }),
      ...(lostEncryption && { encryption: /** @type {const} */ (true) }),
    },
  }
}

/**
 * @param {Lost} lost
 * @param {ObjectAttributes} written
 * @param {ObjectDescription} found
 * @param {{ text: string } & Pick<About, 'defaultClass'>} destination text: the object, for people
 * @returns {import('../../types').Notice[]}
 */
function noticesOfLosses(
  { headers, user, framed, storageClass, encryption },
  written,
  found,
  { text: location, defaultClass },
) {
  const notices = []
  const gone = headers.filter(name => found.metadata.headers[name] === undefined)
  const missing = user.filter(name => found.metadata.user[name] === undefined)
  const without = [...gone, ...missing.map(name => `user metadata ${name}`)]
  if (without.length > 0) notices.push(notice('ATTRIBUTES_NOT_KEPT', { location, without }))
  const other = headers.filter(name => !gone.includes(name))
  for (const name of other) {
    const [now, sent] = [found.metadata.headers[name], written.metadata.headers[name]]
    notices.push(notice('ATTRIBUTES_NOT_KEPT', { location, name, found: now, sent }))
  }
  const changed = user.filter(name => !missing.includes(name)).map(name => `user metadata ${name}`)
  if (changed.length > 0) notices.push(notice('ATTRIBUTES_NOT_KEPT', { location, changed }))
  if (framed !== undefined) {
    const sent = written.metadata.headers['content-encoding'] ?? 'none'
    notices.push(
      notice('ATTRIBUTES_NOT_KEPT', { location, name: 'content-encoding', framed: true, found: framed, sent }),
    )
  }
  if (storageClass) {
    const kept = found.storageClass ?? defaultClass ?? 'of its default'
    const about = { name: 'storage class', found: kept, sent: written.storageClass }
    notices.push(notice('ATTRIBUTES_NOT_KEPT', { location, ...about }))
  }
  if (encryption) {
    const about = {
      name: 'encryption',
      found: found.encryption?.kind ?? 'none',
      sent: `--sse ${written.encryption?.kind}`,
    }
    notices.push(notice('ATTRIBUTES_NOT_KEPT', { location, ...about }))
  }
  return notices
}

/** @param {string} name @param {Record<string, string>} written @param {Record<string, string>} found */
function sameHeader(name, written, found) {
  const [one, other] = [written[name], found[name]]
  if (isUntyped(name, one)) return other === undefined || isUntyped(name, other)
  if (other === undefined) return one === ''
  if (name === 'expires' && Date.parse(one) === Date.parse(other)) return true
  return plain(name, one) === plain(name, other)
}

/** @param {string} name @param {string} value */
function isUntyped(name, value) {
  return name === 'content-type' && UNTYPED.has(value)
}

/** Without what stores are free to write otherwise. @param {string} name @param {string} value */
function plain(name, value) {
  const dense = value.replace(/\s+/g, '')
  return CASELESS.has(name) ? dense.toLowerCase() : dense
}

/** @param {string} one @param {string | undefined} other */
function sameUser(one, other) {
  return other !== undefined && decodeMail(one).trim() === decodeMail(other).trim()
}

/**
 * @param {Record<string, string>} written
 * @param {string[]} lost names
 * @param {Record<string, string>} found
 * @returns {Record<string, string>}
 */
function mended(written, lost, found) {
  const entries = Object.entries(written).map(([name, value]) => [name, lost.includes(name) ? found[name] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

module.exports = { compareAttributes, comparisonOf, kindsOf, noticesOfLosses }

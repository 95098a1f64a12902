'use strict'

/** Compares the attributes that an object was written with to those that its store reports afterwards. Pure. */

const { decodeMail } = require('../../http')
const { notice } = require('../../notices')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */

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
  const kinds = metadata ? Object.keys(headers).filter(name => !isUntyped(name, headers[name])) : []
  if (metadata && Object.keys(user).length > 0) kinds.push('user metadata')
  if (tags.length > 0) kinds.push('tags')
  if (storageClass !== undefined && storageClass !== defaultClass) kinds.push(`class ${storageClass}`)
  if (encryption) kinds.push(`encryption ${encryption.kind}`)
  return kinds
}

/**
 * All but the tags.
 *
 * @param {ObjectAttributes} written
 * @param {ObjectDescription} found
 * @param {About & { text: string }} about text: the object, for people
 * @returns {{ kept: ObjectAttributes, notices: import('../../types').Notice[] }} kept: of what was written what is there, as it is
 *   there; with the tags that were written. notices: of what its store did not keep as it was sent
 */
function compareAttributes(written, found, { metadata: compares, defaultClass, text: location }) {
  const { metadata, storageClass, encryption, ...rest } = written
  const { headers, user } = metadata
  const there = found.metadata
  const lostHeaders = compares ? Object.keys(headers).filter(name => !sameHeader(name, headers, there.headers)) : []
  const lostUser = compares ? Object.keys(user).filter(name => !sameUser(user[name], there.user[name])) : []
  // The Content-Encoding that is there, with the framing of the upload.
  const framed = compares ? found.framed : undefined
  const lostClass = storageClass !== undefined && storageClass !== (found.storageClass ?? defaultClass)
  const lostEncryption = encryption !== undefined && found.encryption?.kind !== encryption.kind
  const keptClass = lostClass ? found.storageClass : storageClass
  const keptEncryption = lostEncryption ? found.encryption : encryption
  const kept = {
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
  }
  const [goneHeaders, otherHeaders] = splitBy(lostHeaders, there.headers)
  const [goneUser, otherUser] = splitBy(lostUser, there.user)
  const without = [...goneHeaders, ...goneUser.map(name => `user metadata ${name}`)]
  const changed = otherUser.map(name => `user metadata ${name}`)
  /** @type {import('../../notices/table').Facts[]} */
  const losses = [
    ...(without.length > 0 ? [{ without }] : []),
    ...otherHeaders.map(name => ({ name, found: there.headers[name], sent: headers[name] })),
    ...(changed.length > 0 ? [{ changed }] : []),
  ]
  if (framed !== undefined)
    losses.push({ name: 'content-encoding', framed: true, found: framed, sent: headers['content-encoding'] ?? 'none' })
  if (lostClass)
    losses.push({ name: 'storage class', found: keptClass ?? defaultClass ?? 'of its default', sent: storageClass })
  if (lostEncryption)
    losses.push({ name: 'encryption', found: keptEncryption?.kind ?? 'none', sent: `--sse ${encryption.kind}` })
  return { kept, notices: losses.map(loss => notice('ATTRIBUTES_NOT_KEPT', { location, ...loss })) }
}

/** @param {string[]} lost names @param {Record<string, string>} found @returns {[gone: string[], other: string[]]} */
function splitBy(lost, found) {
  return [lost.filter(name => found[name] === undefined), lost.filter(name => found[name] !== undefined)]
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

module.exports = { compareAttributes, comparisonOf, kindsOf }

'use strict'

const { shown, XferError } = require('../errors')

/** @typedef {import('../types').ObjectLocation} ObjectLocation */

/**
 * Parses what the user typed. As in the AWS CLI the key is everything after the bucket's slash, taken literally: no
 * percent-decoding, no query, no fragment.
 *
 * @param {string} text `s3://bucket/key`, `s3://profile@bucket/key`; of a destination the key may be missing
 * @param {'source' | 'destination'} side
 * @param {{ bucketAlone?: boolean }} [options] bucketAlone: the source's key may be missing too
 * @returns {ObjectLocation} key is '' where none was given
 * @throws {XferError} UNKNOWN_SCHEME, BAD_LOCATION
 */
function parseLocation(text, side, { bucketAlone = false } = {}) {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)
  if (scheme?.[1].toLowerCase() !== 's3') throw new XferError('UNKNOWN_SCHEME', { side, location: shown(text) })
  const rest = text.slice(scheme[0].length)
  const slash = rest.indexOf('/')
  const authority = slash < 0 ? rest : rest.slice(0, slash)
  const key = slash < 0 ? '' : rest.slice(slash + 1)
  const at = authority.lastIndexOf('@')
  const bucket = authority.slice(at + 1)
  const profile = at < 0 ? undefined : authority.slice(0, at)

  /** @param {string} reason */
  const bad = reason => new XferError('BAD_LOCATION', { side, location: brief(text), reason })
  // No bucket's name has a colon: it is a key and its secret, and a slash of the secret's makes it a bucket.
  if (at < 0 && authority.includes(':')) {
    const location = `s3://${brief(authority.slice(0, authority.indexOf(':')))}:…`
    throw new XferError('BAD_LOCATION', {
      side,
      location,
      reason: 'what stands before the : cannot be the name of a bucket',
    })
  }
  if (profile === '') throw bad('the profile before the @ is empty')
  // Who writes a key and its secret here must not find them in a log.
  if (profile?.includes(':')) {
    const location = brief(`s3://${bucket}/${key}`)
    throw new XferError('BAD_LOCATION', {
      side,
      location,
      reason: 'what stands before the @ is not the name of a profile',
    })
  }
  if (bucket === '') throw bad('it names no bucket')
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket))
    throw bad(`"${brief(bucket)}" cannot be the name of a bucket`)
  if (side === 'source' && key === '' && !bucketAlone) throw bad('it names no key')
  if (!key.isWellFormed()) throw bad('the key is no valid Unicode')
  if (Buffer.byteLength(key) > 1024) throw bad('the key is longer than 1,024 bytes')
  return { scheme: 's3', bucket, key, ...(profile && { profile }) }
}

/** A key may be longer than anybody wants to read. @param {string} text */
function brief(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/**
 * Completes a destination's key: without a key, or with one that ends in a slash, it takes the source's last segment,
 * unless the key is to be taken as it stands.
 *
 * @param {ObjectLocation} destination
 * @param {ObjectLocation} source
 * @param {boolean} exactKey
 * @returns {ObjectLocation}
 * @throws {XferError} BAD_LOCATION where no key comes of it
 */
function completeDestination(destination, source, exactKey) {
  if (destination.key !== '' && (exactKey || !destination.key.endsWith('/'))) return destination
  const segment = source.key.slice(source.key.lastIndexOf('/') + 1)
  if (exactKey || segment === '') {
    const reason = exactKey ? 'it names no key' : 'the source ends in a slash, so there is no name to append'
    throw new XferError('BAD_LOCATION', { side: 'destination', location: formatLocation(destination), reason })
  }
  const key = destination.key + segment
  if (Buffer.byteLength(key) > 1024) {
    const reason = 'with the name appended its key is longer than 1,024 bytes'
    throw new XferError('BAD_LOCATION', { side: 'destination', location: formatLocation(destination), reason })
  }
  return { ...destination, key }
}

/**
 * What lies below a location: its key, with a slash behind it where it has none.
 *
 * @param {ObjectLocation} location
 * @returns {ObjectLocation} its key is '' for a whole bucket
 */
function asPrefix(location) {
  const { key } = location
  return key === '' || key.endsWith('/') ? location : { ...location, key: `${key}/` }
}

/** @param {ObjectLocation} location */
function formatLocation({ scheme, bucket, key }) {
  return `${scheme}://${bucket}/${key}`
}

module.exports = { parseLocation, completeDestination, asPrefix, formatLocation }

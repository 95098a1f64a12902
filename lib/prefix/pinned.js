'use strict'

/** Objects that a manifest names are copied as its rows say, or not at all. */

const { XferError, asXferError, rootOf } = require('../errors')
const { sameEtag } = require('../integrity')

/**
 * @param {import('../types').ListedObject} listed
 * @param {{ bytes: number, etag: string } | undefined} found undefined: there is none
 * @throws {XferError} ROW_OUTDATED
 */
function checkPinned({ pinned, bytes, etag }, found) {
  if (!pinned) return
  if (!found) throw outdated('it is gone')
  if (found.bytes !== bytes) throw outdated(`it has ${count(found.bytes)} bytes, not ${count(bytes)}`)
  if (etag !== '' && !sameEtag(found.etag, etag)) throw outdated(`its ETag is ${found.etag}, not ${etag}`)
}

/** @param {number} bytes */
const count = bytes => bytes.toLocaleString('en-US')

/** @param {string} reason a clause @param {unknown} [cause] */
function outdated(reason, cause) {
  return new XferError('ROW_OUTDATED', { reason }, { cause })
}

/** What the failure of a read means. @param {{ pinned?: true }} listed @param {unknown} cause */
function asPinnedError({ pinned }, cause) {
  const error = asXferError(cause)
  if (!pinned) return error
  const { code, facts } = rootOf(error)
  if (code === 'SOURCE_CHANGED') return outdated('its ETag or its size is another one', error)
  return code === 'NO_SUCH_KEY' && facts.side === 'source' ? outdated('it is gone', error) : error
}

module.exports = { asPinnedError, checkPinned }

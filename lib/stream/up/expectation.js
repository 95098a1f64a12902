'use strict'

/** What the caller knows of the stream beforehand: its size and its SHA-256. Judged before anything becomes visible. */

const { createHash } = require('node:crypto')
const { XferError } = require('../../errors')

/** @param {{ bytes?: number, sha256?: string }} expected sha256: 64 hex digits */
function createExpectation({ bytes, sha256 }) {
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  let found = 0

  return {
    /** @param {Buffer} piece in order @throws {XferError} INPUT_DIFFERS once there is too much */
    update(piece) {
      found += piece.length
      if (bytes !== undefined && found > bytes) throw differs('size', bytes, `more than ${bytes}`)
      hash?.update(piece)
    },

    /** Called when the stream has ended. @throws {XferError} INPUT_DIFFERS */
    judge() {
      if (bytes !== undefined && found !== bytes) throw differs('size', bytes, found)
      const digest = hash?.digest('hex')
      if (digest !== sha256?.toLowerCase()) throw differs('SHA-256', sha256, digest)
    },
  }
}

/** @param {string} what @param {unknown} expected @param {unknown} found */
function differs(what, expected, found) {
  return new XferError('INPUT_DIFFERS', { what, expected, found })
}

module.exports = { createExpectation }

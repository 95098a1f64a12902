'use strict'

/**
 * What is known of the stream beforehand: its SHA-256 by the caller; size and checksums by the server of an object. Judged before
 * anything becomes visible.
 */

const { createHash } = require('node:crypto')
const { createSums } = require('../../../actions/copy-range/copy')
const { XferError } = require('../../errors')
const { namesOf, sumText, SUM_WORDS } = require('../../integrity')

/**
 * @param {object} expected
 * @param {string} [expected.sha256] 64 hex digits
 * @param {{ bytes?: number, sums?: import('../../types').Sums }} [expected.told] what the server of the object tells, in hex
 */
function createExpectation({ sha256, told = {} }) {
  const { bytes } = told
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  const names = namesOf(told.sums ?? {})
  const sums = createSums(names)
  let found = 0

  return {
    /** @param {Buffer} piece in order @throws {XferError} INPUT_DIFFERS once there is too much */
    update(piece) {
      found += piece.length
      if (bytes !== undefined && found > bytes) throw differs('size', bytes, `more than ${bytes}`)
      hash?.update(piece)
      sums.update(piece)
    },

    /** Called when the stream has ended. @throws {XferError} INPUT_DIFFERS */
    judge() {
      if (bytes !== undefined && found !== bytes) throw differs('size', bytes, found)
      const digest = hash?.digest('hex')
      if (sha256 !== undefined && sha256.toLowerCase() !== digest) throw differs('SHA-256', sha256, digest)
      const all = sums.digest()
      for (const name of names) {
        if (told.sums?.[name] === all[name]) continue
        throw differs(SUM_WORDS[name], sumText(name, told.sums?.[name]), sumText(name, all[name]), 'server')
      }
    },
  }
}

/** @param {string} what @param {unknown} expected @param {unknown} found @param {string} [of] 'server': its server tells it */
function differs(what, expected, found, of) {
  return new XferError('INPUT_DIFFERS', { what, expected, found, ...(of && { of }) })
}

module.exports = { createExpectation }

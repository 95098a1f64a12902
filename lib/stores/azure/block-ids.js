'use strict'

/**
 * Ids of blocks and of uploads. Azure knows no uploads: blocks belong to a blob, and have ids that the writer chooses. So an
 * upload is a mark in the ids of its blocks. Each attempt at a block has an id of its own, so that a late duplicate of one
 * attempt cannot replace the block that another attempt wrote, and that was proved. Pure.
 *
 * A block's id is the base64 of a text of letters and digits:
 *
 *     x NNN SSSSSS RRR AAA…
 *
 * N: the number of the part; S: when the upload began, in seconds since the epoch; both with 62 digits. R: random, of the
 * upload. A: random, of the attempt. The base64 of such a text has neither `+` nor `/`, which not every program encodes in a
 * URL in the same way. All ids of a blob must have one length, those of other programs' blocks included:
 * https://learn.microsoft.com/rest/api/storageservices/put-block#uri-parameters
 *
 * The id of an upload: S and R, and the length of its blocks' ids: `1vQx0Aq7b.24`.
 */

const { createHash } = require('node:crypto')

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const NUMBER = 3
const SECONDS = 6
const MARK = SECONDS + 3
const USUAL_LENGTH = 24
/** With three random digits of the attempt. rclone's ids have this length. */
const LEAST_LENGTH = 1 + NUMBER + MARK + 3
/** https://learn.microsoft.com/rest/api/storageservices/put-block */
const MOST_LENGTH = 64
const TEXT = /^x([0-9A-Za-z]{3})([0-9A-Za-z]{9})[0-9A-Za-z]{3,}$/

/** @typedef {{ mark: string, length: number }} UploadId mark: S and R */
/** @typedef {(bytes: number) => Buffer} Random */

/**
 * @param {{ nowMs: number, random: Random, length?: number }} of length: of the ids of the blocks that the blob has already, before base64
 * @returns {string}
 */
function newUploadId({ nowMs, random, length = USUAL_LENGTH }) {
  const mark = digitsOf(Math.floor(nowMs / 1000), SECONDS) + anyDigits(random, MARK - SECONDS)
  return `${mark}.${length}`
}

/** @param {string} id any other text stands for an upload too, of the usual kind @returns {UploadId} */
function readUploadId(id) {
  const [, mark, digits] = /^([0-9A-Za-z]{9})\.(\d\d)$/.exec(id) ?? []
  const length = Number(digits)
  if (mark === undefined || length < LEAST_LENGTH || length > MOST_LENGTH) {
    return {
      mark: anyDigits(bytes => createHash('sha256').update(id).digest().subarray(0, bytes), MARK),
      length: USUAL_LENGTH,
    }
  }
  return { mark, length }
}

/** @param {UploadId} upload @param {number} partNumber @param {Random} random @returns {string} in base64 */
function newBlockId({ mark, length }, partNumber, random) {
  const text = `x${digitsOf(partNumber, NUMBER)}${mark}`
  return Buffer.from(text + anyDigits(random, length - text.length)).toString('base64')
}

/**
 * @param {string} blockId in base64
 * @returns {{ partNumber: number, mark: string, beganMs: number } | undefined} undefined: another program wrote the block
 */
function readBlockId(blockId) {
  const [, number, mark] = TEXT.exec(Buffer.from(blockId, 'base64').toString('latin1')) ?? []
  if (mark === undefined) return undefined
  return { partNumber: numberOf(number), mark, beganMs: numberOf(mark.slice(0, SECONDS)) * 1000 }
}

/** @param {string} blockId in base64 @returns {number} its length before base64 */
function lengthOf(blockId) {
  return Buffer.from(blockId, 'base64').length
}

/** @param {number} number @param {number} width */
function digitsOf(number, width) {
  let text = ''
  for (let rest = number; text.length < width; rest = Math.floor(rest / DIGITS.length))
    text = DIGITS[rest % DIGITS.length] + text
  return text
}

/** @param {string} text */
function numberOf(text) {
  return [...text].reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0)
}

/** @param {Random} random @param {number} count */
function anyDigits(random, count) {
  return [...random(count)].map(byte => DIGITS[byte % DIGITS.length]).join('')
}

module.exports = { LEAST_LENGTH, lengthOf, newBlockId, newUploadId, readBlockId, readUploadId }

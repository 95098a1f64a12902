'use strict'

/** The names of files that are not whole yet. They are beside their targets, because a rename works within a file system only. */

const { createHash, randomBytes } = require('node:crypto')

const PARTIAL = /^\.xfer-[0-9a-f]{16}\.partial$/

/**
 * @param {string} target the file's name, without folders
 * @param {string} [owner] `ownerMark` of the job that writes it
 * @returns {string} a new one; its first eight digits are of the target's name, so that the partials of a target are found again
 */
function partialName(target, owner) {
  return `.xfer-${beginningOf(target)}${owner ?? nobody()}${randomBytes(2).toString('hex')}.partial`
}

/** @param {string} target a file's name, without folders @returns {string} the first digits of its partials' names */
function beginningOf(target) {
  return createHash('sha256').update(target).digest('hex').slice(0, 8)
}

/** @param {string} job its id @returns {string} the digits of its partials' names, after those of the target */
function ownerMark(job) {
  return marked(createHash('sha256').update(job).digest(), 0x80)
}

/** @returns {string} random digits in place of a mark, equal to that of no job */
function nobody() {
  return marked(randomBytes(2), 0)
}

/** @param {Buffer} bytes @param {number} first the highest bit of the first byte */
function marked(bytes, first) {
  const digits = Buffer.from([(bytes[0] & 0x7f) | first, bytes[1]])
  return digits.toString('hex')
}

/** @param {string} name of a partial file @returns {string} */
const ownerOf = name => name.slice('.xfer-'.length + 8, '.xfer-'.length + 12)

/** @param {string} name without folders */
function isPartialName(name) {
  return PARTIAL.test(name)
}

module.exports = { beginningOf, isPartialName, nobody, ownerMark, ownerOf, partialName }

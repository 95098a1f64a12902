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
  const mark = owner ?? randomBytes(2).toString('hex')
  return `.xfer-${beginningOf(target)}${mark}${randomBytes(2).toString('hex')}.partial`
}

/** @param {string} target a file's name, without folders @returns {string} the first digits of its partials' names */
function beginningOf(target) {
  return createHash('sha256').update(target).digest('hex').slice(0, 8)
}

/** @param {string} job its id @returns {string} the digits of its partials' names, after those of the target */
function ownerMark(job) {
  return createHash('sha256').update(job).digest('hex').slice(0, 4)
}

/** @param {string} name of a partial file @returns {string} */
const ownerOf = name => name.slice('.xfer-'.length + 8, '.xfer-'.length + 12)

/** @param {string} name without folders */
function isPartialName(name) {
  return PARTIAL.test(name)
}

module.exports = { beginningOf, isPartialName, ownerMark, ownerOf, partialName }

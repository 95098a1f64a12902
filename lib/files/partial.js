'use strict'

/**
 * Partial files: files that are not complete yet. They are beside their targets, because a rename works within a file system only.
 * The id of one has 16 hex digits: eight of the target's name, so that the partial files of a target are found again, four that
 * mark the job, and four random ones.
 */

const { createHash, randomBytes } = require('node:crypto')
const { lstat, open, unlink } = require('node:fs/promises')
const { codeOf } = require('./publish')

/** The letter after the id: of an empty file that tries which names a file system takes for one. */
const PARTIAL = /^\.xfer-([0-9a-f]{16}(?:\u00e9|e\u0301)?)\.partial$/

/**
 * @param {string} target the file's name, without folders
 * @param {string} [owner] `ownerMark` of the job that writes it; default: random digits, equal to the mark of no job
 * @returns {string} a new id
 */
function newPartialId(target, owner = marked(randomBytes(2), 0)) {
  return beginningOf(target) + owner + randomBytes(2).toString('hex')
}

/** @param {string} id */
const partialName = id => `.xfer-${id}.partial`

/** @param {string} name of a file, without folders @returns {string | undefined} the id; undefined: it is no partial file */
const partialIdOf = name => PARTIAL.exec(name)?.[1]

/** @param {string} target a file's name, without folders @returns {string} the first digits of its partial files' ids */
function beginningOf(target) {
  return createHash('sha256').update(target).digest('hex').slice(0, 8)
}

/** @param {string} job its id @returns {string} the digits of its partial files' ids, after those of the target */
function ownerMark(job) {
  return marked(createHash('sha256').update(job).digest(), 0x80)
}

/** @param {Buffer} bytes @param {number} first the highest bit of the first byte */
function marked(bytes, first) {
  return Buffer.from([(bytes[0] & 0x7f) | first, bytes[1]]).toString('hex')
}

/** @param {string} id of a partial file @returns {string} */
const ownerOf = id => id.slice(8, 12)

/** Such a name cannot be there: neither can it be one that differs. */
const REFUSED = ['EILSEQ', 'EINVAL', 'EPROTO']

/**
 * Finds out whether a file system takes two names for one: a file is made, looked for under another spelling, and removed.
 *
 * @param {(name: string) => string} at the path of a name in the folder
 * @returns {Promise<{ case: boolean, unicode: boolean }>} whether names are one that differ only in case; only in their form of
 *   Unicode
 * @throws {NodeJS.ErrnoException} no file can be made there
 */
async function foldsNames(at) {
  const id = newPartialId('')
  const [plain, composed] = [partialName(id), partialName(`${id}\u00e9`)]
  return {
    case: await isOne(at, plain, plain.toUpperCase()),
    unicode: await isOne(at, composed, composed.normalize('NFD')),
  }
}

/** @param {(name: string) => string} at @param {string} name @param {string} other @returns {Promise<boolean>} */
async function isOne(at, name, other) {
  try {
    await (await open(at(name), 'wx', 0o600)).close()
  } catch (cause) {
    if (REFUSED.includes(codeOf(cause))) return false
    throw cause
  }
  try {
    return await lstat(at(other)).then(
      () => true,
      () => false,
    )
  } finally {
    await unlink(at(name))
  }
}

module.exports = { beginningOf, foldsNames, newPartialId, ownerMark, ownerOf, partialIdOf, partialName }

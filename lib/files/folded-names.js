'use strict'

/** Finds out whether a file system takes two names for one: a file is made, looked for under another spelling, and removed. */

const { lstat, open, unlink } = require('node:fs/promises')
const { newPartialId, partialName } = require('./partial')

/** Such a name cannot be there: neither can it be one that differs. */
const REFUSED = ['EILSEQ', 'EINVAL', 'EPROTO']

/**
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

/** @param {unknown} error */
const codeOf = error => /** @type {NodeJS.ErrnoException} */ (error).code ?? ''

module.exports = { foldsNames }

'use strict'

/** Which names a file system takes, and which it takes for one: found out by files that are made and removed. */

const { randomBytes } = require('node:crypto')
const { open, unlink } = require('node:fs/promises')
const { join } = require('node:path')
const { foldsNames } = require('../../../files')

const MOST_NAME_BYTES = 255
/** What keys often have, and some file systems do not take. */
const SIGNS = [':', '?', '*', '"', '<', '>', '|', '\\', 'name. ']

/**
 * @param {string} folder
 * @param {import('.').Explain} explain
 * @returns {Promise<import('../../../types').Finding>}
 * @throws {import('../../../types').XferError}
 */
async function tryNames(folder, explain) {
  const stem = `.xfer-doctor-${randomBytes(4).toString('hex')}-`
  try {
    const { case: foldsCase, unicode: foldsForms } = await foldsNames(name => join(folder, name))
    const longest = await withFile(folder, stem.padEnd(MOST_NAME_BYTES, 'x'), async () => true)
    const refused = []
    for (const sign of SIGNS) if (!(await withFile(folder, `${stem}${sign}`, async () => true))) refused.push(sign)
    return judgeNames({ foldsCase, foldsForms, longest: longest === true, refused })
  } catch (cause) {
    throw explain(cause, folder)
  }
}

/**
 * Pure.
 *
 * @param {{ foldsCase: boolean, foldsForms: boolean, longest: boolean, refused: string[] }} found
 * @returns {import('../../../types').Finding}
 */
function judgeNames({ foldsCase, foldsForms, longest, refused }) {
  const folds = [...(foldsCase ? ['in case'] : []), ...(foldsForms ? ['in their form of Unicode (NFC, NFD)'] : [])]
  const says = [
    folds.length > 0
      ? `names that differ only ${folds.join(' or ')} are one file`
      : 'names that differ in case or in their form of Unicode are different files',
    longest ? `a name may have ${MOST_NAME_BYTES} bytes` : `a name of ${MOST_NAME_BYTES} bytes is refused`,
    ...(refused.length > 0 ? [`names with ${refused.map(sign => JSON.stringify(sign)).join(', ')} are refused`] : []),
  ]
  const detail = `There, ${says.join('; ')}.`
  const plain = folds.length === 0 && longest && refused.length === 0
  if (plain) return { ok: true, detail }
  return { ok: true, detail, hint: 'Objects with such names fail, each by its name; all others are copied.' }
}

/**
 * @template T
 * @param {string} folder
 * @param {string} name of an empty file, made for the call
 * @param {() => Promise<T>} use
 * @returns {Promise<T | undefined>} undefined: the file system refuses the name
 */
async function withFile(folder, name, use) {
  const path = join(folder, name)
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (cause) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (cause)
    // FAT answers EINVAL; a server behind the file system its own.
    if (['EINVAL', 'ENAMETOOLONG', 'ENOENT', 'EILSEQ', 'EPROTO', 'EEXIST'].includes(code)) return undefined
    throw cause
  }
  try {
    return await use()
  } finally {
    await unlink(path)
  }
}

module.exports = { judgeNames, tryNames }

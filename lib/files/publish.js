'use strict'

/** Which version a file is, and how a complete file gets its final name. */

const { link, lstat, open, rename, unlink } = require('node:fs/promises')

/** @typedef {Pick<import('node:fs').BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>} Stats */

/** @param {bigint[]} numbers */
const etagOf = numbers => `"${numbers.map(number => number.toString(16)).join('-')}"`

/**
 * The ETag of a file: another size, modification time or inode is another version.
 *
 * @param {Omit<Stats, 'ctimeNs'>} stats
 * @returns {string} with quotes: size in bytes, modification time in nanoseconds and inode, in hex
 */
const fileEtag = ({ size, mtimeNs, ino }) => etagOf([size, mtimeNs, ino])

/**
 * Of a file that is read. Nobody can set the time of its last change, but a rename changes it too, so what we write has none.
 *
 * @param {Stats} stats
 * @returns {string} as `fileEtag`, and the time of the last change in nanoseconds
 */
const sourceEtag = ({ size, mtimeNs, ino, ctimeNs }) => etagOf([size, mtimeNs, ino, ctimeNs])

/** @param {string} etag of either kind @param {Stats} stats */
const isEtagOf = (etag, stats) => etag === fileEtag(stats) || etag === sourceEtag(stats)

/** Errors of a file system that has no hard links. */
const NO_LINKS = new Set(['EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

/**
 * @param {string} partial path of the complete file
 * @param {string} path the final one, in the same folder
 * @param {{ ifNoneMatch?: boolean, ifMatch?: string }} [condition] ifNoneMatch: there must be no file; ifMatch: the ETag of the
 *   file that may be replaced
 * @returns {Promise<void>}
 * @throws {NodeJS.ErrnoException} with the code EXISTS or CHANGED if the condition does not hold; else of the system
 */
async function publish(partial, path, { ifNoneMatch = false, ifMatch } = {}) {
  if (ifNoneMatch) return await publishNew(partial, path)
  if (ifMatch !== undefined && (await etagAt(path)) !== ifMatch) throw withCode('CHANGED')
  await rename(partial, path)
}

/** @param {string} partial @param {string} path */
async function publishNew(partial, path) {
  try {
    await link(partial, path)
  } catch (error) {
    if (NO_LINKS.has(codeOf(error))) return await replacePlaceholder(partial, path)
    throw refusalOf(error)
  }
  await unlink(partial)
}

/**
 * Without hard links an empty file takes the name, because only one process can create it; the rename then replaces it.
 *
 * @param {string} partial
 * @param {string} path
 */
async function replacePlaceholder(partial, path) {
  const placeholder = await createEmpty(path)
  try {
    await rename(partial, path)
  } catch (error) {
    if ((await etagAt(path).catch(() => undefined)) === placeholder) await unlink(path).catch(() => {})
    throw error
  }
}

/** @param {string} path @returns {Promise<string>} its ETag */
async function createEmpty(path) {
  const handle = await open(path, 'wx', 0o666).catch(error => {
    throw refusalOf(error)
  })
  try {
    return fileEtag(await handle.stat({ bigint: true }))
  } finally {
    await handle.close()
  }
}

/** @param {string} path @returns {Promise<string | undefined>} undefined: nothing is there */
async function etagAt(path) {
  try {
    return fileEtag(await lstat(path, { bigint: true }))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** @param {unknown} error */
const refusalOf = error => (codeOf(error) === 'EEXIST' ? withCode('EXISTS') : error)

/** @param {unknown} error @returns {string} '' if it has none */
function codeOf(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error)
  return typeof code === 'string' ? code : ''
}

/** @param {string} code */
const withCode = code => Object.assign(new Error(code), { code })

module.exports = { codeOf, fileEtag, isEtagOf, publish, sourceEtag, withCode }

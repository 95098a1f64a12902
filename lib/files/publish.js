'use strict'

/** Gives a complete file its final name. */

const fs = require('node:fs')
const { promisify } = require('node:util')
const { fileEtag } = require('./etag')

const [close, fstat, link, lstat, open, rename, unlink] = [
  fs.close,
  fs.fstat,
  fs.link,
  fs.lstat,
  fs.open,
  fs.rename,
  fs.unlink,
].map(call => /** @type {(...args: any[]) => Promise<any>} */ (promisify(call)))
const { O_CREAT, O_EXCL, O_WRONLY } = fs.constants

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
  const fd = await open(path, O_CREAT | O_EXCL | O_WRONLY, 0o666).catch(error => {
    throw refusalOf(error)
  })
  try {
    return fileEtag(await fstat(fd, { bigint: true }))
  } finally {
    await close(fd)
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

/** @param {unknown} error */
const codeOf = error => /** @type {NodeJS.ErrnoException} */ (error).code ?? ''

/** @param {string} code */
const withCode = code => Object.assign(new Error(code), { code })

module.exports = { publish }

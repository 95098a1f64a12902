'use strict'

/** The file of a manifest, of this machine or of a store. */

const { createHash } = require('node:crypto')
const { mkdtemp, open, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { factoryOfText } = require('../stores')
const { headObject, openOne } = require('../job')
const { bad } = require('./records')

/** @typedef {{ handle: import('node:fs/promises').FileHandle, bytes: number }} Opened closed by who opened it */
/** @typedef {import('../types').JobWish} JobWish */

const CHUNK = 16 * 1024

/** Whether it is in a store, not a file of this machine. @param {string} text */
const isLocation = text => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !factoryOfText(text)?.paths

/** What reading a location needs of the options of a copy. @param {JobWish} options @returns {any} */
function readOptions({ env, signal, caBundle, retries, outageTimeout, source }) {
  return { env, signal, caBundle, retries, outageTimeout, source, engine: 'local', concurrency: 4 }
}

/** @param {Opened} opened */
const chunksOf = ({ handle }) => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK })

/** @param {Opened} opened @param {number} start @param {number} most */
async function readAt({ handle, bytes }, start, most) {
  const part = Buffer.alloc(Math.max(0, Math.min(most, bytes - start)))
  const { bytesRead } = await handle.read(part, 0, part.length, start)
  return part.subarray(0, bytesRead)
}

/** @param {Opened} opened @param {'md5' | 'sha256'} kind @returns {Promise<string>} hex */
async function hashOf(opened, kind) {
  const hash = createHash(kind)
  for await (const chunk of chunksOf(opened)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * What a manifest is known by, so that a resumed job sees whether it is the same.
 *
 * @param {string} text a path or a location
 * @param {JobWish} options of the copy
 * @returns {Promise<string>} the SHA-256 of a file in hex; ETag and size of an object
 * @throws {import('../types').XferError}
 */
async function digestManifest(text, options) {
  if (!isLocation(text)) {
    const opened = await openFile(text)
    return await hashOf(opened, 'sha256').finally(() => opened.handle.close())
  }
  const { end, run, close } = await openOne(text, 'source', readOptions(options), () => {})
  try {
    const { etag, bytes } = await headObject(end, run.cancel)
    return `${etag} ${bytes}`
  } finally {
    await close()
  }
}

/** @param {string} path @returns {Promise<Opened>} @throws {import('../types').XferError} BAD_MANIFEST */
async function openFile(path) {
  try {
    const handle = await open(path)
    const found = await handle.stat()
    if (found.isFile()) return { handle, bytes: found.size }
    await handle.close()
  } catch (cause) {
    throw bad(path, undefined, `it cannot be read (${/** @type {any} */ (cause).code})`, cause)
  }
  throw bad(path, undefined, 'it is no file')
}

/**
 * The object in a temporary file: it is compared with its checksums before a row counts, and Parquet begins at its end.
 *
 * @param {string} location
 * @param {{ options: JobWish, cancel: AbortSignal, digest?: string }} how digest: as of `digestManifest`; it has to be that
 * @returns {Promise<Opened>}
 */
async function fetchFile(location, { options, cancel, digest }) {
  const { downloadObject, openDownload } = require('../stream')
  const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
  const handle = await open(join(folder, 'manifest'), 'wx+', 0o600)
  // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  try {
    const opened = await openDownload(location, readOptions(options), () => {}, cancel)
    const write = async (/** @type {Buffer} */ piece) => void (await handle.appendFile(piece))
    const { bytes, etag } = await downloadObject(opened, write).finally(() => opened.close())
    if (digest === undefined || digest === `${etag} ${bytes}`) return { handle, bytes }
    throw bad(location, undefined, 'it was replaced just now')
  } catch (error) {
    await handle.close()
    throw error
  }
}

module.exports = { chunksOf, digestManifest, fetchFile, hashOf, isLocation, openFile, readAt }

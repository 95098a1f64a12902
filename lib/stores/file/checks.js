'use strict'

/** The checks of `xfer doctor` of a file or a folder: whether it can be read, or written. They leave nothing behind. */

const { open, opendir, stat, unlink } = require('node:fs/promises')
const { dirname, join } = require('node:path')
const { newPartialId, partialName } = require('../../files')
const { TERMS, explainCall } = require('./explain')

const CHECK_MS = 30_000
const PROBE = 'xfer doctor\n'

/** @typedef {import('../../types').Finding} Finding */
/** @typedef {(cause: unknown, path: string) => import('../../types').XferError} Explain */

/**
 * @param {import('../contract').Place} place
 * @param {{ side: 'source' | 'destination' }} how
 * @returns {import('../../engines/contract').Check[]}
 */
function checksOf({ key }, { side }) {
  const path = `/${key}`
  /** @type {Explain} */
  const explain = (cause, about) => {
    const at = { side, protocol: 'file system', bucket: about, endpoint: 'this machine', location: about, terms: TERMS }
    return explainCall(cause, { key: about.slice(1), of: side === 'source' ? 'read' : 'write' }, at)
  }
  const name = side === 'source' ? 'source reading' : 'destination writing'
  const run = async () => {
    if (side === 'destination') return await tryWriting(path, explain)
    return await tryReading(path).catch(cause => {
      throw explain(cause, path)
    })
  }
  return [{ name, limitMs: CHECK_MS, cleans: side === 'destination', run }]
}

/** Reads one byte of a file, or one name of a folder. @param {string} path @returns {Promise<Finding>} */
async function tryReading(path) {
  const handle = await open(path, 'r')
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) return await readFolder(path)
    if (!stats.isFile()) return { ok: false, detail: `${path} is neither a file nor a folder.`, hint: 'Name a file.' }
    const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0)
    const size = stats.size.toLocaleString('en-US')
    return { ok: true, detail: `${path} has ${size} bytes, and ${bytesRead === 0 ? 'none' : 'one'} of them was read.` }
  } finally {
    await handle.close()
  }
}

/** @param {string} path @returns {Promise<Finding>} */
async function readFolder(path) {
  const folder = await opendir(path)
  try {
    const what = (await folder.read()) ? 'is a folder, and its names can be read' : 'is an empty folder'
    return { ok: true, detail: `${path} ${what}: name a file to have it read.` }
  } finally {
    await folder.close()
  }
}

/**
 * Writes a partial file of a few bytes, syncs it, and removes it.
 *
 * @param {string} path of a file or a folder, which may be missing
 * @param {Explain} explain
 * @returns {Promise<Finding>}
 */
async function tryWriting(path, explain) {
  const { folder, missing } = await placeOf(path, explain)
  const probe = join(folder, partialName(newPartialId('doctor')))
  try {
    const handle = await open(probe, 'wx', 0o600)
    try {
      await handle.writeFile(PROBE)
      await handle.sync()
    } finally {
      await handle.close()
      await unlink(probe)
    }
  } catch (cause) {
    throw explain(cause, folder)
  }
  const made = missing ? '; a copy makes the folders that are missing below it' : ''
  return { ok: true, detail: `A file of a few bytes was written to ${folder}, synced and removed${made}.` }
}

/**
 * @param {string} path
 * @param {Explain} explain
 * @returns {Promise<{ folder: string, missing: boolean }>} folder: the nearest one that is there; missing: a copy makes folders below it
 */
async function placeOf(path, explain) {
  const wanted = path.replace(/(?<=.)\/+$/, '')
  for (let at = wanted, missing = false; ; at = dirname(at)) {
    const found = await stat(at).catch(cause => {
      if (!['ENOENT', 'ENOTDIR'].includes(cause.code)) throw explain(cause, at)
    })
    if (found?.isDirectory()) return { folder: at, missing }
    // The file itself may be missing, or be replaced.
    missing = at !== wanted || path.endsWith('/')
  }
}

module.exports = { checksOf }

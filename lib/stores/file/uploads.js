'use strict'

/**
 * Uploads in parts: a partial file beside the target, as large as the object from the beginning, into which every part is written
 * at its place. It gets the target's name once it is complete and on the disk; until then the target stays as it is.
 */

const { constants } = require('node:fs')
const { open, statfs, unlink } = require('node:fs/promises')
const { createSums } = require('../../../actions/copy-range/copy')
const { codeOf, fileEtag, newPartialId, publish } = require('../../files')
const { folderOf, nameOf, readUploadId } = require('./paths')
const { refuseTags } = require('./requests')
const { setTimes } = require('./files')
const { XferError } = require('./words')
const { createPending } = require('./pending')

/** @typedef {import('../../types').Store} Store */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
/** Read at once, of what a partial file has. */
const PIECE_BYTES = 4 * 1024 ** 2

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {ReturnType<typeof import('./files').createFiles>} of.files
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads({ paths, facts, files }) {
  /**
   * @param {string} key
   * @param {string} uploadId
   * @param {(at: { folder: import('../../files/folder').Folder, target: string, partial: string }) => Promise<T>} use
   * @template T
   */
  async function beside(key, uploadId, use) {
    const { name } = readUploadId(uploadId)
    return await files.at(key, (target, folder) => use({ folder, target, partial: folder.at(name) }), { of: 'write' })
  }

  /** Nothing has the name, or a socket has it. @param {string} key @param {unknown} cause @returns {never} */
  function gone(key, cause) {
    const storeCode = codeOf(cause)
    if (storeCode !== 'ENOENT' && storeCode !== 'ENXIO') throw cause
    throw paths.fault('UPLOAD_GONE', key, { storeCode }, cause)
  }

  /**
   * Opens what an upload writes, and closes it after its use.
   *
   * @param {string} path
   * @param {{ key: string, flags: number }} how
   * @param {(handle: import('node:fs/promises').FileHandle) => Promise<T>} use
   * @template T
   */
  async function withUpload(path, { key, flags }, use) {
    // A named pipe is not waited for.
    const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK).catch(cause => gone(key, cause))
    try {
      if ((await handle.stat()).isFile()) return await use(handle)
      throw paths.fault('UPLOAD_GONE', key)
    } finally {
      await handle.close()
    }
  }

  /**
   * The system tells only once that it could not write: the next sync would succeed without the bytes. So they are dropped.
   *
   * @param {import('node:fs/promises').FileHandle} handle
   * @param {{ key: string, partial: string }} upload
   * @throws {XferError} FILE_SYNC_FAILED
   */
  async function putOnDisk(handle, { key, partial }) {
    try {
      await handle.sync()
    } catch (cause) {
      // The error makes the job end, also if this fails.
      await unlink(partial).catch(() => {})
      throw paths.fault('FILE_SYNC_FAILED', key, { of: 'write', storeCode: codeOf(cause) }, cause)
    }
  }

  /** @param {{ target: string, partial: string, key: string }} at @param {import('../../types').WriteCondition} condition */
  async function giveName({ target, partial, key }, condition) {
    await files.refuseOther(target, key)
    await publish(partial, target, condition).catch(cause => {
      if (!['EXISTS', 'CHANGED'].includes(codeOf(cause))) throw cause
      throw paths.fault('DESTINATION_EXISTS', key, { status: 412 })
    })
  }

  /** A full disk is found before the first byte. @param {string} folder @param {string} key @param {number} bytes @throws {XferError} DISK_FULL */
  async function checkRoom(folder, key, bytes) {
    const { bavail, blocks, bsize } = await statfs(folder)
    const free = bavail * bsize
    // Some file systems in memory have no size.
    if (blocks !== 0 && free < bytes) throw paths.fault('DISK_FULL', key, { storeCode: 'ENOSPC', free, bytes })
  }

  return {
    async create({ key, attributes, bytes = 0 }) {
      refuseTags(attributes, facts)
      paths.locateTarget(key)
      await files.makeFolder(folderOf(key))
      const id = `${newPartialId(nameOf(key))}.${bytes}`
      await beside(key, id, async ({ folder, target, partial }) => {
        await files.refuseOther(target, key)
        await checkRoom(folder.at('.'), key, bytes)
        const handle = await open(partial, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o666)
        try {
          await handle.truncate(bytes)
        } finally {
          await handle.close()
        }
      })
      return { id, checksums: false }
    },

    async parts({ key, uploadId, marker = '0', most, ranges = [] }, { signal } = {}) {
      return await beside(key, uploadId, async ({ target, partial }) => {
        await files.refuseOther(target, key)
        return await withUpload(partial, { key, flags: O_RDONLY }, async handle => {
          const wanted = ranges.filter(({ partNumber }) => partNumber > Number(marker))
          const page = most === undefined ? wanted : wanted.slice(0, most)
          const parts = []
          for (const range of page) {
            const found = await sumRange(handle, range, signal)
            if (found) parts.push({ partNumber: range.partNumber, etag: '', ...found })
          }
          return { parts, next: page.length < wanted.length ? String(page.at(-1)?.partNumber) : undefined }
        })
      })
    },

    async complete({ key, uploadId, bytes, attributes, condition = {} }) {
      return await beside(key, uploadId, async ({ folder, target, partial }) => {
        return await withUpload(partial, { key, flags: O_RDWR }, async handle => {
          const { size } = await handle.stat()
          if (size !== bytes) {
            const reason = `the file that was written has ${size} bytes, and not ${bytes}`
            const refusal = { status: 400, reason, partsDiffer: true, completes: true }
            throw new XferError('STORE_REFUSED', { ...facts, key, ...refusal })
          }
          await setTimes(handle, attributes)
          await putOnDisk(handle, { key, partial })
          await giveName({ target, partial, key }, condition)
          await folder.sync()
          return { etag: fileEtag(await handle.stat({ bigint: true })) }
        })
      })
    },

    async abort({ key, uploadId }) {
      await beside(key, uploadId, ({ partial }) => unlink(partial).catch(cause => gone(key, cause)))
    },

    pending: createPending({ paths, facts }),
  }
}

/**
 * Computes the checksums of what a partial file has: a resumed copy believes nothing else.
 *
 * @param {import('node:fs/promises').FileHandle} handle
 * @param {{ start: number, bytes: number, sums?: import('../../types').Sum[] }} range sums: those to compute; default: the CRC-32
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ bytes: number, sums: import('../../types').Sums } | undefined>} undefined: the file ends before
 */
async function sumRange(handle, { start, bytes, sums: names = ['crc32'] }, signal) {
  const sums = createSums(names.length > 0 ? names : ['crc32'])
  const piece = Buffer.allocUnsafe(Math.min(bytes, PIECE_BYTES))
  for (let at = 0; at < bytes; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, bytes - at), start + at)
    if (bytesRead === 0) return undefined
    sums.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  return { bytes, sums: sums.digest() }
}

module.exports = { createUploads }

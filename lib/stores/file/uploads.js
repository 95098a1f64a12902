'use strict'

/**
 * Uploads in parts: a partial file beside the target, as large as the object from the beginning, into which every part is written
 * at its place. It gets the target's name once it is complete and on the disk; until then the target stays as it is.
 */

const { constants } = require('node:fs')
const { open, unlink } = require('node:fs/promises')
const { fileEtag, newPartialId, publish } = require('../../files')
const { codeOf } = require('./explain')
const { modeFor } = require('./modes')
const { folderOf, nameOf, readUploadId } = require('./partials')
const { checkRoom } = require('./room')
const { refuseTags } = require('./requests')
const { setTimes } = require('./times')
const { XferError } = require('./words')
const { createPending } = require('./pending')
const { sumRange } = require('./ranges')

/** @typedef {import('../../types').Store} Store */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
/** Of a file that gets its permissions once it is complete: nobody else reads it before. */
const OWN = 0o600

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {ReturnType<typeof import('./files').createFiles>} of.files
 * @param {ReturnType<typeof import('./in-place').createInPlace>} [of.inPlace] absent: files are written beside their targets
 * @param {boolean} of.preserveMode
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads({ paths, facts, files, inPlace, preserveMode }) {
  /**
   * @param {string} key
   * @param {string} name of the file that is written: a partial file, or the target itself
   * @param {(at: { folder: import('../../files/folder').Folder, target: string, partial: string }) => Promise<T>} use
   * @template T
   */
  async function beside(key, name, use) {
    return await files.at(key, (target, folder) => use({ folder, target, partial: folder.at(name) }), { of: 'write' })
  }

  /** Nothing has the name, or a socket has it. @param {string} key @param {unknown} cause @returns {never} */
  function gone(key, cause) {
    const storeCode = codeOf(cause)
    if (storeCode !== 'ENOENT' && storeCode !== 'ENXIO') throw cause
    throw new XferError('UPLOAD_GONE', { ...facts, key, path: `/${key}`, storeCode }, { cause })
  }

  /**
   * Opens what an upload writes.
   *
   * @param {string} path
   * @param {{ key: string, flags: number, inode?: bigint }} how inode: it must have this one
   */
  async function openUpload(path, { key, flags, inode }) {
    // A named pipe is not waited for.
    const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK).catch(cause => gone(key, cause))
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile() && (inode === undefined || stats.ino === inode)) return handle
    await handle.close()
    throw new XferError('UPLOAD_GONE', { ...facts, key, path: `/${key}` })
  }

  /**
   * The system tells only once that it could not write: the next sync would succeed without the bytes. So they are dropped.
   *
   * @param {import('node:fs/promises').FileHandle} handle
   * @param {{ key: string, partial: string, inode?: bigint }} upload
   * @throws {XferError} FILE_SYNC_FAILED
   */
  async function putOnDisk(handle, { key, partial, inode }) {
    try {
      await handle.sync()
    } catch (cause) {
      // The error makes the job end, also if this fails.
      await (inode === undefined ? unlink(partial) : handle.truncate(0)).catch(() => {})
      throw new XferError(
        'FILE_SYNC_FAILED',
        { ...facts, key, path: `/${key}`, of: 'write', storeCode: codeOf(cause) },
        { cause },
      )
    }
  }

  /** @param {import('../../types').ObjectAttributes} attributes @returns {number | undefined} the permissions to give */
  const modeOf = attributes => (preserveMode ? modeFor(attributes) : undefined)

  /** @param {{ target: string, partial: string, key: string }} at @param {import('../../types').WriteCondition} condition */
  async function giveName({ target, partial, key }, condition) {
    await files.refuseOther(target, key)
    await publish(partial, target, condition).catch(cause => {
      if (!['EXISTS', 'CHANGED'].includes(codeOf(cause))) throw cause
      throw new XferError('DESTINATION_EXISTS', { ...facts, key, path: `/${key}`, status: 412 })
    })
  }

  return {
    async create({ key, attributes, bytes = 0 }) {
      refuseTags(attributes, facts)
      paths.locateTarget(key)
      await files.makeFolder(folderOf(key))
      const mode = modeOf(attributes) === undefined ? 0o666 : OWN
      if (inPlace) {
        const place = { of: /** @type {const} */ ('write') }
        const how = { key, bytes, mode }
        const id = await files.at(key, (at, folder) => inPlace.create(at, { ...how, folder: folder.at('.') }), place)
        return { id, checksums: false }
      }
      const id = `${newPartialId(nameOf(key))}.${bytes}`
      await beside(key, readUploadId(id).name, async ({ folder, target, partial }) => {
        await files.refuseOther(target, key)
        await checkRoom(folder.at('.'), { key, bytes, facts })
        const handle = await open(partial, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, mode)
        try {
          await handle.truncate(bytes)
        } finally {
          await handle.close()
        }
      })
      return { id, checksums: false }
    },

    async parts({ key, uploadId, marker = '0', most, ranges = [] }, { signal } = {}) {
      const { name, inode } = readUploadId(uploadId, key)
      return await beside(key, name, async ({ target, partial }) => {
        if (inode === undefined) await files.refuseOther(target, key)
        const handle = await openUpload(partial, { key, flags: O_RDONLY, inode })
        try {
          const wanted = ranges.filter(({ partNumber }) => partNumber > Number(marker))
          const page = most === undefined ? wanted : wanted.slice(0, most)
          const parts = []
          for (const range of page) {
            signal?.throwIfAborted()
            const found = await sumRange(handle, range, signal)
            if (found) parts.push({ partNumber: range.partNumber, etag: '', ...found })
          }
          return { parts, next: page.length < wanted.length ? String(page.at(-1)?.partNumber) : undefined }
        } finally {
          await handle.close()
        }
      })
    },

    async complete({ key, uploadId, bytes, attributes, condition = {} }) {
      const { name, inode } = readUploadId(uploadId, key)
      return await beside(key, name, async ({ folder, target, partial }) => {
        const handle = await openUpload(partial, { key, flags: O_RDWR, inode })
        try {
          const { size } = await handle.stat()
          if (size !== bytes) {
            const reason = `the file that was written has ${size} bytes, and not ${bytes}`
            throw new XferError('STORE_REFUSED', {
              ...facts,
              key,
              status: 400,
              reason,
              partsDiffer: true,
              completes: true,
            })
          }
          const mode = modeOf(attributes)
          if (mode !== undefined) await handle.chmod(mode)
          await setTimes(handle, attributes)
          await putOnDisk(handle, { key, partial, inode })
          if (inode === undefined) await giveName({ target, partial, key }, condition)
          await folder.sync()
          return { etag: fileEtag(await handle.stat({ bigint: true })) }
        } finally {
          await handle.close()
        }
      })
    },

    async abort({ key, uploadId }) {
      const { name, inode } = readUploadId(uploadId, key)
      // What the target had is gone already.
      if (inode !== undefined) return
      await beside(key, name, ({ partial }) => unlink(partial).catch(cause => gone(key, cause)))
    },

    pending: createPending({ paths, facts }),
  }
}

module.exports = { createUploads }

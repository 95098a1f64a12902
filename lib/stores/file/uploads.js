'use strict'

/**
 * Uploads in parts: a partial file beside the target, as large as the object from the beginning, into which every part is written
 * at its place. It gets the target's name once it is complete and on the disk; until then the target stays as it is.
 */

const { constants } = require('node:fs')
const { lstat, open, statfs, unlink } = require('node:fs/promises')
const { fileEtag, newPartialId, publish } = require('../../files')
const { codeOf } = require('./explain')
const { folderOf, nameOf, readUploadId } = require('./partials')
const { refuseTags } = require('./requests')
const { setTimes } = require('./times')
const { XferError } = require('./words')
const { createPending } = require('./pending')
const { sumRange } = require('./ranges')

/** @typedef {import('../../types').Store} Store */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants

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
   * @param {string} name of the partial file
   * @param {(at: { folder: import('../../files/folder').Folder, target: string, partial: string }) => Promise<T>} use
   * @template T
   */
  async function beside(key, name, use) {
    return await files.at(key, (target, folder) => use({ folder, target, partial: folder.at(name) }), { of: 'write' })
  }

  /** @param {string} key @param {unknown} cause @returns {never} */
  function gone(key, cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    throw new XferError('UPLOAD_GONE', { ...facts, key, path: `/${key}`, storeCode: 'ENOENT' }, { cause })
  }

  /** A full disk is found before the first byte. @param {string} folder @param {string} key @param {number} bytes */
  async function checkRoom(folder, key, bytes) {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < bytes)
      throw new XferError('DISK_FULL', { ...facts, key, path: `/${key}`, storeCode: 'ENOSPC', free, bytes })
  }

  /** @param {string} target @param {string} key */
  async function refuseFolder(target, key) {
    const found = await lstat(target).catch(cause => {
      if (codeOf(cause) !== 'ENOENT') throw cause
    })
    if (found?.isDirectory()) throw new XferError('NOT_A_FILE', { ...facts, key, path: `/${key}`, what: 'is a folder' })
  }

  /** @param {{ target: string, partial: string, key: string }} at @param {import('../../types').WriteCondition} condition */
  async function giveName({ target, partial, key }, condition) {
    await publish(partial, target, condition).catch(cause => {
      if (!['EXISTS', 'CHANGED'].includes(codeOf(cause))) throw cause
      throw new XferError('DESTINATION_EXISTS', { ...facts, key, path: `/${key}`, status: 412 })
    })
  }

  return {
    async create({ key, attributes, bytes = 0 }) {
      refuseTags(attributes, facts)
      await files.makeFolder(folderOf(key))
      const id = `${newPartialId(nameOf(key))}.${bytes}`
      await beside(key, readUploadId(id).name, async ({ folder, target, partial }) => {
        await refuseFolder(target, key)
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
      return await beside(key, readUploadId(uploadId).name, async ({ partial }) => {
        const handle = await open(partial, O_RDONLY | O_NOFOLLOW).catch(cause => gone(key, cause))
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
      return await beside(key, readUploadId(uploadId).name, async ({ folder, target, partial }) => {
        const handle = await open(partial, O_RDWR | O_NOFOLLOW).catch(cause => gone(key, cause))
        try {
          const { size } = await handle.stat()
          if (size !== bytes) {
            const reason = `the partial file has ${size} bytes, and not ${bytes}`
            throw new XferError('STORE_REFUSED', {
              ...facts,
              key,
              status: 400,
              reason,
              partsDiffer: true,
              completes: true,
            })
          }
          await setTimes(handle, attributes)
          await handle.sync()
          await giveName({ target, partial, key }, condition)
          await folder.sync()
          return { etag: fileEtag(await handle.stat({ bigint: true })) }
        } finally {
          await handle.close()
        }
      })
    },

    async abort({ key, uploadId }) {
      await beside(key, readUploadId(uploadId).name, ({ partial }) => unlink(partial).catch(cause => gone(key, cause)))
    },

    pending: createPending({ paths, facts }),
  }
}

module.exports = { createUploads }

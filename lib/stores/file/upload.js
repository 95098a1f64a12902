'use strict'

/**
 * Uploads in parts: a partial file beside the target, as large as the object from the beginning, into which every part is written
 * at its place. It gets the target's name once it is complete and on the disk; until then the target stays as it is. And what a killed
 * process leaves of files that it was writing in one piece: their ids have a mark of their job. A partial file of an upload in parts has
 * none: the journal knows it.
 */

const { constants } = require('node:fs')
const { lstat, open, readdir, statfs, unlink } = require('node:fs/promises')
const { createSums } = require('../../../actions/copy-range/copy')
const {
  beginningOf,
  codeOf,
  fileEtag,
  inFolder,
  newPartialId,
  ownerMark,
  ownerOf,
  partialIdOf,
  publish,
} = require('../../files')
const { mtime } = require('../common')
const { XferError, explainCall } = require('./explain')
const { folderOf, nameOf, readUploadId } = require('./place')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').StoredUpload} StoredUpload */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
/** Read at once, of what a partial file has. */
const PIECE_BYTES = 4 * 1024 ** 2

/**
 * @param {object} of
 * @param {import('./place').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {import('./store').Files} of.files
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

  /**
   * @param {string} folder its key, with a slash at the end
   * @param {string} prefix
   * @param {AbortSignal} [signal]
   * @returns {Promise<StoredUpload[]>} partial files of a target, or all below a prefix
   */
  async function below(folder, prefix, signal) {
    signal?.throwIfAborted()
    /** @type {string[]} */
    const folders = []
    /** @type {StoredUpload[]} */
    const uploads = []
    await inFolder(paths.folder(folder), { root: paths.root }, async ({ at }) => {
      const path = at('.')
      const entries = await readdir(path, { withFileTypes: true })
      for (const entry of entries) if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`)
      const targets = targetsOf(entries, folder === folderOf(prefix) ? nameOf(prefix) : '')
      for (const { name } of entries) {
        const id = partialIdOf(name)
        if (id === undefined) continue
        const stats = await lstat(`${path}/${name}`).catch(() => undefined)
        // A partial file whose target is not there yet tells no name.
        const key = folder + (targets.get(id.slice(0, 8)) ?? name)
        if (stats?.isFile() && key.startsWith(prefix))
          uploads.push({ key, id: `${id}.${stats.size}`, initiatedMs: stats.birthtimeMs || stats.mtimeMs })
      }
    }).catch(cause => {
      if (!['ENOENT', 'ENOTDIR', 'LINK'].includes(codeOf(cause))) {
        throw explainCall(cause, { key: folder, of: 'read' }, facts)
      }
    })
    for (const inner of folders) {
      if (inner.startsWith(prefix) || prefix.startsWith(inner)) uploads.push(...(await below(inner, prefix, signal)))
    }
    return uploads
  }

  return {
    async create({ key, bytes = 0 }) {
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
        return await withUpload(partial, { key, flags: O_RDONLY }, async handle => {
          await files.refuseOther(target, key)
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

    async pending({ prefix }, { signal } = {}) {
      const folder = folderOf(prefix)
      return { uploads: folder.startsWith(paths.base) ? await below(folder, prefix, signal) : [] }
    },
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

/**
 * The names of files by the beginning of their partial files' ids.
 *
 * @param {import('node:fs').Dirent[]} entries
 * @param {string} wanted a name that may not be there yet; '' for none
 * @returns {Map<string, string>}
 */
function targetsOf(entries, wanted) {
  if (!entries.some(({ name }) => partialIdOf(name) !== undefined)) return new Map()
  const names = entries.filter(entry => entry.isFile() && partialIdOf(entry.name) === undefined).map(({ name }) => name)
  return new Map([...names, ...(wanted === '' ? [] : [wanted])].map(name => [beginningOf(name), name]))
}

/**
 * @param {Pick<Store['upload'], 'pending' | 'abort'>} uploads
 * @returns {NonNullable<Store['leftovers']> & { header: () => Record<string, string> }} header: of the requests that write whole files
 */
function createLeftovers({ pending, abort }) {
  /** @type {string | undefined} */
  let mark
  return {
    header: () => /** @type {Record<string, string>} */ (mark === undefined ? {} : { 'x-owner': mark }),
    note(job) {
      mark = ownerMark(job)
    },
    async sweep(prefix, options) {
      const { uploads } = await pending({ prefix }, options)
      for (const { key, id } of uploads.filter(upload => ownerOf(upload.id) === mark)) {
        await abort?.({ key, uploadId: id }, options).catch(error => {
          if (error.code !== 'UPLOAD_GONE') throw error
        })
      }
    },
  }
}

/** @param {import('node:fs/promises').FileHandle} handle @param {import('../../types').ObjectAttributes} attributes */
async function setTimes(handle, attributes) {
  const seconds = mtime.MTIME_IN_SECONDS.read(attributes.metadata.user)
  // As a text: Node.js takes a negative number for the present.
  if (seconds !== undefined) await handle.utimes(Date.now() / 1000, seconds)
}

module.exports = { createLeftovers, createUploads }

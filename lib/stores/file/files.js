'use strict'

/** Single files: what each is, what describes it, its time, and its removal. The folders that removed files were in stay. */

const fs = require('node:fs')
const { lstat, readlink, stat, unlink } = require('node:fs/promises')
const { promisify } = require('node:util')
const { mtime, removeEach } = require('../common')
const { codeOf, fileEtag, inFolder, isEtagOf, sourceEtag } = require('../../files')
const { explainCall } = require('./explain')
const { XferError, linkFacts } = require('./words')

/** @typedef {import('node:fs').BigIntStats} Stats */

/** Where /dev/stdin, /dev/stdout and /dev/fd lead, on Linux. */
const OF_PROCESSES = '/proc/'

// Of all objects of a prefix; the handles of node:fs/promises cost more.
const [close, fstat, futimes, open] = [fs.close, fs.fstat, fs.futimes, fs.open].map(
  call => /** @type {(...args: any[]) => Promise<any>} */ (promisify(call)),
)
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 */
function createFiles({ paths, facts, followLinks }) {
  /** The user named this file, and means what it leads to. @param {string} key */
  const follows = key => followLinks || (facts.side === 'source' && key === paths.named)

  /**
   * @param {string} key
   * @param {(path: string, folder: import('../../files/folder').Folder) => Promise<T>} use gets a path of the file that stays good
   *   until it resolves, and its folder
   * @param {{ of?: 'read' | 'write' }} [how]
   * @template T
   * @returns {Promise<T>}
   */
  async function at(key, use, { of = 'read' } = {}) {
    const { root, folder, name } = paths.locate(key)
    try {
      return await inFolder(folder, followLinks ? {} : { root }, at => use(at.at(name), at))
    } catch (cause) {
      const error = explainCall(cause, { key, of }, facts)
      const below = facts.side === 'source' && paths.named === undefined
      if (!below || error.code !== 'NO_SUCH_KEY' || fs.existsSync(root)) throw error
      throw new XferError('NO_SUCH_BUCKET', { ...facts, path: root }, { cause })
    }
  }

  /** @param {string} path @param {string} key @returns {Promise<Stats>} of a file */
  async function statFile(path, key) {
    const found = await (follows(key) ? stat : lstat)(path, { bigint: true })
    if (found.isFile()) return found
    if (found.isDirectory()) throw paths.fault('NO_SUCH_KEY', key, { what: 'a folder' })
    const other = found.isSymbolicLink() ? linkFacts(facts.side) : { what: 'is a device, a pipe or a socket' }
    throw paths.fault('NOT_A_FILE', key, other)
  }

  /** @type {import('../contract').Store['remove']} */
  async function remove({ key, etag }) {
    /** @param {string} path */
    const unlinkFile = async path => {
      const found = await lstat(path, { bigint: true })
      if (found.isDirectory()) throw paths.fault('NOT_A_FILE', key, { what: 'is a folder' })
      if (etag !== undefined && !isEtagOf(etag, found)) throw paths.fault('DESTINATION_EXISTS', key, { status: 412 })
      await unlink(path)
    }
    await at(key, unlinkFile, { of: 'write' }).catch(cause => {
      if (cause.code !== 'NO_SUCH_KEY' || etag !== undefined) throw cause
    })
  }

  return {
    at,
    remove,

    /** @type {import('../contract').Store['removeAll']} */
    removeAll: async (keys, { signal } = {}) => await removeEach(keys, key => remove({ key }), signal),

    /** @type {import('../../types').Store['head']} */
    async head(key) {
      if (key === '' || key.endsWith('/')) throw paths.fault('NO_SUCH_KEY', key, { what: 'a folder' })
      const stats = await at(key, async path => await statFile(path, key))
      const identity = `${stats.dev}-${stats.ino}`
      return { ...entryOf(stats, facts), conditionEtag: fileEtag(stats), metadata: metadataOf(key, stats), identity }
    },

    follows,

    /**
     * A rename would replace it. A link is replaced, and what it leads to is left; but not /dev/stdout and its like.
     *
     * @param {string} path of a target
     * @param {string} key
     * @throws {XferError} NOT_A_FILE: a folder, a device, a pipe, a socket or a link to an open file of a process is there
     */
    async refuseOther(path, key) {
      const found = await lstat(path).catch(cause => {
        if (codeOf(cause) !== 'ENOENT') throw cause
      })
      if (!found || found.isFile()) return
      const link = found.isSymbolicLink() ? await readlink(path) : undefined
      if (link !== undefined && !link.startsWith(OF_PROCESSES)) return
      const other = found.isDirectory() ? 'is a folder' : 'is a device, a pipe or a socket'
      const what = link === undefined ? other : 'leads to an open file of a process; standard output is -'
      throw paths.fault('NOT_A_FILE', key, { what })
    },

    /** @type {NonNullable<import('../../types').Store['setTime']>} */
    async setTime({ key, etag, seconds }) {
      return await at(key, path => correctTime(path, { etag, seconds }), { of: 'write' })
    },

    /** @param {string} key with a slash at the end */
    async makeFolder(key) {
      const { root, folder } = paths.locateTarget(`${key}x`)
      await inFolder(folder, { root, make: true }, async () => {}).catch(cause => {
        throw explainCall(cause, { key, of: 'write' }, facts)
      })
    },
  }
}

/** @param {Stats} stats @param {Record<string, any>} facts of the store */
function entryOf(stats, { side }) {
  const etag = side === 'source' ? sourceEtag(stats) : fileEtag(stats)
  return { bytes: Number(stats.size), etag, lastModifiedMs: Number(stats.mtimeNs / 1_000_000n) }
}

/** @param {string} key @param {Stats} stats @returns {import('../../types').ObjectMetadata} */
function metadataOf(key, { mtimeNs }) {
  return {
    // Of an upload alone: the list of types takes a while to load.
    get headers() {
      return typeHeaders(key)
    },
    user: mtime.MTIME_IN_SECONDS.write(mtime.secondsOfNanos(mtimeNs)),
  }
}

/**
 * The type of a file, without a charset: nobody knows the encoding of a text.
 * @param {string} key
 * @returns {Record<string, string>} the header, if the type is known
 */
function typeHeaders(key) {
  const [, ending = ''] = /[^/]\.([A-Za-z0-9]{1,16})$/.exec(key) ?? []
  if (ending === '') return {}
  // The list of types takes a while to load.
  const type = require('mime-types').lookup(ending)
  return type ? { 'content-type': type } : {}
}

/** @param {import('node:fs/promises').FileHandle} handle @param {import('../../types').ObjectAttributes} attributes */
async function setTimes(handle, attributes) {
  const seconds = mtime.MTIME_IN_SECONDS.read(attributes.metadata.user)
  // As a text: Node.js takes a negative number for the present.
  if (seconds !== undefined) await handle.utimes(Date.now() / 1000, seconds)
}

/**
 * Gives a file another time, unless somebody has written it since it had that ETag.
 *
 * @param {string} path
 * @param {{ etag: string, seconds: string }} to
 * @returns {Promise<string>} its ETag now; that of before if it was left as it is
 */
async function correctTime(path, { etag, seconds }) {
  // To set its time, its owner need not be able to write it. Who put a named pipe there is not waited for.
  const fd = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (fileEtag(await fstat(fd, { bigint: true })) !== etag) return etag
    await futimes(fd, Date.now() / 1000, seconds)
    return fileEtag(await fstat(fd, { bigint: true }))
  } finally {
    // Nobody waits for it.
    close(fd).catch(() => {})
  }
}

module.exports = { createFiles, entryOf, metadataOf, setTimes, typeHeaders }

'use strict'

/** Looks at single files: what each is, and what describes it. */

const { existsSync } = require('node:fs')
const { lstat, readlink, stat } = require('node:fs/promises')
const { mtime } = require('../common')
const { fileEtag, sourceEtag } = require('../../files')
const { typeHeaders } = require('./content-types')
const { codeOf, explainCall } = require('./explain')
const { modeMetadata } = require('./modes')
const { inFolder } = require('./in-folder')
const { correctTime } = require('./times')
const { XferError } = require('./words')

/** @typedef {import('node:fs').BigIntStats} Stats */

/** Where /dev/stdin, /dev/stdout and /dev/fd lead, on Linux. */
const OF_PROCESSES = '/proc/'

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 * @param {boolean} of.preserveMode
 */
function createFiles({ paths, facts, followLinks, preserveMode }) {
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
      if (!below || error.code !== 'NO_SUCH_KEY' || existsSync(root)) throw error
      throw new XferError('NO_SUCH_BUCKET', { ...facts, path: root }, { cause })
    }
  }

  /** @param {string} path @param {string} key @returns {Promise<Stats>} of a file */
  async function statFile(path, key) {
    const found = await (follows(key) ? stat : lstat)(path, { bigint: true })
    if (found.isFile()) return found
    if (found.isDirectory()) throw new XferError('NO_SUCH_KEY', { ...facts, key, path: `/${key}`, what: 'a folder' })
    const code = found.isSymbolicLink() ? 'FILE_LINK' : 'NOT_A_FILE'
    throw new XferError(code, { ...facts, key, path: `/${key}`, what: 'is a device, a pipe or a socket' })
  }

  return {
    at,

    /** @type {import('../../types').Store['head']} */
    async head(key) {
      if (key === '' || key.endsWith('/')) {
        throw new XferError('NO_SUCH_KEY', { ...facts, key, path: `/${key}`, what: 'a folder' })
      }
      return await at(key, async path => headOf(key, await statFile(path, key), { facts, preserveMode }))
    },

    /** @param {string} key @returns {Promise<Stats>} */
    stats: async key => await at(key, async path => await statFile(path, key)),

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
      throw new XferError('NOT_A_FILE', { ...facts, key, path: `/${key}`, what })
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

/**
 * @param {string} key
 * @param {Stats} stats
 * @param {{ facts: Record<string, any>, preserveMode: boolean }} of facts: of the store
 * @returns {import('../../types').ObjectHead}
 */
function headOf(key, stats, { facts, preserveMode }) {
  const { dev, ino } = stats
  const metadata = metadataOf(key, stats, preserveMode)
  return { ...entryOf(stats, facts), conditionEtag: fileEtag(stats), metadata, identity: `${dev}-${ino}` }
}

/** @param {Stats} stats @param {Record<string, any>} facts of the store */
function entryOf(stats, { side }) {
  const etag = side === 'source' ? sourceEtag(stats) : fileEtag(stats)
  return { bytes: Number(stats.size), etag, lastModifiedMs: Number(stats.mtimeNs / 1_000_000n) }
}

/** @param {string} key @param {Stats} stats @param {boolean} preserveMode @returns {import('../../types').ObjectMetadata} */
function metadataOf(key, { mode, mtimeNs }, preserveMode) {
  return {
    // Of an upload alone: the list of types takes a while to load.
    get headers() {
      return typeHeaders(key)
    },
    user: { ...mtime.MTIME_IN_SECONDS.write(secondsOf(mtimeNs)), ...(preserveMode && modeMetadata(mode)) },
  }
}

/** @param {bigint} nanos since the epoch @returns {string} seconds */
function secondsOf(nanos) {
  const size = nanos < 0n ? -nanos : nanos
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`
}

module.exports = { createFiles, entryOf, metadataOf }

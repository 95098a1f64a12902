'use strict'

/**
 * Lists the files below a prefix, in the order of the UTF-8 bytes of their keys, page by page; what describes a file; and what the lists leave out. The walk
 * holds the names of the folders that it is in, each sorted when it is entered, and nothing open.
 */

const { lstat, readdir, stat } = require('node:fs/promises')
const { asXferError } = require('../../errors')
const { codeOf, fileEtag, inFolder, partialIdOf, sourceEtag } = require('../../files')
const { compareNames } = require('../../listing')
const { notice } = require('../../notices')
const { mtime } = require('../common')
const { XferError, explainCall } = require('./explain')
const { folderOf, keyFault } = require('./place')

/** Files in a page. */
const PAGE = 1000
/** Walks that are kept, each to go on where its last page ended. */
const MOST_WALKS = 64

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {import('node:fs').BigIntStats} ListedStats */

/**
 * @param {object} of
 * @param {import('./place').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 */
function createList({ paths, facts, followLinks }) {
  /** By the last key of their last page, and their prefix. @type {Map<string, ReturnType<typeof walk>>} */
  const walks = new Map()
  const left = { links: new Set(), special: new Set() }
  /** Keys that are no UTF-8, and folders that cannot be read: the page that meets them tells them. @type {ListedObject[]} */
  let unreadable = []

  /** @param {string} folder its key, with a slash at the end @param {(path: string) => Promise<T>} use @template T @returns {Promise<T>} */
  async function inside(folder, use) {
    return await inFolder(paths.folder(folder), followLinks ? {} : { root: paths.root }, ({ at }) => use(at('.')))
  }

  /** @param {string} folder @returns {Promise<string[]>} */
  async function read(folder) {
    if (!folder.startsWith(paths.base)) return []
    try {
      return await inside(folder, async path => {
        if (followLinks && (await isLoop(folder, path))) return []
        const { names, ...odd } = await readFolder(path, { follow: followLinks })
        if (odd.links > 0) left.links.add(folder)
        if (odd.special > 0) left.special.add(folder)
        unreadable.push(...odd.unreadable.map(name => oddOf(folder + name)))
        return names
      })
    } catch (cause) {
      const code = codeOf(cause)
      const isRoot = folder === paths.base
      if (isRoot && code === 'ENOENT' && facts.side === 'source')
        throw new XferError('NO_SUCH_BUCKET', { ...facts, path: paths.root })
      // It was removed meanwhile, or there is a file of this name.
      if (['ENOENT', 'ENOTDIR'].includes(code)) return []
      const error = explainCall(cause, { key: folder, of: 'read' }, facts)
      if (isRoot || !mayFail(cause)) throw error
      unreadable.push(oddOf(folder, error))
      return []
    }
  }

  /** Whether the rest is copied without it. @param {unknown} cause */
  function mayFail(cause) {
    return facts.side === 'source' && DENIED.includes(codeOf(cause))
  }

  /** Whether a link led to one of the folders above. @param {string} folder @param {string} path */
  async function isLoop(folder, path) {
    const own = await stat(path, { bigint: true })
    for (let above = folder; above !== paths.base; ) {
      above = folderOf(above.slice(0, -1))
      const found = await stat(`/${above}`, { bigint: true })
      if (found.dev === own.dev && found.ino === own.ino) return true
    }
    return false
  }

  /** @param {string[]} keys of one folder @param {string} folder @returns {Promise<Array<ListedObject | undefined>>} undefined: it is gone */
  async function statAll(keys, folder) {
    return await inside(folder, path =>
      Promise.all(
        keys.map(async key => {
          const own = `${path}/${key.slice(folder.length)}`
          const stats = await (followLinks ? stat : lstat)(own, { bigint: true }).catch(cause => {
            if (codeOf(cause) === 'ENOENT') return
            const error = explainCall(cause, { key, of: 'read' }, facts)
            if (!mayFail(cause)) throw error
            unreadable.push(oddOf(key, error))
          })
          if (!stats?.isFile()) return undefined
          return { key, ...entryOf(stats, facts), storageClass: undefined, metadata: metadataOf(key, stats) }
        }),
      ),
    ).catch(cause => {
      if (['ENOENT', 'ENOTDIR', 'LINK'].includes(codeOf(cause))) return []
      throw asXferError(cause)
    })
  }

  /** @param {string[]} keys in order */
  async function describe(keys) {
    /** @type {ListedObject[]} */
    const objects = []
    for (let at = 0; at < keys.length; ) {
      const folder = folderOf(keys[at])
      let end = at + 1
      while (end < keys.length && folderOf(keys[end]) === folder) end++
      for (const object of await statAll(keys.slice(at, end), folder)) if (object) objects.push(object)
      at = end
    }
    return objects
  }

  return {
    /** @type {import('../../types').ListObjects} */
    async list({ prefix, marker, after, most = PAGE, delimiter, skips }, { signal } = {}) {
      signal?.throwIfAborted()
      const flat = delimiter === '/'
      const place = `${prefix}\0${flat}`
      const found = walks.get(`${place}\0${marker}`) ?? walk({ prefix, after: marker ?? after, flat, skips, read })
      walks.delete(`${place}\0${marker}`)
      /** @type {string[]} */
      const keys = []
      let ended = false
      while (!ended && keys.length < most) {
        const { value: key, done } = await found.next()
        if (key !== undefined) keys.push(key)
        ended = done === true
      }
      const prefixes = keys.filter(key => key.endsWith('/'))
      const objects = await describe(keys.filter(key => !key.endsWith('/')))
      const odd = unreadable
      unreadable = []
      const next = ended ? undefined : keys.at(-1)
      if (next !== undefined) walks.set(`${place}\0${next}`, found)
      if (walks.size > MOST_WALKS) walks.delete(/** @type {string} */ (walks.keys().next().value))
      return { objects: [...objects, ...odd], ...(flat && { prefixes }), next }
    },

    /** What the lists have left out so far. @returns {import('../../types').Notice[]} */
    notices() {
      /** @param {Set<string>} folders @param {object} more */
      const skipped = ([first], more) =>
        first === undefined ? [] : [notice('FILES_SKIPPED', { location: paths.root, folder: `/${first}`, ...more })]
      return [
        ...skipped(left.links, followLinks ? { followed: true } : {}),
        ...skipped(left.special, { special: true }),
      ]
    },

    /**
     * What lists leave out: links that are not followed or lead nowhere, what lies behind them, what is no file, and what
     * cannot be looked at.
     * @type {NonNullable<import('../contract').Store['leavesOut']>}
     */
    async leavesOut(key) {
      if (keyFault(key) !== undefined) return false
      const names = key.slice(paths.base.length).replace(/\/$/, '').split('/')
      let path = paths.root === '/' ? '' : paths.root
      try {
        for (const [index, name] of names.entries()) {
          path += `/${name}`
          const found =
            (followLinks && (await stat(path).catch(unlessNowhere))) || (await lstat(path).catch(unlessNowhere))
          if (!found) return false
          if (found.isFile()) return index === names.length - 1 && !key.endsWith('/')
          if (!found.isDirectory()) return true
        }
      } catch (cause) {
        if (mayFail(cause)) return true
        throw explainCall(cause, { key, of: 'read' }, facts)
      }
      return false
    },
  }
}

/** Names with such characters: JavaScript sorts them in another order than UTF-8. */
const HIGH = /[\ud800-\uffff]/
/** The character that replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd'
/** Codes that mean: nothing is there, or a link that leads nowhere or to itself. */
const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP']

/** Codes that mean: a folder or file is there but cannot be read. It belongs to another user, or its disk or server fails. */
const DENIED = ['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTCONN']

/** @param {string} key @param {import('../../types').XferError} [cause] @returns {ListedObject} */
const oddOf = (key, cause) => ({ key, bytes: 0, etag: '', doubtful: true, cause })

/**
 * The keys below a prefix, in order, each when it is asked for.
 *
 * @param {object} of
 * @param {string} of.prefix of the keys
 * @param {string} [of.after] keys up to this one are left out
 * @param {boolean} [of.flat] folders below the prefix are not entered: their keys, with a slash at the end, stand for them
 * @param {(folder: string) => boolean} [of.skips] whether a folder is not entered
 * @param {(folder: string) => Promise<string[]>} of.read the names of a folder, in order; none where there is no such folder
 */
async function* walk({ prefix, after = '', flat = false, skips, read }) {
  /** @param {string} key */
  const stands = key => !key.endsWith('/') || (flat && key.startsWith(prefix))
  /** @param {string} key */
  function wanted(key) {
    const later = compareNames(key, after) > 0
    if (stands(key)) return key.startsWith(prefix) && later
    return (key.startsWith(prefix) || prefix.startsWith(key)) && (later || after.startsWith(key))
  }
  /** @param {string} folder */
  async function namesOf(folder) {
    const names = (await read(folder)).filter(name => wanted(folder + name))
    return { folder, names: names.values() }
  }
  const levels = [await namesOf(folderOf(prefix))]
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { value: name, done } = level.names.next()
    const key = level.folder + name
    if (done) levels.pop()
    else if (stands(key)) yield key
    else if (!skips?.(key)) levels.push(await namesOf(key))
  }
}

/**
 * @typedef {object} Entries
 * @property {string[]} names of files, and of folders with a slash at the end, in order
 * @property {string[]} unreadable names that are no UTF-8, as far as they can be shown
 * @property {number} links those that are not followed
 * @property {number} special devices, pipes and sockets
 */

/**
 * @param {string} path
 * @param {{ follow: boolean }} how
 * @returns {Promise<Entries>}
 */
async function readFolder(path, { follow }) {
  const entries = await readdir(path, { withFileTypes: true })
  const unreadable = entries.some(({ name }) => name.includes(REPLACEMENT)) ? await notUtf8(path) : new Set()
  /** @type {Entries} */
  const found = { names: [], unreadable: [], links: 0, special: 0 }
  for (const entry of entries) {
    const { name } = entry
    if (unreadable.has(name)) found.unreadable.push(name)
    else if (partialIdOf(name) !== undefined) continue
    else if (entry.isFile()) found.names.push(name)
    else if (entry.isDirectory()) found.names.push(`${name}/`)
    else if (entry.isSymbolicLink() && follow) await addTarget(found, path, name)
    else if (entry.isSymbolicLink()) found.links++
    else found.special++
  }
  found.names.some(name => HIGH.test(name)) ? found.names.sort(compareNames) : found.names.sort()
  return found
}

/** @param {Entries} found @param {string} path @param {string} name of a link */
async function addTarget(found, path, name) {
  const target = await stat(`${path}/${name}`).catch(unlessNowhere)
  if (target?.isFile()) found.names.push(name)
  else if (target?.isDirectory()) found.names.push(`${name}/`)
  else if (target) found.special++
  // It leads nowhere, or to itself.
  else found.links++
}

/** @param {string} path @returns {Promise<Set<string>>} */
async function notUtf8(path) {
  const names = await readdir(path, { encoding: 'buffer' })
  return new Set(names.filter(name => !Buffer.from(name.toString()).equals(name)).map(name => name.toString()))
}

/** What cannot be looked at may be there. @param {unknown} cause */
function unlessNowhere(cause) {
  if (!NOWHERE.includes(codeOf(cause))) throw cause
}

/** @param {ListedStats} stats @param {Record<string, any>} facts of the store */
function entryOf(stats, { side }) {
  const etag = side === 'source' ? sourceEtag(stats) : fileEtag(stats)
  const [lastModifiedMs, changedMs] = [stats.mtimeNs, stats.ctimeNs].map(ns => Number(ns / 1_000_000n))
  return { bytes: Number(stats.size), etag, lastModifiedMs, changedMs }
}

/** @param {string} key @param {ListedStats} stats @returns {import('../../types').ObjectMetadata} */
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

module.exports = { createList, entryOf, metadataOf, typeHeaders }

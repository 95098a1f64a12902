'use strict'

/** Lists the files below a prefix, in the order of the UTF-8 bytes of their keys, page by page; and what the lists leave out. */

const { lstat, stat } = require('node:fs/promises')
const { XferError, asXferError } = require('../../errors')
const { notice } = require('../../notices')
const { explainCall } = require('./explain')
const { entryOf, metadataOf } = require('./files')
const { codeOf, inFolder } = require('../../files')
const { folderOf } = require('./paths')
const { keyFault } = require('./place')
const { createWalk, readFolder, unlessNowhere } = require('./walk')

/** Files in a page. */
const PAGE = 1000
/** Walks that are kept, each to go on where its last page ended. */
const MOST_WALKS = 64
/** Links may lead back to a folder above. */
const MOST_DEPTH = 1000

/** @typedef {import('../../types').ListedObject} ListedObject */

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 */
function createList({ paths, facts, followLinks }) {
  /** By the last key of their last page, and their prefix. @type {Map<string, ReturnType<typeof createWalk>>} */
  const walks = new Map()
  const left = { links: new Set(), special: new Set() }
  /** Keys that are no UTF-8: the page that meets them tells them. @type {string[]} */
  let unreadable = []

  /** @param {string} folder its key, with a slash at the end @param {(path: string) => Promise<T>} use @template T @returns {Promise<T>} */
  async function inside(folder, use) {
    return await inFolder(paths.folder(folder), followLinks ? {} : { root: paths.root }, ({ at }) => use(at('.')))
  }

  /** @param {string} folder @returns {Promise<string[]>} */
  async function read(folder) {
    if (!folder.startsWith(paths.base)) return []
    if (followLinks && folder.split('/').length > MOST_DEPTH) return []
    try {
      return await inside(folder, async path => {
        if (followLinks && (await isLoop(folder, path))) return []
        const { names, ...odd } = await readFolder(path, { follow: followLinks })
        if (odd.links > 0) left.links.add(folder)
        if (odd.special > 0) left.special.add(folder)
        unreadable.push(...odd.unreadable.map(name => folder + name))
        return names
      })
    } catch (cause) {
      const code = codeOf(cause)
      const isRoot = folder === paths.base
      if (isRoot && code === 'ENOENT' && facts.side === 'source')
        throw new XferError('NO_SUCH_BUCKET', { ...facts, path: paths.root })
      // It was removed meanwhile, or there is a file of this name.
      if (['ENOENT', 'ENOTDIR'].includes(code)) return []
      throw explainCall(cause, { key: folder, of: 'read' }, facts)
    }
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
            if (codeOf(cause) !== 'ENOENT') throw explainCall(cause, { key, of: 'read' }, facts)
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
    async list({ prefix, marker, after, most = PAGE, delimiter }, { signal } = {}) {
      signal?.throwIfAborted()
      const from = marker ?? after
      const flat = delimiter === '/'
      const place = `${prefix}\0${flat}`
      const walk = walks.get(`${place}\0${marker}`) ?? createWalk({ prefix, after: from, flat, read })
      walks.delete(`${place}\0${marker}`)
      const { keys, ended } = await walk.next(most)
      const prefixes = keys.filter(key => key.endsWith('/'))
      const objects = await describe(keys.filter(key => !key.endsWith('/')))
      const odd = unreadable.map(key => ({ key, bytes: 0, etag: '', doubtful: true }))
      unreadable = []
      const next = ended ? undefined : keys.at(-1)
      if (next !== undefined) walks.set(`${place}\0${next}`, walk)
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
  }
}

/**
 * What lists leave out: links that are not followed or lead nowhere, what lies behind them, and what is no file.
 *
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 * @returns {NonNullable<import('../contract').Store['leavesOut']>}
 */
function createLeftOut({ paths, facts, followLinks }) {
  /** @param {string} path @returns {Promise<import('node:fs').Stats | void>} undefined: nothing is there */
  const look = async path =>
    (followLinks && (await stat(path).catch(unlessNowhere))) || (await lstat(path).catch(unlessNowhere))

  return async key => {
    if (keyFault(key) !== undefined) return false
    const names = key.slice(paths.base.length).replace(/\/$/, '').split('/')
    let path = paths.root === '/' ? '' : paths.root
    try {
      for (const [index, name] of names.entries()) {
        path += `/${name}`
        const found = await look(path)
        if (!found) return false
        if (found.isFile()) return index === names.length - 1 && !key.endsWith('/')
        if (!found.isDirectory()) return true
      }
    } catch (cause) {
      throw explainCall(cause, { key, of: 'read' }, facts)
    }
    return false
  }
}

module.exports = { createLeftOut, createList }

'use strict'

/**
 * Names below an object, such as `a/b` where there is an object `a`: the lists of some servers (MinIO) omit them. Names come in order,
 * so the objects above a name are among those before it that it begins with. Flat in memory.
 */

const { asXferError } = require('../errors')
const { createTable, hash } = require('./keys')

/** @param {string} name @returns {string[]} the folders of its path */
const foldersOf = name => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index)).filter(Boolean)

/**
 * @param {Pick<import('../job/open').Job, 'source' | 'destination'>} job of the prefix
 * @param {Array<{ id: number, after?: string }>} ranges of names that are walked
 * @param {{ ordered: boolean, signal?: AbortSignal }} how ordered: the names of a range come in order; else all are remembered
 */
function createBelow({ source, destination: { store } }, ranges, { ordered, signal }) {
  /** By range: where it begins, and the names that the last one begins with. */
  const walked = new Map(ranges.map(({ id, after }) => [id, { after, above: /** @type {string[]} */ ([]) }]))
  /** Where names come in no order: hashes of the names so far, and of their folders. */
  const seen = { names: createTable(), folders: createTable() }
  /** Folders of paths that begin in an earlier range. @type {Map<string, Promise<boolean>>} */
  const asked = new Map()

  /** @param {string} folder @returns {Promise<boolean>} whether the source has an object of that name */
  function isObject(folder) {
    const found = asked.get(folder) ?? hasObject(source, folder, signal)
    asked.set(folder, found)
    return found
  }

  return {
    /** Whether the destination hides names, or may do so: its server has not told its name yet. */
    isNeeded: () => store.can.hidesBelow === true || store.named?.() === false,

    /** @param {import('../types').SplitStep} step */
    split({ into: { id, after } }) {
      walked.set(id, { after, above: [] })
    },

    /**
     * Call it for each name that either side has, or will have.
     *
     * @param {number | undefined} range undefined: the names are in no order, and nothing is known
     * @param {string} name
     * @returns {() => Promise<string | undefined>} asks for the object that the name is below
     */
    saw(range, name) {
      if (!ordered) {
        const folders = foldersOf(name)
        const above = folders.find(folder => seen.names.has(hash(folder)))
        // What is below it would be hidden.
        const found = above ?? (seen.folders.has(hash(name)) ? name : undefined)
        if (found === undefined) {
          seen.names.put(hash(name), 0)
          for (const folder of folders) seen.folders.put(hash(folder), 0)
        }
        return async () => found
      }
      const place = range === undefined ? undefined : walked.get(range)
      if (!place) return async () => undefined
      const { after } = place
      /** @type {string[]} */
      const above = []
      for (const before of place.above) if (name.startsWith(before)) above.push(before)
      place.above = [...above, name]
      return async () => {
        for (const folder of foldersOf(name)) {
          if (above.includes(folder)) return folder
          if (after?.startsWith(folder) && (await isObject(folder))) return folder
        }
        return undefined
      }
    },
  }
}

/**
 * @param {Pick<import('../job/open').Side, 'store' | 'key'>} side of the prefix
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>}
 */
async function hasObject({ store, key: prefix }, name, signal) {
  return await store.head(prefix + name, { signal }).then(
    () => true,
    cause => {
      const error = asXferError(cause)
      if (error.code === 'NO_SUCH_KEY' || error.code === 'STORE_REFUSED') return false
      throw error
    },
  )
}

module.exports = { createBelow, foldersOf, hasObject }

'use strict'

/**
 * Keys that a destination may treat as other keys, hide below one another, or cannot store; objects that mark folders; and objects that
 * are another version than a manifest says.
 */

const { XferError, asXferError, rootOf } = require('../errors')
const { sameEtag } = require('../integrity')
const { realPath } = require('../files')
const { readPlaceId } = require('../stores')

/** One object of a side. @template {{ key: string, text: string }} S @param {S} side of the prefix @param {string} name @param {string} [versionId] @returns {S} */
function placeOf(side, name, versionId) {
  return { ...side, key: side.key + name, text: side.text + name, ...(versionId !== undefined && { versionId }) }
}

/** An object that is listed under a wrong key, or cannot be listed. @param {Pick<import('../types').Store, 'facts'>} store @param {import('../types').ListedObject} listed */
function unreadable({ facts }, { key, cause }) {
  return cause ?? new XferError('KEY_UNREADABLE', { ...facts, key })
}

/**
 * Why an object cannot have this key where nothing below an object is listed.
 *
 * @param {string} key of the object
 * @param {string} above the object that it is below; itself, if it has objects below it
 * @returns {string} to follow the key
 */
function hiddenFault(key, above) {
  return above === key
    ? 'has objects below it, and its store lists nothing that is below an object'
    : `is below the object ${above}, and its store lists nothing that is below an object`
}

/** Of each table: a Map holds at most 2 ** 24 entries, and there may be more names. */
const MAPS = 64

/** Remembers names by their hashes: the hash of a folded name leads to that of the first exact name. Pure. */
function createTable() {
  /** @type {Array<Map<number, number>>} */
  const maps = Array.from({ length: MAPS }, () => new Map())
  const mapOf = (/** @type {number} */ key) => maps[key % MAPS]
  return {
    /** @param {number} key */
    has: key => mapOf(key).has(key),
    /** @param {number} key @returns {number | undefined} the first exact name of that key */
    get: key => mapOf(key).get(key),
    /** @param {number} key @param {number} exact @returns {number} the first exact name of that key */
    put(key, exact) {
      const first = mapOf(key).get(key) ?? exact
      if (first === exact) mapOf(key).set(key, exact)
      return first
    },
  }
}

/** cyrb53: two multiplicative hashes of 32 bits, mixed. @param {string} text @returns {number} from 1 to 2^53 - 1 */
function hash(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return 2 ** 32 * (b & 0x1fffff) + (a >>> 0) || 1
}

/**
 * A file system may treat two names of the source as one, because it ignores case or Unicode normalization. The second object
 * would replace the first, so it fails instead. The file system is asked, by files of our own, before the first object.
 *
 * @param {Pick<import('../job/open').Job, 'destination' | 'settings'>} job of the prefix. In a dry run nothing is written, so no
 *   name is checked
 */
async function createFolding({ destination: { store }, settings: { dryRun } }) {
  const folds = dryRun ? undefined : await store.folds?.()
  const foldsAtAll = folds !== undefined && (folds.case || folds.unicode)
  const names = createTable()

  /** @param {string} name @returns {number} the same of all names that the destination treats as one */
  function folded(name) {
    const composed = folds?.unicode ? name.normalize('NFC') : name
    return hash(folds?.case ? composed.toLowerCase() : composed)
  }

  return {
    /** A resumed job does not know the names of the earlier run. */
    foldsAtAll,

    /** Where it folds at all. @param {string} name of an object of the source @returns {boolean} whether the destination treats it and an earlier name as one */
    clashes: name => names.put(folded(name), hash(name)) !== hash(name),

    /** @param {string} name of the destination @returns {boolean} whether the destination treats it and a name of the source as one */
    spares: name => foldsAtAll && (names.get(folded(name)) ?? hash(name)) !== hash(name),
  }
}

/**
 * Names below an object, such as `a/b` where there is an object `a`: the lists of some servers (MinIO) omit them. Names come in order,
 * so the objects above a name are among those before it that it begins with. Flat in memory.
 */

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

/** Objects that a manifest names are copied as its rows say, or not at all. */

/**
 * @param {Pick<import('../types').ListedObject, 'bytes' | 'etag'>} listed one that is pinned
 * @param {{ bytes: number, etag: string } | undefined} found undefined: there is none
 * @throws {XferError} ROW_OUTDATED
 */
function checkPinned({ bytes, etag }, found) {
  if (!found) throw outdated('it is gone')
  if (found.bytes !== bytes) throw outdated(`it has ${count(found.bytes)} bytes, not ${count(bytes)}`)
  if (etag !== '' && !sameEtag(found.etag, etag)) throw outdated(`its ETag is ${found.etag}, not ${etag}`)
}

/** @param {number} bytes */
const count = bytes => bytes.toLocaleString('en-US')

/** @param {string} reason a clause @param {unknown} [cause] */
function outdated(reason, cause) {
  return new XferError('ROW_OUTDATED', { reason }, { cause })
}

/** What the failure of a read means. @param {{ pinned?: true }} listed @param {unknown} cause */
function asPinnedError({ pinned }, cause) {
  const error = asXferError(cause)
  if (!pinned) return error
  const { code, facts } = rootOf(error)
  if (code === 'SOURCE_CHANGED') return outdated('its ETag or its size is another one', error)
  return code === 'NO_SUCH_KEY' && facts.side === 'source' ? outdated('it is gone', error) : error
}

/**
 * Whether a name below a prefix is of what has the journals of jobs, which may lie there too: the state that has this job, and the folder
 * of this user.
 *
 * @param {Array<Partial<Pick<import('../job/contract').Side, 'place' | 'store'>> | undefined>} sides the prefixes
 * @param {{ stateAt?: string, home?: string }} where stateAt: as of a journal; home: the path of the folder
 * @returns {((name: string) => boolean) | undefined} undefined: none is
 */
function createStateFilter(sides, { stateAt, home }) {
  const ofFiles = sides.some(side => side?.store?.scheme === 'file')
  const states = stateAt === undefined ? [] : [placeIn(stateAt)]
  if (ofFiles && home !== undefined) states.push(folderAt(home))
  const folders = sides.flatMap(side => {
    if (side?.place === undefined) return []
    const prefix = placeIn(side.place)
    const within = states.filter(state => state.in === prefix.in && state.key.startsWith(prefix.key))
    return within.flatMap(({ key }) =>
      ['jobs/', 'ends/', 'asks/', 'manifests/'].map(folder => key.slice(prefix.key.length) + folder),
    )
  })
  return folders.length === 0 ? undefined : name => folders.some(folder => name.startsWith(folder))
}

/** @param {string} id of a prefix */
function placeIn(id) {
  const { host, container, key } = readPlaceId(id)
  return host === FILES ? folderAt(`/${key}`) : { in: JSON.stringify([host, container]), key }
}

/** Of the file system. */
const FILES = 'file:'
/** A folder, without links on its way. @param {string} path */
const folderAt = path => ({ in: FILES, key: `${realPath(path).replace(/\/$/, '')}/` })

/** Empty objects that mark folders, by the conventions of different programs. */

/** @typedef {{ [side in 'source' | 'destination']: import('./selection').PrefixEnd }} MarkEnds */

/**
 * The mark of Hadoop, and of older consoles.
 * https://hadoop.apache.org/docs/r2.6.1/api/org/apache/hadoop/fs/s3native/NativeS3FileSystem.html
 */
const HADOOP = /^(.*[^/])_\$folder\$$/s

/**
 * @param {string} name
 * @param {Pick<import('../types').ListedObject, 'marksFolder'>} object an empty one: no other marks a folder
 * @returns {string | undefined} the name of the folder that it marks, with a slash at the end; empty for the prefix itself;
 *   undefined: it marks none
 */
function markedFolder(name, { marksFolder }) {
  if (name === '' || name.endsWith('/')) return name
  const folder = marksFolder ? name : HADOOP.exec(name)?.[1]
  return folder && `${folder}/`
}

/**
 * Whether the object of one side marks a folder, and the other side cannot have such a mark: at the root of a bucket, in a file system,
 * and in a store that does not know marks by metadata. There the mark would be an object that stands in the way of all names below it.
 *
 * @param {import('../types').Pair} pair
 * @param {MarkEnds} ends
 */
function isOneSided({ name, source: from, destination: to }, { source, destination }) {
  const object = from ?? to
  if (!object || (from && to) || object.bytes !== 0 || markedFolder(name, object) === undefined) return false
  const other = from ? destination : source
  const foreign = object.marksFolder === true && isForeign(other)
  return other.key + name === '' || 'makeFolder' in other.store || foreign
}

/** Whether an object that marks a folder by its metadata would be an ordinary one in the store. @param {import('./selection').PrefixEnd} end */
function isForeign({ store }) {
  return !store.can.marksFolders && !store.makeFolder
}

/** Whether the destination refuses a mark because it has the folder itself. @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the mark */
async function isFolderThere({ destination: { store, key }, run }) {
  const error = await store.head(key, { signal: run.cancel }).catch(asXferError)
  return error instanceof XferError && error.facts.isFolder === true
}

module.exports = {
  asPinnedError,
  checkPinned,
  createBelow,
  createFolding,
  createStateFilter,
  createTable,
  foldersOf,
  hasObject,
  hash,
  hiddenFault,
  isFolderThere,
  isForeign,
  isOneSided,
  markedFolder,
  placeOf,
  unreadable,
}

'use strict'

/**
 * The last look below a prefix: a written object counts as copied once the destination shows it. A list shows a thousand objects in one
 * request, so written objects wait for each other. An object that the list does not show as it was written is asked for by HEAD.
 */

const { look } = require('../destination')
const { XferError, asXferError } = require('../errors')
const { sameEtag } = require('../integrity')
const { compareNames } = require('../listing')
const { createSemaphore, pause } = require('../async')
const { foldersOf } = require('./keys')

/** Objects that are looked for together, and keys in one page of the list. */
const MOST_TOGETHER = 1_000
/** This share of a batch may wait for the next batch, if that saves another list. */
const MOST_LEFT = 1 / 8
/** How long an object waits for others. */
const WAIT_MS = 3_000
/** HEADs at once, of objects that a list does not show as they were written: that may be a thousand. */
const MOST_ASKED = 64
/** A list may be behind the writes. */
const STALE_MS = [0, 100, 300, 900]
/** Keys that servers are known to keep under another name: SeaweedFS, file systems, servers that normalize Unicode. */
const FOLDED = /\\|\/\/|^\/|(?:^|\/)\.\.?(?:\/|$)|[^\x20-\x7e]/

/**
 * Objects that are looked for together.
 *
 * @typedef {object} LookBatch
 * @property {string[]} keys
 * @property {() => void} send asks now
 * @property {Promise<{ objects: Map<string, import('../types').ListedObject>, later?: Set<string> } | undefined>} shown by key; later: those
 *   that wait for the next batch; undefined: the list could not be read
 */

/**
 * @param {Pick<import('../job/open').Side, 'store' | 'key'>} destination of the prefix
 * @param {{ cancel?: AbortSignal, abort?: AbortSignal }} signals once `cancel` is aborted nothing waits any more
 * @param {{ deletes?: boolean }} [how] deletes: objects that only the destination has will be deleted, as its list names them
 */
function createLooks({ store, key: prefix }, { cancel, abort: signal }, { deletes = false } = {}) {
  /** The batch that written objects join now. @type {LookBatch | undefined} */
  let batch
  let listable = store.list !== undefined
  let denied = false
  /** Whether a HEAD has shown an object. Then a HEAD that is denied may mean that this object is missing, and not that no object may be looked at. */
  let heads = false
  /** Nothing more will be written soon. */
  let hurried = false
  const limit = createSemaphore(MOST_ASKED)

  /** @returns {LookBatch} */
  function begin() {
    /** @type {string[]} */
    const keys = []
    let send = () => {}
    /** @type {Promise<void>} */
    const due = new Promise(resolve => {
      send = resolve
    })
    const timer = setTimeout(send, hurried ? 0 : WAIT_MS)
    const shown = due.then(() => {
      clearTimeout(timer)
      batch = undefined
      return list(keys.sort(compareNames))
    })
    return { keys, send, shown }
  }

  /** @param {string[]} keys in order */
  async function list(keys) {
    if (!listable) return undefined
    const wanted = new Set(keys)
    /** @type {Map<string, import('../types').ListedObject>} */
    const found = new Map()
    try {
      for (let at = 0; at < keys.length; ) {
        const page = await /** @type {import('../types').ListObjects} */ (store.list)(
          { prefix, after: justBefore(keys[at]), most: MOST_TOGETHER },
          { signal },
        )
        for (const object of page.objects) if (wanted.has(object.key)) found.set(object.key, object)
        const last = page.objects.at(-1)?.key
        if (last === undefined) break
        if (page.next !== undefined && compareNames(last, keys[at]) < 0) {
          // It begins elsewhere: each object is asked for.
          listable = false
          return undefined
        }
        do at++
        while (at < keys.length && compareNames(keys[at], last) <= 0)
        // Where others of the page are still being written, the last few of a batch are on the page of the next.
        if (!hurried && keys.length - at <= MOST_LEFT * keys.length)
          return { objects: found, later: new Set(keys.slice(at)) }
      }
      return { objects: found }
    } catch (cause) {
      if (signal?.aborted) throw cause
      // Without the permission to list each object is asked for; so it is if this list has failed.
      if (asXferError(cause).code === 'ACCESS_DENIED') listable = false
      return undefined
    }
  }

  /** @param {string} key @param {string} reason */
  const unlisted = (key, reason) => new XferError('KEY_INVALID', { ...store.facts, key, reason })
  function hurry() {
    hurried = true
    batch?.send()
  }
  if (cancel?.aborted) hurry()
  cancel?.addEventListener('abort', hurry, { once: true })

  return {
    /**
     * @param {string} key of a written object
     * @param {{ bytes: number, etag: string }} written
     * @param {boolean} [alone] the others wait for it
     * @returns {Promise<'shown' | 'denied' | 'unlisted' | 'other'>} denied: nothing may be looked at; unlisted: the list does not have
     *   it; other: a HEAD has to tell
     */
    async of(key, { bytes, etag }, alone = false) {
      for (;;) {
        if (denied) return 'denied'
        batch ??= begin()
        const { keys, shown } = batch
        keys.push(key)
        if (alone || keys.length === MOST_TOGETHER) batch.send()
        const listed = await shown
        if (!listed) return 'other'
        if (listed.later?.has(key)) continue
        const found = listed.objects.get(key)
        if (!found) return 'unlisted'
        return found.bytes === bytes && (etag === '' || sameEtag(found.etag, etag)) ? 'shown' : 'other'
      }
    },

    /** @template T @param {() => Promise<T>} ask about one object @returns {Promise<T>} */
    async oneByOne(ask) {
      await limit.enter(1)
      return await ask().finally(() => limit.leave(1))
    },

    /** A HEAD was denied, too. */
    denied() {
      denied = !listable && !heads
    },

    headed() {
      heads = true
    },

    /**
     * Of an object that a HEAD shows and the list did not: the list may be behind, or never show it.
     *
     * @param {string} key
     * @throws {XferError} KEY_INVALID: a folder of its path is an object, or its server keeps it under another name
     */
    async mustList(key) {
      for (const waitMs of STALE_MS) {
        await pause(waitMs, signal)
        const page = await store.list?.({ prefix: key, most: 1 }, { signal })
        if (page?.objects[0]?.key === key) return
      }
      for (const folder of foldersOf(key)) {
        const { object } = await look({ store, key: folder }, signal)
        if (object) throw unlisted(key, `was written, and its store does not list it below the object ${folder}`)
      }
      // The list may show it under another name, which would be deleted as extra.
      if (deletes || FOLDED.test(key)) throw unlisted(key, 'was written, and is not listed under this name')
    },

    /** Nothing more will be written soon: nobody waits for others. */
    hurry,

    close() {
      cancel?.removeEventListener('abort', hurry)
    },
  }
}

/**
 * A text that sorts before the key, with few keys between both.
 *
 * @param {string} key
 */
function justBefore(key) {
  const parent = key.replace(/.$/su, '')
  const code = key.charCodeAt(key.length - 1)
  // Not of characters that a request may not carry.
  return code > 0x21 && code < 0x7f ? `${parent}${String.fromCharCode(code - 1)}~` : parent
}

module.exports = { createLooks }

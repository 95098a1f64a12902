'use strict'

/** What this process asks Redis itself. Each call has a connection of its own, for there are few. */

const { randomUUID } = require('node:crypto')
const { checked, scripts, withSession } = require('../../redis')
const { metadataIn, userHeaders } = require('../common')
const { XferError, explainCall } = require('./words')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../redis').Session} Session */

/** How long an upload waits for somebody who goes on with it. */
const UPLOAD_MS = 86_400_000

/** The keys that the scripts have. @param {string} key @param {string} [id] */
function keysOf(key, id = '') {
  const partial = `${key}:xfer:partial:${id}`
  return { about: `${key}:xfer`, uploads: `${key}:xfer:uploads`, partial, parts: `${partial}:parts` }
}

/** Those of a script that gives a partial value its key. @param {string} key @param {string} id */
function commitKeys(key, id) {
  const { partial, about, uploads, parts } = keysOf(key, id)
  return [partial, key, about, uploads, parts]
}

/**
 * Names and values of the hash beside a key.
 *
 * @param {import('../../types').ObjectMetadata} metadata
 * @param {number} modifiedMs
 */
function aboutOf({ headers, user }, modifiedMs) {
  return Object.entries({ modified: String(modifiedMs), ...headers, ...userHeaders(user, 'user:') }).flat()
}

/** @param {string[]} list @returns {Array<[name: string, value: string]>} */
function pairsOf(list) {
  return list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : []))
}

/** @param {import('../../types').ObjectAttributes} attributes @param {Record<string, any>} facts */
function refuseTags({ tags = [] }, facts) {
  if (tags.length === 0) return
  throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason: 'keys of Redis have no tags' })
}

/**
 * @param {object} of
 * @param {() => import('../../redis').Target} of.target
 * @param {number} of.silenceMs
 * @param {Record<string, any>} of.facts of the store
 * @param {() => number} of.now
 */
function createCalls({ target, silenceMs: limitMs, facts, now }) {
  /**
   * @template T
   * @param {{ of: 'read' | 'write', key?: string, completes?: true }} what
   * @param {AbortSignal | undefined} signal
   * @param {(session: Session) => Promise<T>} use
   */
  async function call(what, signal, use) {
    try {
      return await withSession(target(), { limitMs, signal }, use)
    } catch (cause) {
      throw explainCall(cause, what, facts, signal)
    }
  }

  /**
   * @param {Parameters<typeof call>[0]} what
   * @param {AbortSignal | undefined} signal
   * @param {Parameters<Session['run']>} script with its keys and arguments
   */
  const run = (what, signal, ...script) => call(what, signal, async redis => checked(await redis.run(...script)))

  /** @type {Store['remove']} */
  async function remove({ key, etag = '' }, { signal } = {}) {
    await run({ of: 'write', key }, signal, scripts.REMOVE, [key, keysOf(key).about], [etag])
  }

  /** @type {Omit<Store['upload'], 'part'>} */
  const upload = {
    async create({ key, attributes }, { signal } = {}) {
      refuseTags(attributes, facts)
      const id = randomUUID()
      const { partial, uploads } = keysOf(key, id)
      await call({ of: 'write', key }, signal, async redis => {
        checked(await redis.run(scripts.BEGIN, [partial], [UPLOAD_MS]))
        await redis.command('HSET', uploads, id, now())
        await redis.command('PEXPIRE', uploads, UPLOAD_MS)
      })
      return { id, checksums: false }
    },

    async parts({ key, uploadId, marker = '0', most }, { signal } = {}) {
      const { partial, parts } = keysOf(key, uploadId)
      const found = await run({ of: 'write', key }, signal, scripts.PARTS, [partial, parts])
      const all = pairsOf(found)
        .map(([number, bytes]) => ({ partNumber: Number(number), etag: '', bytes: Number(bytes) }))
        .filter(({ partNumber }) => partNumber > Number(marker))
        .sort((one, other) => one.partNumber - other.partNumber)
      const page = all.slice(0, most)
      return { parts: page, next: page.length < all.length ? String(page.at(-1)?.partNumber) : undefined }
    },

    async complete({ key, uploadId, bytes, attributes, condition = {} }, { signal } = {}) {
      const { ifNoneMatch, ifMatch = ifNoneMatch ? '*' : '' } = condition
      const args = [ifMatch, attributes.ttlMs ?? 0, bytes, uploadId, ...aboutOf(attributes.metadata, now())]
      const what = /** @type {const} */ ({ of: 'write', key, completes: true })
      const [etag] = await run(what, signal, scripts.COMMIT, commitKeys(key, uploadId), args)
      return { etag }
    },

    async abort({ key, uploadId }, { signal } = {}) {
      const { partial, uploads, parts } = keysOf(key, uploadId)
      await call({ of: 'write', key }, signal, async redis => {
        await redis.command('HDEL', uploads, uploadId)
        const removed = await redis.command('DEL', partial)
        await redis.command('DEL', parts)
        if (removed === 0) checked(['GONE'])
      })
    },

    async pending({ prefix: key, marker }, { signal } = {}) {
      if (marker) return { uploads: [] }
      const { partial, uploads } = keysOf(key)
      const found = await run({ of: 'write', key }, signal, scripts.UPLOADS, [uploads], [partial])
      return { uploads: pairsOf(found).map(([id, began]) => ({ key, id, initiatedMs: Number(began) })) }
    },
  }

  return {
    remove,
    upload,

    /** @type {Store['ping']} */
    ping: async ({ signal } = {}) => await call({ of: 'read' }, signal, async () => {}),

    /** @type {Store['head']} */
    async head(key, { signal } = {}) {
      const found = await run({ of: 'read', key }, signal, scripts.LOOK, [key, keysOf(key).about])
      const [bytes, etag, lifeMs, list] = found
      const about = Object.fromEntries(pairsOf(list))
      // Otherwise another program has written the key since.
      const described = about.etag === etag
      return {
        ...{ bytes, etag, metadata: metadataIn(described ? about : {}, 'user:') },
        ...(described && { lastModifiedMs: Number(about.modified) }),
        ...(lifeMs > 0 && { unkept: ['its time to live'] }),
      }
    },
  }
}

module.exports = { UPLOAD_MS, aboutOf, commitKeys, createCalls, keysOf, refuseTags }

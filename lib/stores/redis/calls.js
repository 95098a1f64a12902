'use strict'

/** What this process asks Redis itself. Each call has a connection of its own, for there are few. */

const { randomUUID } = require('node:crypto')
const { createSums } = require('../../../actions/copy-range/copy')
const { scripts, withSession } = require('../../redis')
const { XferError } = require('../../errors')
const { explainCall } = require('./words')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../redis/session').Session} Session */

/** How long an upload waits for somebody who goes on with it. */
const UPLOAD_MS = 86_400_000
/** Of one command. */
const PIECE_BYTES = 1024 ** 2

/** The keys that the scripts have. @param {string} key @param {string} [id] */
function keysOf(key, id = '') {
  return { key, about: `${key}:xfer`, uploads: `${key}:xfer:uploads`, partial: `${key}:xfer:partial:${id}` }
}

/**
 * Names and values of the hash beside a key.
 *
 * @param {import('../../types').ObjectMetadata} metadata
 * @param {number} modifiedMs
 */
function aboutOf({ headers, user }, modifiedMs) {
  const ofHeaders = Object.entries(headers).map(([name, value]) => [`header:${name}`, value])
  const ofUser = Object.entries(user).map(([name, value]) => [`user:${name}`, value])
  return [['modified', String(modifiedMs)], ...ofHeaders, ...ofUser].flat()
}

/** The reverse. @param {string[]} list */
function readAbout(list) {
  const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : []))
  /** @param {string} prefix */
  const named = prefix =>
    Object.fromEntries(
      pairs.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
    )
  const { etag, modified } = Object.fromEntries(pairs)
  return { etag, modifiedMs: Number(modified), metadata: { headers: named('header:'), user: named('user:') } }
}

/** @param {import('../../types').ObjectAttributes} attributes @param {Record<string, any>} facts */
function refuseTags({ tags = [] }, facts) {
  if (tags.length === 0) return
  throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason: 'keys of Redis have no tags' })
}

/**
 * @param {object} of
 * @param {() => import('../../redis/session').Target} of.target
 * @param {number} of.silenceMs
 * @param {Record<string, any>} of.facts of the store
 * @param {() => number} of.now
 */
function createCalls({ target, silenceMs: limitMs, facts, now }) {
  /**
   * @template T
   * @param {{ of: 'read' | 'write', key?: string }} what
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

  /** Throws what is no OK. @param {any[]} answer @returns {any[]} the rest */
  function checked([word, ...rest]) {
    if (word !== 'OK') throw Object.assign(new Error(word), { word })
    return rest
  }

  /** @type {Store['remove']} */
  async function remove({ key, etag = '' }, { signal } = {}) {
    const { about } = keysOf(key)
    await call({ of: 'write', key }, signal, async redis => {
      checked(await redis.run(scripts.REMOVE, [key, about], [etag]))
    })
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

    async parts({ key, uploadId, marker = '0', most, ranges = [] }, { signal } = {}) {
      const { partial } = keysOf(key, uploadId)
      const wanted = ranges.filter(({ partNumber }) => partNumber > Number(marker))
      const page = wanted.slice(0, most)
      return await call({ of: 'write', key }, signal, async redis => {
        if ((await redis.command('EXISTS', partial)) === 0) checked(['GONE'])
        const parts = []
        for (const { partNumber, start, bytes, sums: names = [] } of page) {
          const sums = createSums(names.length > 0 ? names : ['crc32'])
          let at = 0
          for (let more = true; more && at < bytes; ) {
            const end = start + Math.min(bytes, at + PIECE_BYTES) - 1
            const piece = await redis.command('GETRANGE', partial, start + at, end)
            sums.update(piece)
            at += piece.length
            more = piece.length > 0
          }
          if (at === bytes) parts.push({ partNumber, etag: '', bytes, sums: sums.digest() })
        }
        return { parts, next: page.length < wanted.length ? String(page.at(-1)?.partNumber) : undefined }
      })
    },

    async complete({ key, uploadId, bytes, attributes, condition = {} }, { signal } = {}) {
      const { partial, about, uploads } = keysOf(key, uploadId)
      const { ifNoneMatch, ifMatch = ifNoneMatch ? '*' : '' } = condition
      const args = [ifMatch, attributes.ttlMs ?? 0, bytes, uploadId, ...aboutOf(attributes.metadata, now())]
      const what = { of: /** @type {const} */ ('write'), key, completes: true }
      return await call(what, signal, async redis => {
        const [word, etag] = await redis.run(scripts.COMMIT, [partial, key, about, uploads], args)
        if (word === 'LENGTH') {
          const reason = 'what was written has another size'
          throw new XferError('STORE_REFUSED', {
            ...facts,
            key,
            status: 400,
            reason,
            partsDiffer: true,
            completes: true,
          })
        }
        checked([word])
        return { etag }
      })
    },

    async abort({ key, uploadId }, { signal } = {}) {
      const { partial, uploads } = keysOf(key, uploadId)
      await call({ of: 'write', key }, signal, async redis => {
        await redis.command('HDEL', uploads, uploadId)
        if ((await redis.command('UNLINK', partial)) === 0) checked(['GONE'])
      })
    },

    async pending({ prefix: key, marker }, { signal } = {}) {
      const { partial, uploads } = keysOf(key)
      if (marker) return { uploads: [] }
      const found = await call({ of: 'write', key }, signal, async redis =>
        checked(await redis.run(scripts.UPLOADS, [uploads], [partial])),
      )
      const ids = found.filter((_, i) => i % 2 === 0)
      return { uploads: ids.map((id, i) => ({ key, id, initiatedMs: Number(found[2 * i + 1]) })) }
    },
  }

  return {
    remove,
    upload,

    /** @type {Store['ping']} */
    ping: async ({ signal } = {}) => await call({ of: 'read' }, signal, async () => {}),

    /** @type {Store['head']} */
    async head(key, { signal } = {}) {
      const found = await call({ of: 'read', key }, signal, async redis =>
        checked(await redis.run(scripts.LOOK, [key, keysOf(key).about])),
      )
      const [bytes, etag, lifeMs, list] = found
      const about = readAbout(list)
      // Otherwise another program has written the key since.
      const described = about.etag === etag
      return {
        ...{ bytes, etag, metadata: described ? about.metadata : { headers: {}, user: {} } },
        ...(described && { lastModifiedMs: about.modifiedMs }),
        ...(lifeMs > 0 && { unkept: ['its time to live'] }),
      }
    },
  }
}

module.exports = { UPLOAD_MS, aboutOf, createCalls, keysOf, refuseTags }

'use strict'

/**
 * The store `redis://`: strings, one object each, with their metadata in a hash beside. Data requests are carried out by the embedded
 * engine alone (lib/engines/local/transports/redis.js), because they need the password.
 */

const { randomUUID } = require('node:crypto')
const { checked, scripts, withSession } = require('../../redis')
const { conditionHeaders, inProcess, metadataIn, userHeaders } = require('../common')
const { explainAnswer, explainCall, keyFault, resolveSide, termsOf, urlOf } = require('./place')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../redis').Session} Session */

const { ABILITIES, MEMBERS, RULES } = inProcess

const MiB = 1024 ** 2
const SILENCE_MS = 30_000
/** How long a value that is written in one request may pause. */
const PUT_MS = 600_000

/** How long an upload waits for somebody who goes on with it. */
const UPLOAD_MS = 86_400_000

/** A string has 512 MB at most: https://redis.io/docs/latest/develop/data-types/strings/ */
const LIMITS = { minBytes: 1, maxBytes: 128 * MiB, maxParts: 4, equalParts: false }

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
 * Names and values of the hash beside a key, each character one byte.
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

/** What a header can hold (RFC 9110 sections 5.5 and 5.6.2): another program may have written something else. */
const HEADER_NAME = /^(?:user:)?[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What LOOK answers. @type {Array<'count' | 'etag' | 'integer' | 'pairs'>} */
const LOOKED = ['count', 'etag', 'integer', 'pairs']

/** @param {string} [text] @returns {number | undefined} epoch milliseconds; undefined: it is none */
const timeOf = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/**
 * @param {object} of
 * @param {import('../contract').Place} of.place
 * @param {import('./place').RedisSettings} of.settings
 * @param {string} [of.location] the place, for messages
 * @param {() => number} [of.now] epoch milliseconds
 * @returns {import('../contract').OwnStore & Pick<Store, 'upload'>}
 */
function openRedisStore({ place, settings, location, now = Date.now }) {
  const { side, alone, ca, silenceMs = SILENCE_MS } = settings
  const endpoint = `${place.scheme}://${urlOf(place).host}`
  const facts = {
    side,
    protocol: 'Redis',
    bucket: place.container,
    endpoint,
    terms: termsOf(side),
    location,
    ...(alone && { alone }),
  }
  const target = () => ({ ...settings.target(), ca })

  /**
   * What this process asks itself. Each call has a connection of its own, for there are few.
   *
   * @template T
   * @param {{ of: 'read' | 'write', key?: string, completes?: true }} what
   * @param {AbortSignal | undefined} signal
   * @param {(session: Session) => Promise<T>} use
   */
  async function call(what, signal, use) {
    try {
      return await withSession(target(), { limitMs: silenceMs, signal }, use)
    } catch (cause) {
      throw explainCall(cause, what, facts, signal)
    }
  }

  /**
   * @param {Parameters<typeof call>[0]} what
   * @param {AbortSignal | undefined} signal
   * @param {Parameters<typeof checked> extends [any, ...infer Kinds] ? Kinds : never} kinds
   * @param {Parameters<Session['run']>} script with its keys and arguments
   */
  const run = (what, signal, kinds, ...script) =>
    call(what, signal, async redis => checked(await redis.run(...script), ...kinds))

  /**
   * @param {'GET' | 'PUT'} method
   * @param {string[]} keys
   * @param {Record<string, string>} headers
   * @param {import('../../types').AnswerRule} accepts
   * @returns {import('../contract').Transfer}
   */
  const request = (method, keys, headers, accepts) => {
    const at = { 'x-target': JSON.stringify(target()), 'x-keys': JSON.stringify(keys) }
    return { request: { method, url: 'redis:', headers: { ...at, ...headers }, accepts } }
  }

  return {
    ...MEMBERS,
    scheme: place.scheme,
    keyFault,
    facts,
    endpoint,
    can: ABILITIES,
    limits: LIMITS,
    now,
    authenticate: async () => settings.target().password !== undefined,
    ping: async ({ signal } = {}) => await call({ of: 'read' }, signal, async () => {}),

    async head(key, { signal } = {}) {
      const found = await run({ of: 'read', key }, signal, LOOKED, scripts.LOOK, [key, keysOf(key).about])
      const [bytes, etag, lifeMs, list] = found
      const pairs = pairsOf(list)
      const held = pairs.filter(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value))
      const about = Object.fromEntries(held)
      // Otherwise another program has written the key since.
      const described = about.etag === etag
      const unkept = [
        ...(lifeMs > 0 ? ['its time to live'] : []),
        ...(described && held.length < pairs.length ? ['metadata that no header can hold'] : []),
      ]
      return {
        bytes,
        etag,
        metadata: metadataIn(described ? about : {}, 'user:'),
        ...(described && { lastModifiedMs: timeOf(about.modified) }),
        ...(unkept.length > 0 && { unkept }),
      }
    },

    async remove({ key, etag = '' }, { signal } = {}) {
      await run({ of: 'write', key }, signal, [], scripts.REMOVE, [key, keysOf(key).about], [etag])
    },

    async read({ key, etag, range }) {
      const headers = { 'if-match': etag, ...(range && { range: `bytes=${range.start}-${range.end}` }) }
      return request('GET', [key], headers, RULES.read)
    },

    async put({ key, bytes, attributes, condition }) {
      const headers = {
        'content-length': String(bytes),
        'x-life': String(PUT_MS),
        'x-ttl': String(attributes.ttlMs ?? 0),
        'x-about': JSON.stringify(aboutOf(attributes.metadata, now())),
        ...conditionHeaders(condition),
      }
      return request('PUT', commitKeys(key, randomUUID()), headers, RULES.write)
    },

    upload: {
      async create({ key }, { signal } = {}) {
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
        const found = await run({ of: 'write', key }, signal, ['pairs'], scripts.PARTS, [partial, parts])
        const all = pairsOf(found)
          .map(([number, bytes]) => ({ partNumber: Number(number), etag: '', bytes: Number(bytes) }))
          .filter(({ partNumber, bytes }) => partNumber > Number(marker) && Number.isSafeInteger(bytes))
          .sort((one, other) => one.partNumber - other.partNumber)
        const page = all.slice(0, most)
        return { parts: page, next: page.length < all.length ? String(page.at(-1)?.partNumber) : undefined }
      },

      async complete({ key, uploadId, bytes, attributes, condition = {} }, { signal } = {}) {
        const { ifNoneMatch, ifMatch = ifNoneMatch ? '*' : '' } = condition
        const about = aboutOf(attributes.metadata, now()).map(text => Buffer.from(text, 'latin1'))
        const args = [ifMatch, attributes.ttlMs ?? 0, bytes, uploadId, ...about]
        const what = /** @type {const} */ ({ of: 'write', key, completes: true })
        const [etag] = await run(what, signal, ['etag'], scripts.COMMIT, commitKeys(key, uploadId), args)
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
        const found = await run({ of: 'write', key }, signal, ['pairs'], scripts.UPLOADS, [uploads], [partial])
        return { uploads: pairsOf(found).map(([id, began]) => ({ key, id, initiatedMs: timeOf(began) })) }
      },

      async part({ key, uploadId, partNumber, bytes, start = 0 }) {
        const { partial, parts } = keysOf(key, uploadId)
        const headers = {
          'content-length': String(bytes),
          'x-life': String(UPLOAD_MS),
          'x-part': String(partNumber),
          'content-range': `bytes ${start}-${start + bytes - 1}/${start + bytes}`,
        }
        return request('PUT', [partial, parts], headers, RULES.part)
      },
    },

    explain: answer => explainAnswer(answer, facts),
  }
}

const CHECK_MS = 30_000
const ASK_MS = 10_000

/** For `xfer doctor`: whether a key can be read, or written beside. They leave nothing behind. @type {NonNullable<import('../contract').StoreFactory['checks']>} */
function checksOf(place, { side, options, env }) {
  const reads = side === 'source'
  /** @param {AbortSignal} signal */
  async function run(signal) {
    const settings = await resolveSide(place, side, options, env)
    const store = openRedisStore({ place, settings: { ...settings, silenceMs: ASK_MS } })
    const key = place.key || 'xfer-doctor'
    const at = `${place.scheme}://${place.container}/${key}`
    if (reads) {
      const { bytes } = await store.head(key, { signal })
      return { ok: true, detail: `${at} has ${bytes.toLocaleString('en-US')} bytes.` }
    }
    const attributes = { metadata: { headers: {}, user: {} } }
    const { id } = await store.upload.create({ key, attributes, checksum: false }, { signal })
    await store.upload.abort?.({ key, uploadId: id }, { signal })
    return { ok: true, detail: `A value was written beside ${at}, and removed.` }
  }
  return [{ name: reads ? 'source reading' : 'destination writing', limitMs: CHECK_MS, cleans: !reads, run }]
}

module.exports = { checksOf, openRedisStore }

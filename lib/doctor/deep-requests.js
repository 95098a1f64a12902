'use strict'

/** What `xfer doctor --deep` does at a store: small requests below a prefix of its own, made by the store's own methods, and their cleaning up. */

const { crc32 } = require('node:zlib')
const { createTrial, frameOf } = require('../destination')
const { asXferError } = require('../errors')
const { askStore } = require('../http')
const { withRetry } = require('../stores')
const { readOfMemory } = require('../schedule')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').Sums} Sums */
/** A write or a read, as it was answered. code: the store's, of a refusal. @typedef {{ status: number, headers: Record<string, any>, body: string, code?: string }} DoctorAnswer */

const CLEAN_RETRIES = 3
/** Refusals of the caller or the bucket: they say nothing of what the server does. */
const NO_ANSWER = ['ACCESS_DENIED', 'NO_SUCH_BUCKET', 'CREDENTIALS_REFUSED', 'STORE_UNREACHABLE', 'INTERRUPTED']
/** @type {import('../types').ObjectAttributes} */
const PLAIN = { metadata: { headers: {}, user: {} } }

/** @param {string | Buffer} body @returns {Sums} */
function sumsOf(body, { wrong = false } = {}) {
  const sum = crc32(body)
  return { crc32: ((wrong ? sum ^ 0xffffffff : sum) >>> 0).toString(16).padStart(8, '0') }
}

/**
 * @param {Store} store
 * @param {object} how
 * @param {string} how.within a prefix; empty, or with a slash at its end
 * @param {import('../types').Engine} how.engine of this machine: writes parts, whose tags are a matter of the store
 * @param {AbortSignal} how.signal
 */
function createRequests(store, { within, engine, signal }) {
  const trial = createTrial(withRetry(store, { retries: CLEAN_RETRIES }), { within, name: 'xfer-doctor' })
  const { prefix } = trial

  /** @param {import('../types').DataRequest} request @param {{ body?: Buffer, onRefusal?(): void }} [write] absent: it is a read @returns {Promise<DoctorAnswer>} */
  async function play(request, { body, onRefusal } = {}) {
    const answer = await askStore(store, request, { body, signal })
    if (answer.status < 300) return answer
    if (answer.status < 500) onRefusal?.()
    const error = store.explain({ of: body ? 'write' : 'read', status: answer.status, body: answer.body })
    if (NO_ANSWER.includes(error.code)) throw error
    return { ...answer, code: error.facts.storeCode ?? `HTTP ${answer.status}` }
  }

  return {
    store,
    prefix,
    signal,

    /**
     * @param {string} name below the prefix
     * @param {string} text
     * @param {object} [how]
     * @param {import('../types').ObjectAttributes} [how.attributes]
     * @param {import('../types').WriteCondition} [how.condition]
     * @param {'header' | 'behind'} [how.checksum] where it is sent; absent: nowhere
     * @param {boolean} [how.wrong] whether the checksum is another one's
     */
    async put(name, text, { attributes = PLAIN, condition, checksum, wrong } = {}) {
      const body = Buffer.from(text)
      const sums = sumsOf(body, { wrong })
      const key = trial.begin(name)
      const { request } = await store.put({
        key,
        bytes: body.length,
        attributes,
        condition,
        checksum: checksum !== undefined,
        ...(checksum === 'header' && { sums }),
      })
      const inHeader = Buffer.from(/** @type {string} */ (sums.crc32), 'hex').toString('base64')
      const isSent = request.framing !== undefined || Object.values(request.headers).includes(inHeader)
      const answer = await play(request, {
        body: frameOf(request, body, sums) ?? body,
        onRefusal: () => trial.refused(key),
      })
      if (answer.status < 300) trial.wrote(key, store.readWritten(answer.headers).versionId)
      return { ...answer, isSent, headersSent: request.headers }
    },

    /** @param {string} name @param {{ etag?: string, range?: { start: number, end: number } }} how */
    async get(name, { etag, range }) {
      const key = prefix + name
      const { request } = await store.read({ key, etag: etag ?? (await store.head(key, { signal })).etag, range })
      return await play(request)
    },

    /** @param {string} name */
    head: name => store.head(prefix + name, { signal }),

    /** Names in the order of the list, page by page. @param {string} [below] @param {number} [most] of a page */
    async list(below = '', most = 1000) {
      const found = []
      let marker
      for (let pages = 0; pages < 50; pages++) {
        const page = await /** @type {NonNullable<Store['list']>} */ (store.list)(
          { prefix: prefix + below, most, ...(marker !== undefined && { marker }) },
          { signal },
        )
        found.push(...page.objects.map(({ key }) => key.slice(prefix.length)))
        marker = page.next
        if (marker === undefined) return { names: found, pages: pages + 1, lacks: page.lacks ?? [] }
      }
      return { names: found, pages: Number.POSITIVE_INFINITY, lacks: [] }
    },

    /**
     * @param {string} name
     * @param {Buffer[]} bodies of its parts
     * @param {{ attributes?: import('../types').ObjectAttributes, condition?: import('../types').WriteCondition }} [how]
     * @returns {Promise<import('../types').Sums>} the checksums that the answer to the last part told
     * @throws {import('../types').XferError} the store's refusal
     */
    async upload(name, bodies, { attributes = PLAIN, condition } = {}) {
      const key = trial.begin(name)
      const bytes = bodies.reduce((all, body) => all + body.length, 0)
      const { id: uploadId } = await store.upload.create({ key, attributes, checksum: false, bytes }, { signal })
      trial.began(uploadId, key)
      const parts = []
      /** @type {import('../types').Sums} */
      let told = {}
      let start = 0
      for (const [i, body] of bodies.entries()) {
        const part = { key, uploadId, partNumber: i + 1, bytes: body.length, start, checksum: false }
        const { request, tag = '' } = await store.upload.part(part)
        const held = new SharedArrayBuffer(body.length)
        body.copy(new Uint8Array(held))
        const sums = /** @type {import('../types').Sum[]} */ (['crc32'])
        const task = {
          ...readOfMemory(held),
          partNumber: i + 1,
          bytes: body.length,
          sums,
          write: request,
          tell: /** @type {const} */ (true),
        }
        const [outcome] = await engine.run([task], { signal })
        if ('error' in outcome) throw store.explain({ of: 'write', status: undefined, ...outcome.error })
        parts.push({ partNumber: i + 1, etag: outcome.etag || tag, bytes: body.length, sums: outcome.sums })
        told = outcome.headers?.write ? (store.readWritten(outcome.headers.write).answered ?? {}) : {}
        start += body.length
      }
      const whole = { key, uploadId, parts, bytes, condition, attributes }
      const made = await store.upload.complete(whole, { signal }).catch(async cause => {
        // moto answers with another document: what is there tells.
        const there =
          asXferError(cause).code === 'BAD_ANSWER' && (await store.head(key, { signal }).catch(() => undefined))
        if (!there || there.bytes !== bytes) throw cause
        return there
      })
      trial.wrote(key, made.versionId)
      trial.ended(uploadId)
      return told
    },

    /** Begins an upload of an object, and aborts it. @param {string} name */
    async abortOne(name) {
      const key = trial.begin(name)
      const { id: uploadId } = await store.upload.create({ key, attributes: PLAIN, checksum: false }, { signal })
      trial.began(uploadId, key)
      await store.upload.abort?.({ key, uploadId }, { signal })
      trial.ended(uploadId)
    },

    /** @param {string} name @param {number} lifeMs @returns {Promise<number | undefined>} status; undefined: the store signs no such URL */
    async getByUrl(name, lifeMs) {
      const signed = await store.presign?.({ key: prefix + name, lifeMs })
      if (!signed) return undefined
      return (await askStore(store, { method: 'GET', url: signed.url, headers: {} }, { signal })).status
    },

    clean: trial.clean,
  }
}

/** @typedef {ReturnType<typeof createRequests>} Requests */

module.exports = { createRequests, NO_ANSWER, PLAIN }

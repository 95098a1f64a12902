'use strict'

/** A place that is measured: its requests, and the objects that were written for them. */

const { randomBytes } = require('node:crypto')
const { asXferError } = require('../errors')
const { explainWith } = require('../transfer')

/** @typedef {import('../job/open-one').One} One */
/** @typedef {import('./steps').Request} Request */
/** @typedef {{ key: string, bytes: number, etag: string }} Written */

/** What probes call their prefixes, so that one that was killed can be cleaned up. */
const NAME = 'xfer-probe-'
/** What the transport of memory answers. @type {import('../types').AnswerRule} */
const READ_MEMORY = { statuses: [200], errorCode: { header: 'x-error' } }
/** @type {import('../types').ObjectAttributes} */
const NOTHING = { metadata: { headers: {}, user: {} } }

/**
 * @param {One} one opened as a prefix
 * @param {import('../types').Engine} engine of this machine
 * @param {{ within: string, mostBytes: number }} how within: what is put before the prefix of the probe
 */
function createPlace({ end, run }, engine, { within, mostBytes }) {
  const { store } = end
  const { cancel: signal } = run
  const prefix = `${end.key}${within}${NAME}${Date.now().toString(36)}-${randomBytes(4).toString('hex')}/`
  /** Where it says so, each with its version: an unnamed one is only hidden. @type {Map<string, Set<string | undefined>>} */
  const written = new Map()
  const explain = explainWith({ source: store, destination: store })
  let writtenBytes = 0
  let lastKey = 0

  /** @param {import('../types').Task} task @returns {Promise<import('../types').TaskSuccess | 'refused'>} */
  async function carryOut(task) {
    const [outcome] = await engine.run([task], { signal })
    if (!('error' in outcome)) return outcome
    const error = explain(outcome.error)
    if (error.throttled) return 'refused'
    throw error
  }

  /** @param {string} key @param {SharedArrayBuffer} held */
  async function put(key, held) {
    const bytes = held.byteLength
    writtenBytes += bytes
    const versions = written.get(key) ?? new Set()
    written.set(key, versions)
    const { request: write } = await store.put({ key, bytes, attributes: NOTHING, checksum: false })
    const headers = { 'x-start': '0', 'x-total': String(bytes) }
    const read = { method: /** @type {const} */ ('GET'), url: 'memory:probe', headers, held, accepts: READ_MEMORY }
    const done = await carryOut({
      partNumber: 1,
      bytes,
      read,
      write,
      sums: [],
      expect: { etag: '', totalBytes: bytes },
      tell: true,
    })
    if (done !== 'refused') versions.add(store.readWritten(done.headers?.write ?? {}).versionId)
    return done
  }

  return {
    text: end.text,
    prefix,
    store,
    /** Bytes that may still be written. */
    leftBytes: () => mostBytes - writtenBytes,

    /** An object to read. @param {SharedArrayBuffer} held @returns {Promise<Written>} */
    async write(held) {
      const key = `${prefix}read-${held.byteLength}-${++lastKey}`
      for (;;) {
        const done = await put(key, held)
        if (done !== 'refused')
          return { key, bytes: held.byteLength, etag: done.etag || (await store.head(key, { signal })).etag }
      }
    },

    /** Writes an object of a key of its own each time. @param {SharedArrayBuffer} held @returns {Request} */
    puts: held => async () => {
      const done = await put(`${prefix}write-${++lastKey}`, held)
      return done === 'refused' ? done : { firstByteMs: done.timing.totalMs }
    },

    /** Reads ranges of an object, one after the other. @param {Written} object @param {number} bytes of each @returns {Request} */
    gets(object, bytes) {
      const ranges = Math.max(1, Math.floor(object.bytes / bytes))
      let next = 0
      return async () => {
        const start = (next++ % ranges) * bytes
        const range = bytes === object.bytes ? undefined : { start, end: start + bytes - 1 }
        const { request: read } = await store.read({ key: object.key, etag: object.etag, range })
        const done = await carryOut({
          partNumber: 1,
          bytes,
          read,
          sums: [],
          expect: { etag: object.etag, totalBytes: object.bytes },
        })
        return done === 'refused' ? done : { firstByteMs: done.timing.firstByteMs }
      }
    },

    /** @param {Written} object @returns {Request} */
    heads: object => async () => {
      const fromMs = performance.now()
      await store.head(object.key, { signal })
      return { firstByteMs: performance.now() - fromMs }
    },

    /** Deletes what was written. @returns {Promise<string[]>} the keys that are still there */
    async clean() {
      /** @type {string[]} */
      const left = []
      for (const [key, versions] of written) {
        for (const versionId of versions.size > 0 ? versions : [undefined]) {
          await store.remove({ key, versionId }).catch(cause => {
            if (asXferError(cause).code !== 'NO_SUCH_KEY') left.push(key)
          })
        }
      }
      return [...new Set(left)]
    },
  }
}

/** @typedef {ReturnType<typeof createPlace>} Probed */

module.exports = { NAME, createPlace }

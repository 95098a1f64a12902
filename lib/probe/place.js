'use strict'

/** A place that is measured: its requests, and the objects that were written for them. */

const { createTrial } = require('../destination')
const { explainWith, readOfMemory } = require('../schedule')

/** @typedef {import('../job/open-one').One} One */
/** @typedef {import('./measure').ProbeRequest} ProbeRequest */
/** @typedef {{ key: string, bytes: number, etag: string }} ProbeObject */

/** What probes call their prefixes, so that one that was killed can be cleaned up. */
const NAME = 'xfer-probe-'
/** @type {import('../types').ObjectAttributes} */
const NOTHING = { metadata: { headers: {}, user: {} } }

/**
 * @param {One} one opened as a prefix
 * @param {import('../types').Engine} engine of this machine
 * @param {object} how
 * @param {string} how.within what is put before the prefix of the probe
 * @param {number} how.mostBytes
 * @param {import('../types').Engine} [how.functions] make the requests that are measured, but for HEADs
 */
function createPlace({ end, run }, engine, { within, mostBytes, functions }) {
  const { store } = end
  const { cancel: signal } = run
  const below = end.key === '' || end.key.endsWith('/') ? end.key : `${end.key}/`
  const trial = createTrial(store, { within: below + within, name: NAME + Date.now().toString(36) })
  const explain = explainWith({ source: { store }, destination: { store } })
  let writtenBytes = 0
  let lastKey = 0

  /** @param {Omit<import('../types').Task, 'partNumber' | 'sums'>} task @param {import('../types').Engine} by @returns {Promise<import('../types').TaskSuccess | 'refused'>} */
  async function carryOut(task, by) {
    const [outcome] = await by
      .run([{ partNumber: 1, sums: [], ...task }], { signal })
      .catch(error => (error.throttled ? [/** @type {const} */ ('refused')] : Promise.reject(error)))
    if (outcome === 'refused' || !('error' in outcome)) return outcome
    const error = explain(outcome.error)
    if (error.throttled) return 'refused'
    throw error
  }

  /** @param {string} key that a trial has begun @param {SharedArrayBuffer} held @param {ProbeObject} [from] a function has to read what it writes */
  async function put(key, held, from) {
    const bytes = held.byteLength
    writtenBytes += bytes
    const { request: write } = await store.put({ key, bytes, attributes: NOTHING, checksum: false })
    const { task, by } = from
      ? { task: await reading(from, 0, bytes), by: /** @type {import('../types').Engine} */ (functions) }
      : { task: readOfMemory(held), by: engine }
    const done = await carryOut({ ...task, bytes, write, tell: true }, by).catch(error => {
      if (isRefusal(error)) trial.refused(key)
      throw error
    })
    if (done !== 'refused') trial.wrote(key, store.readWritten(done.headers?.write ?? {}).versionId)
    return done
  }

  /** @param {ProbeObject} object @param {number} start @param {number} bytes */
  async function reading({ key, etag, bytes: totalBytes }, start, bytes) {
    const range = bytes === totalBytes ? undefined : { start, end: start + bytes - 1 }
    const { request: read } = await store.read({ key, etag, range })
    return { start, read, expect: { etag, totalBytes } }
  }

  return {
    text: end.text,
    prefix: trial.prefix,
    store,
    /** Bytes that may still be written. */
    leftBytes: () => mostBytes - writtenBytes,

    /** An object to read. @param {SharedArrayBuffer} held @returns {Promise<ProbeObject>} */
    async write(held) {
      const key = trial.begin(`read-${held.byteLength}-${++lastKey}`)
      for (;;) {
        const done = await put(key, held)
        if (done !== 'refused')
          return { key, bytes: held.byteLength, etag: done.etag || (await store.head(key, { signal })).etag }
      }
    },

    /** Writes an object of a key of its own each time. @param {SharedArrayBuffer} held @param {ProbeObject} from as large at least: functions read it @returns {ProbeRequest} */
    puts: (held, from) => async () => {
      const done = await put(trial.begin(`write-${++lastKey}`), held, functions && from)
      return done === 'refused' ? done : { firstByteMs: done.timing.totalMs }
    },

    /** Reads ranges of an object, one after the other. @param {ProbeObject} object @param {number} bytes of each @returns {ProbeRequest} */
    gets(object, bytes) {
      const ranges = Math.max(1, Math.floor(object.bytes / bytes))
      let next = 0
      return async () => {
        const task = await reading(object, (next++ % ranges) * bytes, bytes)
        const done = await carryOut({ ...task, bytes }, functions ?? engine)
        return done === 'refused' ? done : { firstByteMs: done.timing.firstByteMs, ranMs: done.timing.totalMs }
      }
    },

    /** @param {ProbeObject} object @returns {ProbeRequest} */
    heads: object => async () => {
      const fromMs = performance.now()
      await store.head(object.key, { signal })
      return { firstByteMs: performance.now() - fromMs }
    },

    clean: trial.clean,
  }
}

/** Whether the store has said that it wrote nothing. @param {any} error */
const isRefusal = ({ facts }) => facts?.status >= 400 && facts.status < 500

/** @typedef {ReturnType<typeof createPlace>} Probed */

module.exports = { NAME, createPlace }

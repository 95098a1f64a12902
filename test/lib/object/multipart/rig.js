'use strict'

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { createVirtualClock } = require('../../../../bench/simulation/clock')
const { createTrust } = require('../../../../lib/destination')
const { UNLIMITED } = require('../../../../lib/engines')
const { XferError } = require('../../../../lib/errors')
const { applyFact, newObject } = require('../../../../lib/journal')
const { writeMultipart } = require('../../../../lib/object/multipart')
const { createOutages } = require('../../../../lib/outage')
const { createPressure, runParts } = require('../../../../lib/schedule')

const KEY = 'key'
const TEXT = `s3://bucket/${KEY}`
const FACTS = { side: 'destination', bucket: 'bucket', endpoint: 'http://store' }
const NO_METADATA = { headers: {}, user: {} }
const BODY = 'aaabbbcc'
const PARTS = [0, 3, 6].map((start, i) => ({ partNumber: i + 1, start, bytes: Math.min(3, BODY.length - start) }))
/** Retries of a control call. */
const RETRIES = 3

const errorOf = (code, facts = {}) => new XferError(code, { ...FACTS, reason: 'why', ...facts })
const md5 = bytes => createHash('md5').update(bytes)
const crcOf = text => crc32(text).toString(16).padStart(8, '0')
const sumsOf = text => ({ crc32: crcOf(text), md5: md5(text).digest('hex') })

/**
 * What can happen to a call. `act` does what was asked for.
 *
 * @typedef {(act: () => any) => any} Trouble
 */

/** It never reached the store, which is known. @type {Trouble} */
const notSent = () => {
  throw errorOf('STORE_UNREACHABLE', { reason: 'ECONNREFUSED' })
}
/** There was no answer, and nothing was done. @type {Trouble} */
const unanswered = () => {
  throw errorOf('STORE_UNREACHABLE', { reason: 'ECONNRESET' })
}
/** It was done, and the answer was lost. @type {Trouble} */
const lost = act => {
  act()
  return unanswered(act)
}
/** @returns {Trouble} the store refuses it */
const refused =
  (code, facts = { status: 400 }) =>
  () => {
    throw errorOf(code, facts)
  }
/** @returns {Trouble} the store says that it was done, and it was not */
const lie = answer => () => answer

/**
 * One object of three parts through the route `multipart`, to a store of the test's, which keeps what it was really sent. What runs
 * leave is there for the next one: the store, and the facts of the journal.
 *
 * @param {object} [how]
 * @param {Record<string, Trouble[]>} [how.trouble] by call (`create`, `part 1`, `parts`, `complete`, `abort`, `head`, `pending`):
 *   what happens at the first, the second, …; an empty place, or none: nothing
 * @param {object} [how.condition] of the write
 * @param {string} [how.there] the text that the destination has before
 */
function createRig({ trouble = {}, condition = {}, there } = {}) {
  /** @type {Map<string, Map<number, { text: string, etag: string }>>} */
  const uploads = new Map()
  /** @type {{ text: string, etag: string, atMs: number } | undefined} */
  let object = there === undefined ? undefined : { text: there, etag: `"${md5(there).digest('hex')}"`, atMs: 0 }
  const facts = []
  const calls = []
  const events = []
  let created = 0
  let clock = createVirtualClock()
  /** Parts whose sender has given up, and that are still on their way. @type {Array<() => void>} */
  const onTheirWay = []

  /** Where parts are kept in folders, one that comes too late makes the folder of its upload again. */
  function keep({ uploadId, partNumber }, text) {
    const parts = uploads.get(uploadId) ?? new Map()
    uploads.set(uploadId, parts)
    const etag = `"${md5(text).digest('hex')}"`
    parts.set(partNumber, { text, etag })
    return etag
  }

  /** All that is still on its way arrives. */
  function arrive() {
    for (const one of onTheirWay.splice(0)) one()
  }

  const headOf = ({ text, etag, atMs }) => ({ bytes: text.length, etag, lastModifiedMs: atMs, metadata: NO_METADATA })

  const answers = {
    head() {
      if (!object) throw errorOf('NO_SUCH_KEY', { status: 404 })
      return headOf(object)
    },
    create() {
      const id = `upload-${++created}`
      uploads.set(id, new Map())
      return { id, checksums: false }
    },
    parts({ uploadId, marker = '0', most }) {
      const parts = uploads.get(uploadId)
      if (!parts) throw errorOf('UPLOAD_GONE', { status: 404 })
      const listed = [...parts].filter(([partNumber]) => partNumber > Number(marker)).sort(([a], [b]) => a - b)
      const page = listed.slice(0, most)
      const next = page.length < listed.length ? String(page.at(-1)?.[0]) : undefined
      return { parts: page.map(([partNumber, { text, etag }]) => ({ partNumber, etag, bytes: text.length })), next }
    },
    complete({ uploadId, parts, condition: wanted }) {
      const stored = uploads.get(uploadId)
      if (!stored) throw errorOf('UPLOAD_GONE', { status: 404 })
      const differs = parts.some(({ partNumber, etag }) => stored.get(partNumber)?.etag !== etag)
      if (differs) throw errorOf('STORE_REFUSED', { status: 400, partsDiffer: true, completes: true })
      if (wanted?.ifNoneMatch && object) throw errorOf('DESTINATION_EXISTS', { status: 412 })
      const texts = parts.map(({ partNumber }) => stored.get(partNumber).text)
      const digests = Buffer.concat(texts.map(text => md5(text).digest()))
      object = { text: texts.join(''), etag: `"${md5(digests).digest('hex')}-${parts.length}"`, atMs: clock.now() }
      uploads.delete(uploadId)
      return { etag: object.etag }
    },
    abort({ uploadId }) {
      if (!uploads.delete(uploadId)) throw errorOf('UPLOAD_GONE', { status: 404 })
    },
    pending: () => ({ uploads: [...uploads.keys()].map(id => ({ key: KEY, id })) }),
  }

  /**
   * One run of the job.
   *
   * @param {object} [run]
   * @param {number} [run.killAt] the process ends at this step: before or after a call of the store, or a line of the journal
   * @returns {Promise<any>} what was written, or the error
   */
  async function go({ killAt = Number.POSITIVE_INFINITY } = {}) {
    clock = createVirtualClock()
    let steps = 0
    const isDead = () => steps >= killAt
    function step() {
      if (isDead() || ++steps >= killAt) throw errorOf('INTERRUPTED')
    }

    const state = { id: 'job', createdMs: 0, updatedMs: 0, ...newObject() }
    for (const fact of facts) applyFact(state, structuredClone(fact))
    const unwritten = []
    function note(fact) {
      if (isDead()) return
      applyFact(state, { n: 0, at: 0, ...fact })
      unwritten.push(structuredClone({ n: 0, at: 0, ...fact }))
    }
    const journal = {
      kept: true,
      state,
      note,
      async write(fact) {
        step()
        note(fact)
        facts.push(...unwritten.splice(0))
      },
      uploads: async () => facts.flatMap(({ type, id }) => (type === 'upload' ? [id] : [])),
    }

    /** Asks again at once, as `withRetry` does after a while. */
    const call =
      name =>
      async (input, { onRetry } = {}) => {
        for (let tries = 1; ; tries++) {
          try {
            step()
            calls.push(name)
            const act = () => answers[name](input)
            const happens = trouble[name]?.shift()
            const answer = happens ? await happens(act) : act()
            step()
            return answer
          } catch (error) {
            if (isDead() || !error.retryable || tries > RETRIES) throw error
            onRetry?.(error)
          }
        }
      }

    const store = {
      facts: FACTS,
      can: { partTag: 'md5', sumAt: 'none', sums: { stored: [], checked: [], answered: [] } },
      now: () => clock.now(),
      head: call('head'),
      explain: ({ status }) => errorOf('STORE_ERROR', { status }),
      readWritten: () => ({}),
      upload: {
        create: call('create'),
        parts: call('parts'),
        complete: call('complete'),
        abort: call('abort'),
        pending: call('pending'),
        part: async part => ({ request: part }),
      },
    }
    const source = { facts: { ...FACTS, side: 'source' }, can: {}, read: async ({ range }) => ({ request: range }) }

    async function run(tasks) {
      await clock.delay(10)
      return tasks.map(({ partNumber, bytes, read, write }) => {
        if (isDead()) throw errorOf('INTERRUPTED')
        const text = BODY.slice(read.start, read.end + 1)
        if (!write) return { partNumber, bytes, etag: '', sums: sumsOf(text) }
        const act = () => ({ etag: keep(write, text) })
        const happens = trouble[`part ${partNumber}`]?.shift()
        const { error, etag } = happens ? happens(act) : act()
        return error ? { partNumber, error } : { partNumber, bytes, etag, sums: sumsOf(text) }
      })
    }

    const emit = event => events.push(event)
    const outages = createOutages({ timeoutMs: 600_000, emit, clock })
    const job = {
      source: { store: source, key: 'source', text: 's3://from/source' },
      destination: { store, key: KEY, text: TEXT },
      engine: { run, can: { cancel: true } },
      settings: { verify: 'auto', proved: true, retries: RETRIES, condition },
      trust: createTrust(store),
      run: { journal, emit, pressure: createPressure({ outages, random: () => 0.5, clock }) },
      keepsUploads: () => true,
    }
    const written = writeMultipart({
      job,
      object: { bytes: BODY.length, etag: '"source"', sums: { crc32: crcOf(BODY) }, metadata: NO_METADATA },
      attributes: { metadata: NO_METADATA },
      plan: { route: 'multipart', bytes: BODY.length, partBytes: 3, parts: PARTS, notices: [] },
      concurrency: 1,
      limits: { ...UNLIMITED, concurrent: 1 },
      schedule: (parts, given) => clock.run(runParts(parts, { ...given, clock, random: () => 0.5 })),
      restart() {},
      reading: () => () => {},
    })
    return await written.then(
      done => ({ ...done, steps, calls: [...calls] }),
      error => ({ code: error.code, error, steps }),
    )
  }

  return {
    go,
    calls,
    events,
    facts,
    arrive,
    /** What becomes of a part that its sender gives up: it is still on its way. @type {Trouble} */
    late(act) {
      onTheirWay.push(act)
      return { error: { code: 'CONNECTION_CUT', side: 'write', message: 'The connection was cut.' } }
    },
    /** @param {string} text that somebody else writes */
    overwrite(text) {
      object = { text, etag: `"${md5(text).digest('hex')}"`, atMs: clock.now() + 1 }
    },
    /** The text at the destination. */
    text: () => object?.text,
    etag: () => object?.etag,
    uploads: () => [...uploads.keys()],
  }
}

module.exports = { BODY, createRig, lie, lost, notSent, refused, unanswered }

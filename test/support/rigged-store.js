'use strict'

/** Both ends of a copy, and an engine between them, in the memory of the test, which says what goes wrong at which call. */

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { XferError } = require('../../lib/errors')

const NO_METADATA = { headers: {}, user: {} }
/** Retries of a control call. */
const RETRIES = 3
const GONE = { status: 404 }

const errorOf = (code, facts = {}) =>
  new XferError(code, { side: 'destination', bucket: 'bucket', endpoint: 'http://store', reason: 'why', ...facts })
const md5 = bytes => createHash('md5').update(bytes)
const md5Of = text => md5(text).digest('hex')
const tagOf = text => `"${md5Of(text)}"`
const crcOf = text => crc32(text).toString(16).padStart(8, '0')

/**
 * What can happen to a call. `act` does what was asked for; that of a write may keep another text than was sent.
 *
 * @typedef {(act: (text?: string) => any) => any} Trouble
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
/** @param {string} code @param {object} [facts] @returns {Trouble} the store refuses it */
const refused =
  (code, facts = { status: 400 }) =>
  () => {
    throw errorOf(code, facts)
  }

const denied = refused('ACCESS_DENIED', { status: 403 })

/** What may happen to any call. @type {Record<string, Trouble>} */
const TROUBLES = {
  notSent,
  unanswered,
  lost,
  denied,
  refused: refused('STORE_REFUSED'),
}

/** The same once more, for a store that uses it up. @param {Record<string, Trouble[]>} trouble */
const again = trouble => Object.fromEntries(Object.entries(trouble).map(([call, happens]) => [call, [...happens]]))

/**
 * A store that keeps what it was really sent. Unless `can` says otherwise its ETags are MD5s, and it neither checks nor computes a
 * checksum.
 *
 * @param {object} [how]
 * @param {'source' | 'destination'} [how.side]
 * @param {Record<string, string>} [how.texts] its objects, by key
 * @param {number} [how.atMs] when they were written
 * @param {Record<string, Trouble[]>} [how.trouble] by call, such as `complete`, or `head` and a key, or `part` and a number: what happens at the
 *   first, the second, …; nothing after that
 * @param {() => number} [how.now]
 * @param {Partial<import('../../lib/types').Abilities>} [how.can]
 * @param {boolean} [how.knowsParts] whether it tells the ETag of an object that was made of given parts
 */
function createRiggedStore(how = {}) {
  const { side = 'destination', texts = {}, atMs = 0, trouble = {}, now = Date.now, knowsParts = false } = how
  const can = { partTag: 'md5', sumAt: 'none', sums: { stored: [], checked: [], answered: [] }, ...how.can }
  /** @typedef {{ text: string, etag: string }} Kept */
  /** @type {Map<string, Kept & { atMs: number, summed: boolean, parts?: string[] }>} */
  const objects = new Map()
  /** @type {Map<string, { key: string, summed: boolean, parts: Map<number, Kept> }>} */
  const uploads = new Map()
  const calls = []
  let created = 0
  let written = 0
  const etagOf = text => (can.partTag === 'md5' ? tagOf(text) : `"${++written}"`)
  const isComputed = can.sums.computed?.includes('crc32') === true
  const sumsOf = (text, summed) => summed && { sums: { crc32: crcOf(text) } }
  const put = (key, text, ms, etag = etagOf(text), { summed = isComputed, parts } = {}) => {
    objects.set(key, { text, etag, atMs: ms, summed, parts })
    return { etag, ...sumsOf(text, summed) }
  }
  for (const [key, text] of Object.entries(texts)) put(key, text, atMs)

  const found = key => {
    const object = objects.get(key)
    if (!object) throw errorOf('NO_SUCH_KEY', { ...GONE, side })
    const { text, etag, atMs, summed } = object
    return { bytes: text.length, etag, lastModifiedMs: atMs, ...sumsOf(text, summed) }
  }
  const uploadOf = id => {
    const upload = uploads.get(id)
    if (!upload) throw errorOf('UPLOAD_GONE', GONE)
    return upload
  }

  /** @param {string} key @param {import('../../lib/types').WriteCondition} [condition] of a write */
  function mustAllow(key, { ifNoneMatch, ifMatch } = {}) {
    const { etag } = objects.get(key) ?? {}
    const allows = can.ignoresConditions || (!(ifNoneMatch && etag) && !(ifMatch && etag !== ifMatch))
    if (!allows) throw errorOf('DESTINATION_EXISTS', { status: 412 })
  }

  /** Keys come in the order of their bytes, which is that of their letters here. */
  function list({ prefix, after = '', marker = after, most = 1_000 }) {
    const keys = [...objects.keys()].filter(key => key.startsWith(prefix) && key > marker).sort()
    const page = keys.slice(0, most)
    const next = page.length < keys.length ? page.at(-1) : undefined
    return { objects: page.map(key => ({ key, ...found(key) })), next }
  }

  const answers = {
    list,
    head: key => ({ ...found(key), metadata: NO_METADATA }),
    remove({ key }) {
      objects.delete(key)
    },
    removeAll(keys) {
      for (const key of keys) objects.delete(key)
      return []
    },
    create({ key, checksum = false }) {
      const id = `upload-${++created}`
      uploads.set(id, { key, summed: checksum, parts: new Map() })
      return { id, checksums: checksum }
    },
    parts({ uploadId, marker = '0', most }) {
      const { parts, summed } = uploadOf(uploadId)
      const listed = [...parts].filter(([partNumber]) => partNumber > Number(marker)).sort(([a], [b]) => a - b)
      const page = listed.slice(0, most)
      const next = page.length < listed.length ? String(page.at(-1)?.[0]) : undefined
      const all = page.map(([partNumber, { text, etag }]) => ({
        ...{ partNumber, etag, bytes: text.length },
        ...sumsOf(text, summed),
      }))
      return { parts: all, next }
    },
    complete({ key, uploadId, parts, condition }) {
      const { parts: stored, summed } = uploadOf(uploadId)
      const differs = parts.some(({ partNumber, etag }) => stored.get(partNumber)?.etag !== etag)
      if (differs) throw errorOf('STORE_REFUSED', { status: 400, partsDiffer: true, completes: true })
      mustAllow(key, condition)
      const sent = parts.map(({ partNumber }) => stored.get(partNumber).text)
      const digests = Buffer.concat(sent.map(text => md5(text).digest()))
      uploads.delete(uploadId)
      const tag = can.partTag === 'md5' ? `"${md5(digests).digest('hex')}-${parts.length}"` : undefined
      return put(key, sent.join(''), now(), tag, { ...(summed && { summed }), parts: parts.map(({ etag }) => etag) })
    },
    made({ key, parts }) {
      const object = objects.get(key)
      return object?.parts?.join() === parts.map(({ etag }) => etag).join() ? object.etag : undefined
    },
    abort({ uploadId }) {
      uploadOf(uploadId)
      uploads.delete(uploadId)
    },
    pending: () => ({ uploads: [...uploads].map(([id, { key }]) => ({ key, id })) }),
  }

  /** @param {string} name @param {unknown} which @param {(text?: string) => any} act */
  function happen(name, which, act) {
    calls.push(`${name} ${which}`)
    const happens = trouble[`${name} ${which}`]?.shift() ?? trouble[name]?.shift()
    return happens ? happens(act) : act()
  }

  return {
    objects,
    uploads,
    calls,
    put,
    /** What a key has. @param {string} key */
    text: key => objects.get(key)?.text,

    /** Sends what a task writes. Where parts are kept in folders, one that comes too late makes the folder of its upload again. */
    write({ key, uploadId, partNumber, condition }, sent) {
      if (uploadId === undefined) {
        return happen('put', key, (text = sent) => {
          mustAllow(key, condition)
          return put(key, text, now())
        })
      }
      return happen('part', partNumber, (text = sent) => {
        const upload = uploads.get(uploadId) ?? { key, summed: false, parts: new Map() }
        uploads.set(uploadId, upload)
        const etag = etagOf(text)
        upload.parts.set(partNumber, { text, etag })
        return { etag }
      })
    },

    /**
     * The store as one process sees it. It asks again at once, as `withRetry` does after a while.
     *
     * @param {() => void} [step] called before and after each call; what it throws ends the call
     */
    open(step = () => {}) {
      const call =
        (name, whichOf = ({ key }) => key) =>
        async (input, { onRetry } = {}) => {
          for (let tries = 1; ; tries++) {
            step()
            try {
              const answer = await happen(name, whichOf(input), () => answers[name](input))
              step()
              return answer
            } catch (error) {
              if (!error.retryable || tries > RETRIES) throw error
              onRetry?.(error)
            }
          }
        }
      const transfer = async request => ({ request })
      return {
        facts: { side, bucket: 'bucket', endpoint: 'http://store' },
        can,
        limits: { minBytes: 1, maxBytes: 100, maxParts: 100, equalParts: false },
        now,
        pin: object => object,
        head: call('head', key => key),
        list: call('list', ({ prefix }) => prefix),
        remove: call('remove'),
        removeAll: call('removeAll', keys => keys.join()),
        read: transfer,
        put: transfer,
        explain: ({ status }) => errorOf('STORE_ERROR', { status, side }),
        readWritten: () => ({}),
        readDescription: () => ({ metadata: NO_METADATA }),
        describingHeaders: () => ({}),
        upload: {
          create: call('create'),
          part: transfer,
          parts: call('parts'),
          complete: call('complete'),
          abort: call('abort'),
          pending: call('pending', ({ prefix }) => prefix),
          ...(knowsParts && { made: call('made') }),
        },
      }
    },
  }
}

/** @typedef {ReturnType<typeof createRiggedStore>} RiggedStore */

const TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }

/** @param {string} text @param {string[]} asked @returns {Record<string, string>} its sums of these names */
function askedSums(text, asked) {
  const known = { crc32: crcOf(text), md5: md5Of(text) }
  return Object.fromEntries(asked.map(sum => [sum, known[sum]]))
}

/**
 * Carries out the tasks of an invocation.
 *
 * @param {{ source: RiggedStore, destination: RiggedStore }} ends
 * @param {any[]} tasks
 * @param {Record<number, string[]>} [misread] by start of a range: what the first readings of the source show
 */
function carryOut({ source, destination }, tasks, misread = {}) {
  return tasks.map(({ partNumber, bytes, read: { key, etag, range }, write, sums: asked }) => {
    const end = [source, destination].find(({ objects }) => objects.get(key)?.etag === etag)
    if (!end) return { partNumber, error: { code: 'SOURCE_CHANGED', side: 'read', message: 'It has changed.' } }
    const wrong = end === source ? misread[range?.start ?? 0]?.shift() : undefined
    const text = wrong ?? end.text(key).slice(range?.start, range && range.end + 1)
    const sums = askedSums(text, asked)
    try {
      const answer = write ? destination.write(write, text) : { etag: '' }
      return { partNumber, bytes, sums, timing: TIMING, ...answer }
    } catch (error) {
      const { code, facts, message } = error
      const unsent = facts.reason === 'ECONNREFUSED'
      const failure = { side: 'write', message, code: unsent ? 'UNREACHABLE' : 'CONNECTION_CUT' }
      return { partNumber, error: code === 'STORE_UNREACHABLE' ? failure : { ...failure, known: error } }
    }
  })
}

/**
 * An engine that reads a store's objects, and shows at first what a test says.
 *
 * @param {RiggedStore} rigged
 * @param {Record<string, Array<string | Error>>} [shows] by key and start of a range: what its readings show, or why they fail
 */
function createReader(rigged, shows = {}) {
  const left = new Map(Object.entries(shows).map(([name, texts]) => [name, [...texts]]))
  const reader = { read: /** @type {string[]} */ ([]), atOnce: 0, run }
  let running = 0
  /** @param {any[]} tasks */
  async function run(tasks) {
    reader.atOnce = Math.max(reader.atOnce, ++running)
    await Promise.resolve()
    running--
    return tasks.map(({ partNumber, bytes, read: { key, etag, range }, sums: asked }) => {
      const { start = 0, end = bytes - 1 } = range ?? {}
      reader.read.push(`${key} ${start}`)
      const object = rigged.objects.get(key)
      if (object?.etag !== etag)
        return { partNumber, error: { code: 'SOURCE_CHANGED', side: 'read', message: 'changed' } }
      const text = left.get(`${key} ${start}`)?.shift() ?? object.text.slice(start, end + 1)
      if (text instanceof Error)
        return { partNumber, error: { side: 'read', code: 'HTTP_STATUS', message: 'refused', known: text } }
      return { partNumber, bytes, etag: '', sums: askedSums(text, asked), timing: TIMING }
    })
  }
  return reader
}

/** A part that its sender gives up, and that is still on its way. */
function createLate() {
  /** @type {Array<() => void>} */
  const onTheirWay = []
  return {
    /** @type {Trouble} */
    send(act) {
      onTheirWay.push(act)
      return unanswered(act)
    },
    /** It arrives once the call has done its work. @type {Trouble} */
    arriveAfter(act) {
      const answer = act()
      for (const one of onTheirWay.splice(0)) one()
      return answer
    },
  }
}

module.exports = {
  NO_METADATA,
  RETRIES,
  TROUBLES,
  again,
  carryOut,
  crcOf,
  createLate,
  createReader,
  createRiggedStore,
  denied,
  errorOf,
  lost,
  md5Of,
  notSent,
  refused,
  unanswered,
}

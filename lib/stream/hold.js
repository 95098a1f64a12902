'use strict'

/**
 * Holds the parts of a stream until the destination has them, in memory of a fixed size: the source of a copy, a store whose
 * reads are answered from memory.
 */

const { createShared, untilAborted } = require('../async')
const { createHash } = require('node:crypto')
const { XferError, usage } = require('../errors')
const { createSums } = require('../../actions/copy-range/copy')
const { namesOf, sumText, SUM_WORDS } = require('../integrity')

/** @typedef {ReturnType<typeof createArena>} Arena */
/** @typedef {{ start: number, bytes: number }} HeldRange of a part in the memory */
/** @typedef {ReturnType<typeof createHold>} Hold */

/**
 * The memory of all streams of this process. A stream waits for its turn until there is memory for its first part, and then for each
 * further one: so a thousand streams at once need no more than one that is fast.
 *
 * @type {ReturnType<typeof createShared<Arena>>}
 */
const arenas = createShared(() => {})

/** @param {number} memoryBytes no part is larger; of all streams together */
function createHold(memoryBytes) {
  const { value: arena, leave } = arenas.take(String(memoryBytes), () => createArena(memoryBytes))

  return {
    memory: arena.memory,

    /** The memory of a part may be used again. */
    give: arena.give,

    /**
     * Waits until there is memory for a part, in the order of those who wait.
     *
     * @param {number} bytes
     * @param {AbortSignal} [signal]
     * @returns {Promise<HeldRange>}
     */
    async take(bytes, signal) {
      const { taken, giveUp } = arena.takeInTurn(bytes)
      try {
        return await untilAborted(taken, signal)
      } catch (error) {
        giveUp()
        throw error
      }
    },

    close: leave,
  }
}

/**
 * The memory that holds the parts of a stream: one piece, of which ranges are taken and given back. It is shared with the
 * threads of the engine, and used again: memory that was left to the garbage collector would be much more than was allowed.
 * The system gives memory only to what was written to, so a short stream takes little.
 */

/** @param {number} bytes */
function createArena(bytes) {
  const memory = new SharedArrayBuffer(bytes)
  /** What is free, in order; neighbours are joined. @type {HeldRange[]} */
  let free = [{ start: 0, bytes }]
  /** What is not. @type {Set<HeldRange>} */
  const out = new Set()
  /** In order of arrival. @type {Array<{ wanted: number, enter: (range: HeldRange) => void }>} */
  const waiting = []

  /** @param {number} wanted bytes @returns {HeldRange | undefined} undefined: no piece is free that is large enough */
  function take(wanted) {
    const at = free.findIndex(range => range.bytes >= wanted)
    if (at < 0) return undefined
    const { start, bytes: size } = free[at]
    const rest = size > wanted ? [{ start: start + wanted, bytes: size - wanted }] : []
    free.splice(at, 1, ...rest)
    const range = { start, bytes: wanted }
    out.add(range)
    return range
  }

  /** @param {HeldRange} range that was taken @throws {Error} of one that was given back before: two streams would write there */
  function give(range) {
    if (!out.delete(range)) throw new Error('memory was given back twice')
    free = joined([...free, range].sort((one, other) => one.start - other.start))
    serve()
  }

  function serve() {
    while (waiting.length > 0) {
      const range = take(waiting[0].wanted)
      if (!range) return
      waiting.shift()?.enter(range)
    }
  }

  return {
    memory,
    take,

    /**
     * Waits for memory.
     *
     * @param {number} wanted bytes
     * @returns {{ taken: Promise<HeldRange>, giveUp: () => void }} giveUp: who waits no more lets the others pass
     */
    takeInTurn(wanted) {
      const turn = { wanted, enter: (/** @type {HeldRange} */ _) => {} }
      const taken = new Promise(enter => {
        turn.enter = enter
      })
      waiting.push(turn)
      serve()
      return {
        taken,
        giveUp() {
          const at = waiting.indexOf(turn)
          if (at < 0) return void taken.then(give)
          waiting.splice(at, 1)
          serve()
        },
      }
    },

    give,
  }
}

/** @param {HeldRange[]} ranges in order @returns {HeldRange[]} */
function joined(ranges) {
  /** @type {HeldRange[]} */
  const whole = []
  for (const { start, bytes } of ranges) {
    const last = whole.at(-1)
    if (last && last.start + last.bytes === start) last.bytes += bytes
    else whole.push({ start, bytes })
  }
  return whole
}

/** What the transport of memory answers. @type {import('../types').AnswerRule} */
const RULE = { statuses: [200], errorCode: { header: 'x-error' } }

/** @type {import('../types').Store['can']} */
const CAN = {
  reach: 'process',
  readsOnce: true,
  listsUploadsByPrefix: false,
  sums: { stored: [], checked: [], answered: [] },
  sumAt: 'none',
  partTag: 'none',
  keepsMetadata: true,
  hidesBelow: false,
}

/** A stream has no description. */
const BARE = { metadata: { headers: {}, user: {} }, tags: 0 }

/**
 * @param {string} text for people
 * @param {Pick<Hold, 'memory'>} hold of the stream
 * @param {() => Pick<ReturnType<typeof import('./cut').createCutter>, 'find'>} cutter
 * @returns {import('../job/contract').Side}
 */
function createSource(text, { memory: held }, cutter) {
  const facts = { side: /** @type {const} */ ('source'), protocol: text, bucket: '', endpoint: text }
  /** What a copy asks of its source. @satisfies {Partial<import('../types').Store>} */
  const store = {
    scheme: '-',
    facts,
    endpoint: text,
    origin: '',
    can: CAN,
    authenticate: async () => false,
    readDescription: () => BARE,
    /** @type {import('../types').Store['explain']} */
    explain: ({ status, storeCode, ...said }) =>
      new XferError('INTERNAL', { ...facts, ...said, reason: `memory answered ${status} ${storeCode ?? ''}`.trim() }),
    now: Date.now,
    ping: async () => {},
    /** @type {import('../types').Store['read']} */
    async read({ range }) {
      // A task reads a part as a whole.
      const part = cutter().find(range ?? { start: 0 })
      if (!part) throw new XferError('STREAM_PASSED')
      // The part begins within the memory, and is read as if it was an object.
      const headers = { 'x-start': String(-part.range.start), 'x-total': String(part.bytes) }
      return { request: { method: 'GET', url: 'memory:stream', headers, held, accepts: RULE }, totalBytes: part.bytes }
    },
    close: async () => {},
  }
  const settings = /** @type {import('../types').StoreSettings} */ ({ side: 'source' })
  return { store: /** @type {any} */ (store), key: '', text, plain: text, place: text, settings }
}

/**
 * What is known of the stream beforehand: its SHA-256 by the caller; size and checksums by the server of an object. Judged before
 * anything becomes visible.
 */

/**
 * @param {object} expected
 * @param {string} [expected.sha256] 64 hex digits
 * @param {{ bytes?: number, sums?: import('../types').Sums }} [expected.told] what the server of the object tells, in hex
 */
function createExpectation({ sha256, told = {} }) {
  const { bytes } = told
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  const names = namesOf(told.sums ?? {})
  const sums = createSums(names)
  let found = 0

  return {
    /** @param {Buffer} piece in order @throws {XferError} INPUT_DIFFERS once there is too much */
    update(piece) {
      found += piece.length
      if (bytes !== undefined && found > bytes) throw differs('size', bytes, `more than ${bytes}`)
      hash?.update(piece)
      sums.update(piece)
    },

    /** Called when the stream has ended. @throws {XferError} INPUT_DIFFERS */
    judge() {
      if (bytes !== undefined && found !== bytes) throw differs('size', bytes, found)
      const digest = hash?.digest('hex')
      if (sha256 !== undefined && sha256.toLowerCase() !== digest) throw differs('SHA-256', sha256, digest)
      const all = sums.digest()
      for (const name of names) {
        if (told.sums?.[name] === all[name]) continue
        throw differs(SUM_WORDS[name], sumText(name, told.sums?.[name]), sumText(name, all[name]), 'server')
      }
    },
  }
}

/** @param {string} what @param {unknown} expected @param {unknown} found @param {string} [of] 'server': its server tells it */
function differs(what, expected, found, of) {
  return new XferError('INPUT_DIFFERS', { what, expected, found, ...(of && { of }) })
}

/** @param {string} text @returns {string} in lower case @throws {XferError} USAGE */
function readSha256(text) {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw usage('--expect-sha256 is not a SHA-256 in hex.', 'Give its 64 digits, as sha256sum prints them.')
}

module.exports = { createHold, createArena, BARE, createSource, createExpectation, readSha256 }

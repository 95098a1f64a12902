'use strict'

/**
 * The parts of a stream: cut as its bytes come, and sent while more come. No more is read than the memory holds, so a fast
 * producer waits. Its length is not known, the number of parts is limited, and every part is held until the store has it: so
 * the parts begin small and grow.
 */

const { usage, XferError, abortReason, asXferError, isError, kindOf, messageOf } = require('../errors')
const { anySignal, createSemaphore, untilAborted } = require('../async')
const { createScheduler } = require('../schedule')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('./hold').HeldRange} HeldRange */
/** @typedef {Part & { range: HeldRange }} HeldPart range: where it is in the memory */

const MiB = 1024 ** 2

const FIRST_BYTES = 8 * MiB
/** For a store that wants parts of one size: so much of the memory; of 512 MiB a part has 64, and 10,000 have 625 GiB. */
const EQUAL_SHARE = 1 / 8
/** The largest part: one is filled while the other is sent. */
const LARGEST_SHARE = 1 / 2
/** The size doubles with each tenth of the parts: 10,000 from 8 MiB on hold 1.4 TiB. */
const STEPS = 10
/** The share of the parts that is planned for `--size`, which may be a little too small. */
const PLANNED = 0.9

/**
 * @typedef {object} PartSizes
 * @property {(partNumber: number, start: number) => number} bytesOf the size of a part that begins at this offset
 * @property {number} first the size of the first part
 * @property {number} maxParts
 * @property {number} most the bytes that all parts hold
 */

/**
 * @param {object} of
 * @param {import('../types').PartLimits} of.limits of the destination
 * @param {number} of.memoryBytes what all parts that are held may take
 * @param {number} [of.chunkBytes] the size of the first part that the user asked for
 * @param {number} [of.sizeBytes] how long the stream probably is
 * @returns {PartSizes}
 * @throws {XferError} USAGE if the parts are too large for the memory
 */
function createPartSizes({ limits, memoryBytes, chunkBytes, sizeBytes = 0 }) {
  const { minBytes, maxBytes, maxParts, equalParts } = limits
  const largest = Math.min(maxBytes, LARGEST_SHARE * memoryBytes)
  const wanted = Math.max(minBytes, chunkBytes ?? (equalParts ? EQUAL_SHARE * memoryBytes : FIRST_BYTES))
  const plannedParts = Math.max(1, Math.floor(PLANNED * maxParts))
  const planned = Math.ceil(sizeBytes / plannedParts / MiB) * MiB
  const first = Math.max(wanted, planned)
  if (first > largest) throw tooLarge({ first, largest, most: largest * plannedParts, planned })

  /** @param {number} partNumber @param {number} start */
  function bytesOf(partNumber, start) {
    if (equalParts || start < sizeBytes) return first
    const doublings = Math.floor(((partNumber - 1) * STEPS) / maxParts)
    return Math.max(first, Math.min(largest, wanted * 2 ** doublings))
  }

  return {
    bytesOf,
    first,
    maxParts,
    get most() {
      let bytes = 0
      for (let partNumber = 1; partNumber <= maxParts; partNumber++) bytes += bytesOf(partNumber, bytes)
      return bytes
    },
  }
}

/** @param {{ first: number, largest: number, most: number, planned: number }} sizes planned: of the parts that `--size` needs */
function tooLarge({ first, largest, most, planned }) {
  const limit = Math.ceil(largest / MiB)
  const held = `parts of at most ${limit} MiB, because each is held in memory until the destination has it`
  if (first > planned) return usage(`A stream has ${held}.`, 'Choose a smaller --chunk, or a larger --memory.')
  return usage(
    `A stream has ${held}: --size can be ${Math.floor(most / MiB / 1024).toLocaleString('en-US')} GiB at most.`,
    'Split the stream; or write it to a file, and copy that: xfer copy FILE DEST.',
  )
}

const NOTHING = Buffer.alloc(0)

/** What a stream is read by; or bytes that are there. @typedef {(AsyncIterable<unknown> & { destroy(): unknown }) | Bytes} StreamInput */
/** @typedef {{ whole: Uint8Array }} Bytes */

/** Ends a wait for a piece that nobody wants any more. Never shown; one error for all, because a stack trace costs time. */
const CLOSED = new XferError('INTERRUPTED', { what: 'upload' })

/**
 * @param {StreamInput} input
 * @param {object} how
 * @param {PartSizes} how.sizes
 * @param {import('./hold').Hold} how.hold
 * @param {HeldRange} how.range of the first part, taken from it already
 * @param {ReturnType<typeof import('./hold').createExpectation>} how.expectation
 * @param {AbortSignal} [how.signal] ends the reading
 */
function createCutter(input, { sizes, hold, range: given, expectation, signal }) {
  /** Until the first part is cut. @type {HeldRange | undefined} */
  let first = given
  /** Absent where all bytes are there. @type {ReturnType<typeof openInput> | undefined} */
  let opened
  /** Read, and in no part yet. @type {Buffer} */
  let rest = NOTHING
  let bytes = 0
  let over = false
  /** All that have come. @type {Part[]} */
  const parts = []
  /** Those whose bytes are still there, by their offset. @type {Map<number, HeldPart>} */
  const held = new Map()
  /** @type {Promise<Part | undefined> | undefined} */
  let cutting
  let closed = false

  /** @returns {Promise<boolean>} whether there are bytes in `rest` */
  async function more() {
    while (rest.length === 0 && !over) {
      if ('whole' in input) {
        rest = bytesOf(input.whole)
        expectation.update(rest)
        expectation.judge()
        over = true
        break
      }
      opened ??= openInput(input, signal)
      const { value, done } = await opened.next()
      if (done) {
        over = true
        expectation.judge()
      } else {
        rest = bytesOf(value)
        expectation.update(rest)
      }
    }
    return rest.length > 0
  }

  /** @returns {Promise<Part | undefined>} */
  async function cut() {
    // Memory is taken only once there is something to hold.
    if (!(await more()) && parts.length > 0) return undefined
    const partNumber = parts.length + 1
    const start = bytes
    if (partNumber > sizes.maxParts) throw new XferError('TOO_LARGE', { most: start, maxParts: sizes.maxParts })
    const range = first ?? (await hold.take(sizes.bytesOf(partNumber, start), signal))
    first = undefined
    const filled = await fill(range, sizes.bytesOf(partNumber, start)).catch(error => {
      hold.give(range)
      throw error
    })
    if (closed) {
      // It has waited for the memory of the parts that were given up.
      hold.give(range)
      return undefined
    }
    bytes += filled
    const part = { partNumber, start, bytes: filled }
    parts.push(part)
    held.set(start, { ...part, range })
    // A stream of one part is written in one request: whether it is one shows by what follows.
    if (partNumber === 1) await more()
    return part
  }

  /** @param {HeldRange} range @param {number} most @returns {Promise<number>} bytes, fewer than that at the end of the stream */
  async function fill({ start }, most) {
    const memory = Buffer.from(hold.memory, start, most)
    let filled = 0
    while (filled < most && (await more())) {
      const piece = rest.subarray(0, most - filled)
      filled += piece.copy(memory, filled)
      rest = rest.subarray(piece.length)
    }
    return filled
  }

  /** The destination has it, or will not get it. @param {Pick<Part, 'start'>} part */
  function release({ start }) {
    const part = held.get(start)
    if (part) hold.give(part.range)
    held.delete(start)
  }

  return {
    /** Those that have come so far; it grows. The first one is empty if the stream is. */
    parts,
    /** The bytes of these parts. */
    bytes: () => bytes,
    /** Whether the stream has ended, and all of it is in parts. */
    over: () => over && rest.length === 0,

    /**
     * @returns {Promise<Part | undefined>} the next part, once all of its bytes are there; undefined: there is none
     * @throws {XferError} INPUT_FAILED, INPUT_DIFFERS, TOO_LARGE; USAGE for a stream of something else than bytes
     */
    async next() {
      cutting ??= cut()
      const part = await cutting
      cutting = undefined
      return part
    },

    /** The part that begins here, if it is still held. @param {{ start: number }} range */
    find: ({ start }) => held.get(start),

    release,

    /** Reads no more, and holds nothing. */
    close() {
      closed = true
      opened?.close()
      if (first) hold.give(first)
      first = undefined
      for (const part of held.values()) release(part)
    },
  }
}

/**
 * @param {Exclude<StreamInput, Bytes>} input
 * @param {AbortSignal} [signal] ends the reading
 */
function openInput(input, signal) {
  const pieces = input[Symbol.asyncIterator]()
  /** An async generator that waits for something does not end when it is destroyed. */
  const ended = new AbortController()
  const until = signal ? anySignal([signal, ended.signal]) : ended.signal
  // A stream that is destroyed ends what waits for its next piece.
  const stop = () => void input.destroy()
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return {
    next: () =>
      untilAborted(pieces.next(), until).catch(error => {
        throw signal?.aborted ? abortReason(signal) : failed(error)
      }),
    close() {
      ended.abort(CLOSED)
      signal?.removeEventListener('abort', stop)
      stop()
    },
  }
}

/** @param {unknown} value a piece of the stream @returns {Buffer} */
function bytesOf(value) {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new XferError('USAGE', {
    text: `The stream gives ${kindOf(value)}, not bytes.`,
    advice: 'Give a stream of Buffers, such as Readable.from([Buffer.from(text)]), without an encoding.',
  })
}

/** @param {unknown} cause what the stream failed with */
function failed(cause) {
  const error = isError(cause) ? cause : new Error(messageOf(cause))
  return new XferError('INPUT_FAILED', { reason: messageOf(error) }, { cause: error })
}

/**
 * Schedules parts while they come: each goes to the scheduler when its last byte is there, and is held until it is done. One is read
 * ahead of those that are sent, and no more than may be sent at once are held: a slow store makes the producer wait.
 *
 * @param {ReturnType<typeof createCutter>} cutter
 * @param {{ partBytes: number }} how partBytes: of the first part
 * @returns {NonNullable<import('../types').WriteWork['schedule']>} takes the parts that have come and are to be sent, and sends
 *   what still comes after them. Rejects with STREAM_PASSED if one of them is not held any more.
 */
function scheduleComing(cutter, { partBytes }) {
  return async (come, how) => {
    const lost = come.find(part => !cutter.find(part))
    if (lost) throw new XferError('STREAM_PASSED', { partNumber: lost.partNumber })
    const stop = new AbortController()
    // Nothing of a stream is kept, so there is nothing to wait for: what ends it ends it at once.
    const signals = [how.cancel, how.abort, stop.signal].filter(signal => signal !== undefined)
    const abort = anySignal(signals)
    const scheduler = createScheduler({ ...how, cancel: undefined, abort, workers: how.concurrency, partBytes })
    const held = createSemaphore(how.concurrency)
    const ahead = createSemaphore(1)
    /** @type {Array<Promise<TaskSuccess>>} */
    const sent = []
    /** @param {Part} part */
    async function send(part) {
      let taken = false
      const take = () => {
        if (!taken) ahead.leave(1)
        taken = true
      }
      /** @type {typeof how.sign} */
      const sign = one => {
        take()
        return how.sign(one)
      }
      const [outcome] = await scheduler.run([part], { ...how, sign })
      // It is resolved when nothing of the part is in flight: until then a second attempt may still read its bytes.
      cutter.release(part)
      take()
      held.leave(1)
      return outcome
    }
    const turn = async () => {
      await ahead.enter(1)
      await held.enter(1)
    }
    /** @param {Part} part */
    const start = part => {
      const outcome = send(part)
      outcome.catch(error => stop.abort(asXferError(error)))
      sent.push(outcome)
    }
    try {
      for (let i = 0; ; i++) {
        await untilAborted(turn(), abort)
        const part = come[i] ?? (await untilAborted(cutter.next(), abort))
        if (!part) break
        start(part)
      }
      return await Promise.all(sent)
    } catch (error) {
      stop.abort(asXferError(error))
      throw error
    } finally {
      await scheduler.end().catch(() => {})
    }
  }
}

module.exports = { createPartSizes, FIRST_BYTES, createCutter, scheduleComing }

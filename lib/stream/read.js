'use strict'

/**
 * Reads an object through the engine, several ranges ahead, and yields its bytes in order. A range is yielded only when it is
 * whole; the last one only when all of the object was judged.
 */

const { usage, XferError } = require('../errors')
const { createHash } = require('node:crypto')
const { only, sumsOfParts } = require('../integrity')
const { createScheduler, taskMaker } = require('../schedule')
const { explainRead } = require('../verify')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {{ bytes: number, sums: import('../types').Sums, etag: string }} ReadPart */
/**
 * @typedef {object} ProofPlan
 * @property {import('../types').Sum[]} sums those that are computed of each range
 * @property {boolean} md5 whether an MD5 is needed, which is computed of all bytes in their order
 * @property {number} [partBytes] the parts whose checksums the source's checksum is made of; absent: one of all bytes
 */
/** @typedef {ReturnType<typeof import('../schedule').shareRate>} ReadCapacity */

const MiB = 1024 ** 2

/** A range that nobody chose: large enough for a connection's full speed, small enough to read many ahead. */
const USUAL_BYTES = 8 * MiB
/** Parts up to this size are read whole, because their checksums are then known at once. */
const MOST_WHOLE_PART = 16 * MiB
/** Ranges ahead, where nobody chose the concurrency. */
const USUAL_AHEAD = 16

/** @typedef {{ start: number, bytes: number, partBytes?: number, rangeBytes: number }} Cut what is read: partBytes: no range crosses the border of such a part */

/**
 * @param {object} wish
 * @param {number} wish.memoryBytes of all ranges that were read and are not yet written
 * @param {number} [wish.chunkBytes] the size that the user chose
 * @param {number} [wish.concurrency] the number that the user chose
 * @param {number} [wish.partBytes] of the source's parts, if they matter
 * @returns {{ rangeBytes: number, ahead: number }} ahead: ranges in memory, at least 1
 */
function sizeRanges({ memoryBytes, chunkBytes, concurrency, partBytes }) {
  const whole = partBytes !== undefined && partBytes <= MOST_WHOLE_PART ? partBytes : USUAL_BYTES
  // Two ranges at least: one that is read while the other is written.
  const rangeBytes = Math.max(1, Math.min(chunkBytes ?? whole, memoryBytes / 2, partBytes ?? Number.POSITIVE_INFINITY))
  const most = concurrency === undefined ? USUAL_AHEAD : concurrency + 1
  return { rangeBytes, ahead: Math.max(1, Math.min(most, Math.floor(memoryBytes / rangeBytes))) }
}

/**
 * @param {Cut} cut
 * @returns {Generator<import('../types').Part>} in order; one of 0 bytes if there is nothing to read
 */
function* rangesOf({ start, bytes, partBytes, rangeBytes }) {
  const end = start + bytes
  if (bytes === 0) yield { partNumber: 1, start, bytes: 0 }
  for (let at = start, partNumber = 1; at < end; partNumber++) {
    const border = partBytes === undefined ? end : Math.min(end, (Math.floor(at / partBytes) + 1) * partBytes)
    const size = Math.min(rangeBytes, border - at)
    yield { partNumber, start: at, bytes: size }
    at += size
  }
}

/** How many ranges `rangesOf` yields. @param {Cut} cut which begins at a border @returns {number} */
function countRanges({ bytes, partBytes = bytes, rangeBytes }) {
  if (bytes === 0) return 1
  const inParts = Math.floor(bytes / partBytes) * Math.ceil(partBytes / rangeBytes)
  return inParts + Math.ceil((bytes % partBytes) / rangeBytes)
}

/** The bytes that are wanted of an object: `--range`. Pure. */

/**
 * The first and the last byte, from 0; without the last one: to the end; without the first one: so many at the end.
 *
 * @typedef {{ first?: number, last?: number }} WantedRange
 */

const ADVICE = 'Give the first and the last byte, from 0: 0-999; 1000- for all from there; -500 for the last 500.'

/** @param {string} text @returns {WantedRange} @throws {XferError} USAGE */
function parseRange(text) {
  const [, from, to] = /^(\d*)-(\d*)$/.exec(text) ?? []
  const [first, last] = [from, to].map(digits => (digits ? Number(digits) : undefined))
  const isWhole = [first, last].every(each => each === undefined || Number.isSafeInteger(each))
  const backwards = first !== undefined && last !== undefined && last < first
  if ((first === undefined && last === undefined) || !isWhole || backwards) {
    throw usage(`--range "${text}" is no range of bytes.`, ADVICE)
  }
  return { first, last }
}

/**
 * @param {WantedRange | undefined} wanted undefined: all
 * @param {number} total of the object
 * @returns {{ start: number, bytes: number }} as far as the object has them
 * @throws {XferError} USAGE if it has none of them
 */
function chosenOf(wanted, total) {
  if (!wanted) return { start: 0, bytes: total }
  const { first, last } = wanted
  const start = first ?? Math.max(0, total - /** @type {number} */ (last))
  const end = first === undefined ? total : Math.min(total, (last ?? total) + 1)
  if (start < end) return { start, bytes: end - start }
  throw usage(`--range lies outside the object, which has ${total.toLocaleString('en-US')} bytes.`, ADVICE)
}

/**
 * Joins the checksums of ranges to those of parts, in order.
 *
 * @param {Pick<ProofPlan, 'partBytes'>} plan
 */
function createTally({ partBytes = Number.POSITIVE_INFINITY }) {
  /** @type {ReadPart[]} */
  const parts = []
  /** Whether the last part has all of its ranges. */
  let full = true

  return {
    /** As `judgeSource` takes them. */
    parts,
    /** The next range. Ranges end where parts do. @param {{ bytes: number, sums: import('../types').Sums }} range @returns {boolean} whether a part ends with it */
    add(range) {
      const joined = full ? [range] : [...parts.splice(-1), range]
      const bytes = joined.reduce((sum, one) => sum + one.bytes, 0)
      parts.push({ bytes, sums: sumsOfParts(joined), etag: '' })
      full = bytes >= partBytes
      return full
    },
  }
}

/**
 * @param {object} work
 * @param {import('./download').OpenedDownload} work.opened
 * @param {import('../types').ObjectHead} work.object
 * @param {Cut & { ahead: number }} work.cut
 * @param {ProofPlan} work.plan
 * @param {ReadCapacity} work.capacity
 * @param {ReturnType<typeof import('../progress').watchProgress>} work.watch
 * @param {(parts: ReadPart[]) => Promise<void>} work.judge is called before the last range is yielded
 * @returns {AsyncGenerator<Buffer, void, void>}
 * @throws {import('../types').XferError} OBJECT_CHANGED, what `judge` throws, the failure of a range
 */
async function* readBytes({ opened, object, cut, plan, capacity, watch, judge }) {
  const { source, run, settings } = opened
  const { rangeBytes, ahead } = cut
  /** Memory that the threads of the engine fill, used again and again. @type {SharedArrayBuffer[]} */
  const free = []
  // A range that is a whole part gets its MD5 from its task.
  const inTask = plan.md5 && Math.min(plan.partBytes ?? object.bytes, object.bytes) <= rangeBytes
  // An MD5 cannot be joined from those of ranges: that of several is computed here, of their bytes in order.
  let md5 = plan.md5 && !inTask ? createHash('md5') : undefined
  const scheduler = createScheduler({
    run: watch.engine.run,
    startWith: watch.engine.startWith,
    ...capacity,
    workers: Math.min(capacity.concurrency, ahead),
    partBytes: rangeBytes,
    retries: settings.retries,
    pressure: run.pressure,
    abort: run.abort,
    emit: run.emit,
  })
  const explain = explaining(source)
  const sums = /** @type {import('../types').Sum[]} */ ([...plan.sums, ...(inTask ? ['md5'] : [])])

  /** Where its checksums are known, a range that is the whole object is compared before it counts. */
  const known = cut.bytes === object.bytes && object.bytes <= rangeBytes ? only(object.sums, plan.sums) : undefined

  /** @param {Part} part */
  async function readRange(part) {
    const held = free.pop() ?? new SharedArrayBuffer(Math.min(rangeBytes, Math.max(cut.bytes, 1)))
    const write = async () => fill(held, part.bytes)
    const sign = taskMaker({ source, object, write, sums, known })
    const [{ bytes, sums: found }] = await scheduler.run([part], { sign, explain, emit: run.emit })
    return { bytes, sums: found, held, last: part.start + part.bytes === cut.start + cut.bytes }
  }

  const tally = createTally(plan)
  try {
    for await (const { held, bytes, sums, last } of inOrder(rangesOf(cut), { ahead, work: readRange })) {
      md5?.update(Buffer.from(held, 0, bytes))
      const endsPart = tally.add({ bytes, sums })
      if (md5 && (endsPart || last)) {
        const part = /** @type {ReadPart} */ (tally.parts.at(-1))
        part.sums = { ...part.sums, md5: md5.digest('hex') }
        md5 = createHash('md5')
      }
      if (last) await judge(tally.parts)
      yield* piecesOf(held, bytes)
      free.push(held)
    }
  } finally {
    await scheduler.end()
  }
}

/** What the failure of a range means. @param {import('../job/contract').Side} source @returns {ReturnType<typeof explainRead>} */
function explaining(source) {
  const explain = explainRead(source, 'OBJECT_CHANGED')
  return taskError => {
    const error = explain(taskError)
    if (error.code !== 'OBJECT_CHANGED') return error
    const advice = 'What was written is of the earlier object: discard it, and repeat the command.'
    return new XferError('OBJECT_CHANGED', { ...error.facts, advice })
  }
}

/**
 * Does work on items ahead of who takes the results, and yields the results in the order of the items. A result that was taken
 * makes room for the next item when the following one is asked for, so no more than `ahead` are begun or waiting at any time.
 * A failure is thrown in its place: all results before it are yielded.
 *
 * @template T, R
 * @param {Iterable<T>} items
 * @param {{ ahead: number, work: (item: T) => Promise<R> }} how
 * @returns {AsyncGenerator<R, void, void>}
 */
async function* inOrder(items, { ahead, work }) {
  const rest = items[Symbol.iterator]()
  /** @type {Promise<R>[]} */
  const begun = []
  const begin = () => {
    while (begun.length < ahead) {
      const { done, value } = rest.next()
      if (done) return
      const result = work(value)
      // It is thrown when its turn comes.
      result.catch(() => {})
      begun.push(result)
    }
  }
  for (begin(); begun.length > 0; begin()) {
    yield await begun[0]
    begun.shift()
  }
}

/** Larger pieces cost more memory, smaller ones more calls. */
const PIECE_BYTES = 64 * 1024

/**
 * The write of a task: its bytes go into this memory.
 *
 * @param {SharedArrayBuffer} held
 * @param {number} bytes at most those of the memory
 * @returns {import('../types').Transfer}
 */
function fill(held, bytes) {
  const headers = { 'content-length': String(bytes) }
  return { request: { method: 'PUT', url: 'memory:range', headers, held, accepts: { statuses: [200] } } }
}

/**
 * Copies of what the memory holds: whoever gets them may keep them.
 *
 * @param {SharedArrayBuffer} held
 * @param {number} bytes
 * @returns {Generator<Buffer>}
 */
function* piecesOf(held, bytes) {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    yield Buffer.from(Buffer.from(held, at, Math.min(PIECE_BYTES, bytes - at)))
  }
}

module.exports = { countRanges, rangesOf, sizeRanges, chosenOf, parseRange, readBytes, inOrder }

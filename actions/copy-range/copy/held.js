'use strict'

/**
 * Copies a small object in a process that can sign: all bytes are read first, and then the write is made, with what the read has
 * told and with the checksum of the bytes in a header.
 */

const { Failure } = require('../failure')
const { sumsIn } = require('../answers')
const { MAX_TIMER_MS } = require('./attempt')
const { sumsOf } = require('./sums')
const { requestOf } = require('../task')
const { release, SMALL_BYTES, takeSmall } = require('../transport')
const { openWrite, withSource } = require('./write')

/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */
/** @typedef {import('../task').Work} Work */

/** The bytes that all tasks of a thread hold at once; a larger object is held alone. */
const MOST_HELD = 64 * 1024 * 1024
let held = 0
/** @type {Array<{ bytes: number, enter: () => void }>} in order of arrival */
const waiting = []

/** @param {number} bytes @returns {Promise<void> | undefined} undefined: they may be held now */
function enter(bytes) {
  if (waiting.length > 0 || (held > 0 && held + bytes > MOST_HELD)) {
    return new Promise(resolve => waiting.push({ bytes, enter: () => resolve() }))
  }
  held += bytes
}

/** @param {number} bytes that were held */
function leave(bytes) {
  held -= bytes
  while (waiting.length > 0 && (held === 0 || held + waiting[0].bytes <= MOST_HELD)) {
    const next = /** @type {typeof waiting[0]} */ (waiting.shift())
    held += next.bytes
    next.enter()
  }
}

/**
 * @param {import('../transport').Answer} source whose head is checked
 * @param {Work & { late: import('../task').Late }} work
 * @param {Attempt} attempt
 * @param {Pick<import('.').Options, 'onSent' | 'onBytes' | 'pace' | 'local'>} how
 * @returns {Promise<{ etag: string, sums: import('./sums').Sums, headers: import('../../../lib/types').TaskHeaders }>}
 * @throws {Failure}
 */
async function copyHeld(source, work, attempt, { onSent, onBytes, pace, local }) {
  const slab = work.bytes <= SMALL_BYTES ? takeSmall() : undefined
  const body = (slab?.memory ?? Buffer.allocUnsafe(work.bytes)).subarray(0, work.bytes)
  await readInto(body, source, work, attempt, { onBytes, pace })
  // Neither side is waited for meanwhile.
  attempt.rest()
  const read = /** @type {Record<string, string>} */ (source.headers)
  const kept = sumsIn(read, work.read.rule.checksums)
  const made = await work.late({ headers: read, kept, digest: kinds => sumsOf(kinds, body) }).catch(known => {
    throw Object.assign(new Failure('INTERNAL'), { known })
  })
  if (attempt.failure) throw attempt.failure
  const { sums, expect = {}, proxy } = made
  for (const sum of /** @type {import('./sums').Sum[]} */ (Object.keys(sums))) {
    if (expect[sum] === undefined || expect[sum] === sums[sum]) continue
    throw new Failure('SUM_MISMATCH', { side: 'read', sum, expected: expect[sum], found: sums[sum] })
  }
  const request = requestOf(made.write, made.write.accepts, local)
  const write = await openWrite(withSource(request, source), attempt, proxy ? through(attempt.reach, proxy) : undefined)
  if (body.length > 0) write.sink.write(body)
  write.sink.end()
  onSent?.()
  const { etag, headers = {} } = await write.answer()
  // After a failure the memory may still be on its way.
  if (slab) release(slab)
  return { etag, sums, headers: { read, write: /** @type {Record<string, string>} */ (headers) } }
}

/** @param {import('../net/routes').Reach} reach @param {string} proxy of the write */
function through(reach, proxy) {
  return { ...reach, proxies: { ...reach.proxies, write: proxy } }
}

/**
 * @param {Buffer} whole as long as the body
 * @param {import('../transport').Answer} source
 * @param {Work} work
 * @param {Attempt} attempt
 * @param {Pick<import('.').Options, 'onBytes' | 'pace'>} how
 * @returns {Promise<void>}
 * @throws {Failure} BODY_LENGTH, or what else ends the attempt
 */
function readInto(whole, { body }, { partNumber, bytes }, attempt, { onBytes, pace }) {
  let received = 0
  let ended = false
  /** @type {NodeJS.Timeout | undefined} while it is too early to read on */
  let early
  const wrongLength = () => attempt.fail(new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: received }))

  return attempt.until((/** @type {(value: void) => void} */ done) => {
    const finish = () => {
      if (received === bytes) done()
      else if (!attempt.failure) wrongLength()
    }
    /** The source is not watched meanwhile. @param {number} ms */
    const wait = ms => {
      clearTimeout(early)
      body.pause()
      attempt.rest()
      const readOn = () => {
        early = undefined
        if (ended) return finish()
        attempt.watch('read', attempt.stallMs)
        body.resume()
      }
      early = setTimeout(readOn, Math.min(ms, MAX_TIMER_MS))
    }
    body.start({
      data(piece) {
        if (attempt.failure) return
        received += piece.length
        if (received > bytes) return wrongLength()
        piece.copy(whole, received - piece.length)
        attempt.received(piece.length)
        attempt.moved('read')
        onBytes?.(partNumber, received)
        const waitMs = pace ? pace.take(piece.length) : 0
        if (waitMs > 0) wait(waitMs)
      },
      end() {
        ended = true
        if (!early) finish()
      },
    })
  })
}

module.exports = { copyHeld, enter, leave }

'use strict'

/** Copies one range: opens the read, then the write, moves the bytes, and makes an outcome of what came of it. */

const { reportedHeaders, sumsIn } = require('./answers')
const { MAX_TIMER_MS, outcomeOf } = require('./attempt')
const { Failure } = require('./failure')
const { openExchange, openRead, writeNowhere } = require('./requests')
const { createSums } = require('./sums')
const { readTask } = require('./task')
const { release } = require('./slab')

/** @typedef {import('./task').Work} Work */
/** @typedef {import('./attempt').Copied} Copied */
/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */

/**
 * Called for every piece that arrives, with the bytes of the part so far. It must be quick.
 * @typedef {(partNumber: number, bytes: number) => void} OnBytes
 */

/**
 * `running` has every attempt while it runs, so that it can be ended from outside. `onSent` is called when everything has been sent and only the answer is missing. `refuse`: do not start the task,
 * for this reason.
 * @typedef {{
 *   stallMs: number,
 *   reach: import('./net').Reach,
 *   rules?: Record<string, import('../../lib/types').AnswerRule>,
 *   running: Set<Attempt>,
 *   onSent: () => void,
 *   refuse?: 'CANCELLED' | 'NOT_STARTED',
 *   onBytes?: OnBytes,
 *   pace?: import('./attempt').Pace,
 *   local?: import('./transport').LocalTransports,
 * }} Options
 */

/**
 * Carries out one task: the bytes of its read go into its write. Without a write they are read and counted only.
 * @param {unknown} task
 * @param {Attempt} attempt
 * @param {Options} options
 * @returns {Promise<Copied>}
 */
async function copyOnce(task, attempt, { rules, local, onSent, onBytes, pace }) {
  const work = readTask(task, rules, local)
  const { source, exchange } = await openRead(work, attempt)
  const { rule } = work.read
  const firstByteMs = performance.now()
  const write = work.write ? await openExchange('write', work.write, attempt) : writeNowhere(source, rule)
  const sums = await pump(source, write, expecting(work, source), attempt, { onBytes, pace })
  if (sums) onSent()
  else exchange.close()
  const { etag, headers: written } = await write.written()
  const copied = { etag, sums: sums ?? {}, firstByteMs }
  if (!work.tell) return copied
  const ofWrite = work.write && written && { headers: written, rule: work.write.rule }
  return { ...copied, headers: reportedHeaders({ headers: source.headers, rule }, ofWrite) }
}

/**
 * If the task reads the whole object, and the answer has a checksum that the task computes, then the bytes must have it, or
 * they are not written.
 * @param {Work} work
 * @param {import('./transport').Answer} source
 * @returns {Work}
 */
function expecting(work, { headers }) {
  const { bytes, expect, read, sums } = work
  if (bytes !== expect.totalBytes) return work
  const kept = Object.entries(sumsIn(headers, read.rule.checksums)).filter(([sum]) => sums.some(each => each === sum))
  return { ...work, expect: { ...expect, sums: { ...Object.fromEntries(kept), ...expect.sums } } }
}

/** @typedef {import('./slab').Slab} Slab */

/** @typedef {import('../../lib/types').Sums} Sums of what was sent: those that the task asked for */

/** A body that goes as it is. @type {import('./dialects').Frame} */
const PLAIN = { write: (sink, piece, slab) => sink.write(piece, slab), end: () => '' }

/**
 * Moves the bytes from the read to the write, and computes their checksums on the way. It uses no stream: one more stream
 * object between source and sink doubles the cost of a copy. What cannot be sent yet waits in the source's socket, not here.
 *
 * The piece that would complete the part is held back until the read has ended: a body that turns out too long, or is
 * cut after its last byte, or is not what the source keeps, must never leave a complete part behind.
 * @param {import('./transport').Answer} source
 * @param {import('./requests').Sink} sink of the write
 * @param {Pick<Work, 'partNumber' | 'bytes' | 'frame' | 'sums' | 'expect'>} work
 * @param {Attempt} attempt
 * @param {{ onBytes?: OnBytes, pace?: import('./attempt').Pace }} how pace: a rate, for all who share it
 * @returns {Promise<Sums | undefined>} undefined where the destination answered before it had everything
 * @throws {Failure} BODY_LENGTH, SUM_MISMATCH, or what else ends the attempt
 */
function pump(source, sink, work, attempt, { onBytes, pace }) {
  const { partNumber, bytes, frame, sums, expect } = work
  const body = frame ? frame() : PLAIN
  const running = createSums(sums, bytes)
  /** @type {{ piece: Buffer, slab?: Slab } | undefined} */
  let last
  let received = 0
  let blocked = false
  let ended = false
  let over = false
  /** @type {NodeJS.Timeout | undefined} while it is too early to read on */
  let early

  return attempt.until((/** @type {(sums: Sums | undefined) => void} */ done) => {
    const readOn = () => {
      attempt.moved('read')
      source.body.resume()
    }
    const onDrain = () => {
      blocked = false
      if (!early) readOn()
    }
    /** Neither side is watched meanwhile: a connection that the rate holds back is not stalled. @param {number} ms */
    const wait = ms => {
      clearTimeout(early)
      source.body.pause()
      attempt.rest()
      early = setTimeout(
        () => {
          early = undefined
          attempt.watch(blocked ? 'write' : 'read', attempt.stallMs)
          if (ended) onEnd()
          else if (!blocked) source.body.resume()
        },
        Math.min(ms, MAX_TIMER_MS),
      )
    }
    const stop = () => {
      if (over) return
      over = true
      clearTimeout(early)
      source.body.pause()
      sink.listen({})
      if (last?.slab) release(last.slab)
    }
    const onAnswer = () => {
      stop()
      done(undefined)
    }
    /** @param {Buffer} piece @param {Slab} [slab] */
    const onData = (piece, slab) => {
      if (over) return
      received += piece.length
      if (received > bytes) return wrongLength()
      attempt.received(piece.length)
      // The source may have been too slow, which has ended the attempt.
      if (over) return
      running.update(piece)
      onBytes?.(partNumber, received)
      // The callback may have cancelled the attempt.
      if (over) return
      if (received === bytes) {
        if (slab) slab.users++
        last = { piece, slab }
      } else if (!body.write(sink, piece, slab)) {
        blocked = true
        source.body.pause()
        attempt.moved('write')
      }
      const waitMs = pace ? pace.take(piece.length) : 0
      if (waitMs > 0) wait(waitMs)
    }
    const onEnd = () => {
      // If the body broke off, the attempt has failed already.
      if (over || attempt.failure) return
      ended = true
      // The end is reported even while the source is paused.
      if (early) return
      // Now nothing is held back any more: the last moment for the callback to cancel the attempt.
      onBytes?.(partNumber, received)
      if (over) return
      if (received !== bytes) return wrongLength()
      const found = running.digest()
      for (const sum of sums) {
        const expected = expect.sums?.[sum]
        if (expected === undefined || expected === found[sum]) continue
        attempt.fail(new Failure('SUM_MISMATCH', { side: 'read', sum, expected, found: found[sum] }))
        return
      }
      if (last) body.write(sink, last.piece, last.slab)
      const tail = body.end(found)
      if (tail) sink.write(Buffer.from(tail))
      stop()
      sink.end()
      done(found)
    }
    const wrongLength = () => {
      attempt.fail(new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: received }))
    }

    if (sink.answered) return done(undefined)
    attempt.endings.add({ close: stop })
    sink.listen({ drain: onDrain, answer: onAnswer })
    source.body.start({ data: onData, end: onEnd })
  })
}

/** The steps beside it are for callers in this process, who take them in an order of their own. */
module.exports = { copyOnce, createSums, openExchange, openRead, outcomeOf, pump }

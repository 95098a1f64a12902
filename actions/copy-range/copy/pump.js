'use strict'

/** Moves the bytes of a part from the read to the write. */

const { MAX_TIMER_MS } = require('./attempt')
const { Failure } = require('../failure')
const { createSums } = require('./sums')
const { hold, release } = require('../transport')

/** @typedef {import('../transport/slab').Slab} Slab */

/** @typedef {import('../../../lib/types').Sums} Sums of what was sent: those that the task asked for */

/** A body that goes as it is. @type {import('../stores').Frame} */
const PLAIN = { write: (sink, piece, slab) => sink.write(piece, slab), end: () => '' }

/**
 * Moves the bytes from the read to the write, and computes their checksums on the way. It uses no stream: one more stream
 * object between source and sink doubles the cost of a copy. What cannot be sent yet waits in the source's socket, not here.
 *
 * The piece that would complete the part is held back until the read has ended: a body that turns out too long, or is
 * cut after its last byte, or is not what the source keeps, must never leave a complete part behind.
 * @param {import('../transport').Answer} source
 * @param {import('./write').Write} write
 * @param {import('../task').Work} work
 * @param {InstanceType<typeof import('./attempt').Attempt>} attempt
 * @param {{ onBytes?: import('.').OnBytes, pace?: import('../limits').Pace }} [how] pace: a rate, for all who share it
 * @returns {Promise<Sums | undefined>} undefined where the destination answered before it had everything
 * @throws {Failure} BODY_LENGTH, SUM_MISMATCH, or what else ends the attempt
 */
function pump(source, { sink, answered }, work, attempt, { onBytes, pace } = {}) {
  const { partNumber, bytes, frame, sums, expect } = work
  const body = frame ? frame() : PLAIN
  const running = createSums(sums)
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
        if (slab) hold(slab)
        last = { piece, slab }
        attempt.moved('read')
      } else if (body.write(sink, piece, slab)) {
        attempt.moved('read')
      } else {
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
      const wrong = sums.find(sum => expect.sums?.[sum] !== undefined && expect.sums[sum] !== found[sum])
      if (wrong) {
        const facts = { sum: wrong, expected: expect.sums?.[wrong], found: found[wrong] }
        attempt.fail(new Failure('SUM_MISMATCH', { side: 'read', ...facts }))
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

    if (answered()) return done(undefined)
    attempt.onEnd(stop)
    sink.listen({ drain: onDrain, answer: onAnswer })
    source.body.start({ data: onData, end: onEnd })
  })
}

module.exports = { pump }

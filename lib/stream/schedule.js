'use strict'

/** Schedules parts while they come: each goes to the scheduler when its last byte is there, and is held until it is done. */

const { untilAborted } = require('../async')
const { XferError, asXferError } = require('../errors')
const { createScheduler } = require('../schedule')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */

/**
 * @param {ReturnType<typeof import('./cut').createCutter>} cutter
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
    const abort = AbortSignal.any(signals)
    const scheduler = createScheduler({ ...how, cancel: undefined, abort, workers: how.concurrency, partBytes })
    /** @type {Array<Promise<TaskSuccess>>} */
    const sent = []
    /** @param {Part} part */
    async function send(part) {
      const [outcome] = await scheduler.run([part], how)
      // It is resolved when nothing of the part is in flight: until then a second attempt may still read its bytes.
      await cutter.release(part)
      return outcome
    }
    /** @param {Part} part */
    const start = part => {
      const outcome = send(part)
      outcome.catch(error => stop.abort(asXferError(error)))
      sent.push(outcome)
    }
    try {
      for (const part of come) start(part)
      for (;;) {
        const part = await untilAborted(cutter.next(), abort)
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

module.exports = { scheduleComing }

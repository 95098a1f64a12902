'use strict'

/** Emits the event `progress`, for one object and for many, every half second. */

const PROGRESS_EVERY_MS = 500

/**
 * @template D
 * @param {object} work
 * @param {Pick<ReturnType<typeof import('./activity').createActivity>, 'counts'>} work.activity
 * @param {(nowMs: number) => { done: D, speed: { bytesPerSecond: number, etaMs?: number } }} work.at done: bytes and the total
 * @param {number} nowMs
 */
function progressAt({ activity, at }, nowMs) {
  const { inFlight, retried, throttled } = activity.counts()
  const { done, speed } = at(nowMs)
  return { ...done, inFlight, retried, throttled, ...speed }
}

/**
 * Emits the progress until it is stopped.
 *
 * @param {Pick<import('../job/open').Run, 'emit' | 'pressure'>} run
 * @param {Parameters<typeof progressAt<any>>[0]} work
 */
function reportProgress({ emit, pressure }, work) {
  const tell = () => emit({ type: 'progress', ...progressAt(work, Date.now()), ...pressure.hindrances() })
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  return { tell, stop: () => clearInterval(timer) }
}

module.exports = { progressAt, reportProgress }

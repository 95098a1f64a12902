'use strict'

/** A job with eyes on it: counts what its events and its engine do, and tells the progress every half second. */

const { createProgress } = require('./progress')

/** @typedef {import('./open').Job} Job */

const PROGRESS_EVERY_MS = 500

/**
 * @param {Job} job
 * @param {Pick<import('../types').Plan, 'bytes' | 'parts'>} plan
 */
function watchProgress(job, plan) {
  const work = { bytesTotal: plan.bytes, partsTotal: plan.parts.length }
  let progress = createProgress({ ...work, startMs: Date.now() })
  let inFlight = 0
  let invocations = 0
  let hedgedBytes = 0
  let resumedBytes = 0
  const tell = () => {
    job.emit({ type: 'progress', ...progress.at(Date.now(), inFlight), ...job.pressure.hindrances() })
  }
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  /** @type {Job} */
  const watched = {
    ...job,
    emit(event) {
      progress.add(/** @type {import('../types').CopyEvent} */ (event), Date.now())
      if (event.type === 'hedge') hedgedBytes += event.bytes
      if (event.type === 'resume') resumedBytes = event.bytes
      job.emit(event)
    },
    engine: {
      ...job.engine,
      async run(tasks, options) {
        inFlight++
        invocations++
        try {
          const onBytes = (/** @type {number} */ part, /** @type {number} */ bytes) => {
            progress.moved(part, bytes, Date.now())
            options?.onBytes?.(part, bytes)
          }
          return await job.engine.run(tasks, { ...options, onBytes })
        } finally {
          inFlight--
        }
      },
    },
  }
  return {
    job: watched,
    /** All parts are to be copied again. */
    restart() {
      progress = createProgress({ ...work, startMs: Date.now() })
      resumedBytes = 0
    },
    /**
     * From now on so much is read, to prove the copy, and that is what the progress is of.
     *
     * @param {import('../types').Part[]} ranges
     * @returns {Job['emit']} for what happens then: a range is no part of the copy
     */
    reading(ranges) {
      const { retried, throttled } = progress.at(Date.now(), inFlight)
      const bytesTotal = ranges.reduce((sum, { bytes }) => sum + bytes, 0)
      progress = createProgress({ bytesTotal, partsTotal: ranges.length, startMs: Date.now(), retried, throttled })
      return event => {
        if (event.type === 'part') progress.add(event, Date.now())
        else watched.emit(event)
      }
    },
    counts: () => ({ ...progress.at(Date.now(), inFlight), invocations, hedgedBytes, resumedBytes }),
    stop() {
      clearInterval(timer)
      tell()
    },
  }
}

module.exports = { watchProgress }

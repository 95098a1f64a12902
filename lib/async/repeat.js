'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const retry = require('async-retry')
const { asXferError, throwIfAborted } = require('../errors')
const { untilAborted } = require('./cancellation')

/** @typedef {import('../schedule/outage').Outages} Outages */

/** Retries of a patient call. With the back-off below their waits are 11 seconds or more. */
const PATIENT_RETRIES = 7
/** Retries of a throttled call: 26 seconds or more. */
const THROTTLED_RETRIES = 10

/**
 * Repeats a control call when its failure allows that, with exponential back-off and jitter, and never sooner than the
 * peer asked for. A throttled call and a `patient` call get more attempts. An outage is waited for to its end and costs no
 * attempt. An abort ends the wait at once.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @param {{ retries: number, patient?: boolean, signal?: AbortSignal, outages?: Pick<Outages, 'now' | 'excuses' | 'up'>,
 *   onRetry?: (error: import('../types').XferError, attempt: number) => void }} options
 * @returns {Promise<T>}
 * @throws {import('../types').XferError} the last failure, or the abort's reason
 */
async function repeat(call, { retries, patient = false, signal, outages, onRetry }) {
  const most = Math.max(retries, THROTTLED_RETRIES)
  const answer = retry(
    async (bail, attempt) => {
      try {
        return await throughOutages(call, { signal, outages, onRetry: error => onRetry?.(error, attempt) })
      } catch (cause) {
        const error = asXferError(cause)
        const allowed = error.throttled ? most : patient ? Math.max(retries, PATIENT_RETRIES) : retries
        if (!error.retryable || attempt > allowed) return /** @type {any} */ (bail(error))
        if (attempt <= most) {
          onRetry?.(error, attempt)
          const waitMs = requestedWaitMs(error.retryAfterMs)
          if (waitMs > 0) await delay(waitMs, undefined, { signal })
        }
        throw error
      }
    },
    { retries: most, minTimeout: 100, maxTimeout: 5_000, factor: 2, randomize: true },
  )
  return await untilAborted(answer, signal)
}

/**
 * One attempt, started again after each outage that interrupted it.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @param {{ signal?: AbortSignal, outages?: Pick<Outages, 'now' | 'excuses' | 'up'>, onRetry: (error: import('../types').XferError) => void }} how
 * @returns {Promise<T>}
 */
async function throughOutages(call, { signal, outages, onRetry }) {
  for (;;) {
    throwIfAborted(signal)
    const askedMs = outages?.now() ?? 0
    try {
      return await call()
    } catch (cause) {
      const error = asXferError(cause)
      if (!(await outages?.excuses(error, askedMs, signal))) throw error
      onRetry(error)
      await outages?.up(error, signal)
    }
  }
}

/** The longest wait that a store or a platform may ask for. None is known to ask for more than a calendar minute. */
const MOST_MS = 60_000

/**
 * How long to wait because a server asked for it (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after). Pure.
 *
 * @param {number} [retryAfterMs] undefined: it did not ask
 * @returns {number} milliseconds
 */
function requestedWaitMs(retryAfterMs = 0) {
  return Math.min(retryAfterMs, MOST_MS)
}

/**
 * How often a step is taken again that went wrong, beside requests, which `repeat` and the scheduler repeat. Numbers that
 * belong together stand together.
 */
const AGAIN = Object.freeze({
  /** The source changed while it was copied: it is asked for, and copied, anew. */
  CHANGED_SOURCE: 3,
  /** An object's headers were not those of a moment before: both requests are signed anew. */
  OTHER_HEADERS: 3,
  /** Somebody else writes the key at the same time: everything is copied anew. */
  CONFLICT: 2,
  /** A copy of one request is wrong: it is written again. */
  WRONG_COPY: 2,
  /** The result of an upload, or its parts, are wrong: an upload is made anew. */
  WRONG_UPLOAD: 2,
  /** Parts are damaged at the destination, or two readings of them differ: they are copied again. */
  DAMAGED_PARTS: 3,
  /** No two readings of a source are equal. */
  DOUBTFUL_SOURCE: 3,
  /** What is read differs from what it should be: the reading may be wrong, and not the object. */
  DOUBTFUL_READING: 2,
})

module.exports = { AGAIN, repeat, requestedWaitMs }

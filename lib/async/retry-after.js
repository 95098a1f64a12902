'use strict'

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

module.exports = { requestedWaitMs }

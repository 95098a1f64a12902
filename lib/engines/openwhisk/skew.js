'use strict'

/** Below it a skew is no more than what whole seconds leave in doubt. */
const NONE_MS = 1_000

/**
 * How far the platform's clock is before ours, by the `Date` of its answers (RFC 9110 section 6.6.1). A date is cut to
 * its second, and was written between the request's leaving and its answer's coming: so each bounds the skew from both
 * sides, and several narrow it down.
 *
 * @param {Array<{ date: string | undefined, sentMs: number, receivedMs: number }>} answers
 * @returns {number} milliseconds; 0 where no answer has a date, or where it is within a second
 */
function skewOf(answers) {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  for (const { date, sentMs, receivedMs } of answers) {
    const dateMs = Date.parse(date ?? '')
    if (Number.isNaN(dateMs)) continue
    const bounds = { least: dateMs - receivedMs, most: dateMs + 1_000 - sentMs }
    // A clock that was set in between: the later answer is the one that holds.
    if (bounds.least > most || bounds.most < least) ({ least, most } = bounds)
    else [least, most] = [Math.max(least, bounds.least), Math.min(most, bounds.most)]
  }
  const skewMs = Math.round((least + most) / 2)
  return Math.abs(skewMs) > NONE_MS && Number.isFinite(skewMs) ? skewMs : 0
}

module.exports = { skewOf }

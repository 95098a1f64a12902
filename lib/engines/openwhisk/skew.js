'use strict'

/** A smaller skew may come from the whole seconds of `Date`. */
const NONE_MS = 1_000

/**
 * Computes how far the platform's clock is ahead of ours, from the `Date` of its answers (RFC 9110 section 6.6.1). A date is
 * cut to whole seconds, and was written between sending the request and receiving the answer. So each answer bounds the skew
 * from both sides, and several answers narrow it down.
 *
 * @param {Array<{ date: string | undefined, sentMs: number, receivedMs: number }>} answers
 * @returns {number} milliseconds; 0 if no answer has a date, or if the skew is below a second
 */
function skewOf(answers) {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  for (const { date, sentMs, receivedMs } of answers) {
    const dateMs = Date.parse(date ?? '')
    if (Number.isNaN(dateMs)) continue
    const bounds = { least: dateMs - receivedMs, most: dateMs + 1_000 - sentMs }
    // A clock was set in between: the later answer counts.
    if (bounds.least > most || bounds.most < least) ({ least, most } = bounds)
    else [least, most] = [Math.max(least, bounds.least), Math.min(most, bounds.most)]
  }
  const skewMs = Math.round((least + most) / 2)
  return Math.abs(skewMs) > NONE_MS && Number.isFinite(skewMs) ? skewMs : 0
}

module.exports = { skewOf }

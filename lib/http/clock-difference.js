'use strict'

/** How far this machine's clock differs from the peers' clocks, by the `Date` header of their answers. */

/** From here on a warning is useful: the platform's minutes begin at other times, and credentials seem expired. */
const WARN_MS = 60_000
/** Stores refuse signatures whose time differs by more than this. */
const WRONG_MS = 15 * 60_000
/** `Date` has whole seconds and the answer takes time, so a smaller difference means nothing. */
const LEVEL_MS = 2_000

/**
 * @typedef {object} Sample
 * @property {string} who for messages: `the platform`
 * @property {number} dateMs what the answer's `Date` said
 * @property {number} sentMs by this machine's clock
 * @property {number} receivedMs
 */

/** @param {Sample} sample @returns {number} milliseconds; positive: our clock is ahead */
function skewOf({ dateMs, sentMs, receivedMs }) {
  // The second in `Date` had already begun, on average half a second earlier.
  return (sentMs + receivedMs) / 2 - (dateMs + 500)
}

/**
 * @param {Sample[]} samples at least one
 * @returns {import('../doctor/run').Finding}
 */
function judgeClock(samples) {
  const skews = samples.map(sample => ({ who: sample.who, skewMs: skewOf(sample) }))
  const worst = Math.max(...skews.map(({ skewMs }) => Math.abs(skewMs)))
  /** Peers with the same difference share one sentence. @type {Map<string, string[]>} */
  const byWords = new Map()
  for (const { who, skewMs } of skews) byWords.set(wordsOf(skewMs), [...(byWords.get(wordsOf(skewMs)) ?? []), who])
  // Not at the top: it loads the rules of all languages, which takes milliseconds that no copy needs.
  const list = new Intl.ListFormat('en-GB')
  const words = [...byWords].map(([how, whom]) => `${how} ${list.format(whom)}`)
  const detail = `The clock of this machine is ${words.join(', ')}.`
  if (worst < WARN_MS) return { ok: true, detail }
  return { ok: worst < WRONG_MS, detail, hint: "Set this machine's clock, or the other one's." }
}

/** @param {number} skewMs */
function wordsOf(skewMs) {
  if (Math.abs(skewMs) < LEVEL_MS) return 'in step with'
  return `${spanOf(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'}`
}

/** @param {number} ms */
function spanOf(ms) {
  if (ms < 2 * 60_000) return `${Math.round(ms / 1000)} s`
  return ms < 2 * 3_600_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 3_600_000)} hours`
}

/**
 * @param {string} who
 * @param {{ headers: { date?: string }, sentMs: number, receivedMs: number }} answer
 * @returns {Sample[]} empty when the answer has no `Date`
 */
function sampleOf(who, { headers, sentMs, receivedMs }) {
  const dateMs = Date.parse(headers.date ?? '')
  return Number.isNaN(dateMs) ? [] : [{ who, dateMs, sentMs, receivedMs }]
}

module.exports = { judgeClock, sampleOf, skewOf }

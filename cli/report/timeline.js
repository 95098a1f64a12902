'use strict'

/** Sums over time in a fixed number of buckets: when a job outlasts them, two become one. */

const MOST_BUCKETS = 600
const FIRST_WIDTH_MS = 100

const SUMS = ['bytes', 'read', 'done', 'retried', 'throttled', 'hedged', 'failed']
/** Of these the largest value counts. */
const PEAKS = ['inFlight']

/** Times are milliseconds since the beginning of the job. */
function createTimeline() {
  let widthMs = FIRST_WIDTH_MS
  let last = 0
  const columns = Object.fromEntries([...SUMS, ...PEAKS].map(name => [name, new Float64Array(MOST_BUCKETS)]))

  /** @param {number} ms @returns {number} its bucket */
  function bucketOf(ms) {
    while (ms >= widthMs * MOST_BUCKETS) {
      for (const [name, values] of Object.entries(columns)) {
        for (let at = 0; at < MOST_BUCKETS; at++) {
          const [one, other] = [values[2 * at] ?? 0, values[2 * at + 1] ?? 0]
          values[at] = PEAKS.includes(name) ? Math.max(one, other) : one + other
        }
      }
      last >>= 1
      widthMs *= 2
    }
    const bucket = Math.floor(ms / widthMs)
    last = Math.max(last, bucket)
    return bucket
  }

  return {
    /** @param {string} name @param {number} ms */
    count(name, ms) {
      columns[name][bucketOf(ms)]++
    },

    /** @param {string} name @param {number} ms @param {number} value */
    peak(name, ms, value) {
      const bucket = bucketOf(ms)
      columns[name][bucket] = Math.max(columns[name][bucket], value)
    },

    /** Over all buckets of a time, evenly. @param {string} name @param {number} fromMs @param {number} toMs @param {number} amount */
    spread(name, fromMs, toMs, amount) {
      const end = bucketOf(toMs)
      const start = bucketOf(Math.min(fromMs, toMs))
      if (start === end) columns[name][end] += amount
      else
        for (let at = start; at <= end; at++) {
          const ms = Math.min(toMs, (at + 1) * widthMs) - Math.max(fromMs, at * widthMs)
          columns[name][at] += (amount * ms) / (toMs - fromMs)
        }
    },

    data() {
      const rounded = Object.entries(columns).map(([name, values]) => [
        name,
        [...values.slice(0, last + 1)].map(Math.round),
      ])
      return { widthMs, ...Object.fromEntries(rounded) }
    },
  }
}

module.exports = { createTimeline }

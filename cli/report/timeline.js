'use strict'

/** Sums over time in a fixed number of buckets: when a job outlasts them, two become one. */

const MOST_BUCKETS = 600
const FIRST_WIDTH_MS = 100

/** busy: milliseconds of what was under way; read: bytes by the progress; the last ones are counts of events. */
const NAMES = ['bytes', 'read', 'busy', 'throttled', 'retried', 'hedged', 'failed']

/** Times are milliseconds since the beginning of the job. */
function createTimeline() {
  let widthMs = FIRST_WIDTH_MS
  let used = 1
  const columns = Object.fromEntries(NAMES.map(name => [name, new Float64Array(MOST_BUCKETS)]))

  /** @param {number} ms @returns {number} its bucket */
  function bucketOf(ms) {
    while (ms >= widthMs * MOST_BUCKETS) {
      for (const values of Object.values(columns)) {
        for (let at = 0; at < MOST_BUCKETS; at++) values[at] = (values[2 * at] ?? 0) + (values[2 * at + 1] ?? 0)
      }
      used = Math.ceil(used / 2)
      widthMs *= 2
    }
    const bucket = Math.floor(ms / widthMs)
    used = Math.max(used, bucket + 1)
    return bucket
  }

  return {
    /** @param {string} name @param {number} ms */
    count(name, ms) {
      columns[name][bucketOf(ms)]++
    },

    /** Over all buckets of a time, evenly. @param {string} name @param {number} fromMs @param {number} toMs @param {number} amount */
    spread(name, fromMs, toMs, amount) {
      const last = bucketOf(toMs)
      const first = bucketOf(Math.min(fromMs, toMs))
      if (first === last) columns[name][last] += amount
      else
        for (let at = first; at <= last; at++) {
          const ms = Math.min(toMs, (at + 1) * widthMs) - Math.max(fromMs, at * widthMs)
          columns[name][at] += (amount * ms) / (toMs - fromMs)
        }
    },

    data() {
      const rounded = Object.entries(columns).map(([name, values]) => [
        name,
        [...values.slice(0, used)].map(Math.round),
      ])
      return { widthMs, ...Object.fromEntries(rounded) }
    },
  }
}

module.exports = { createTimeline }

'use strict'

/** What happened when, in constant memory: sums over time, and bars of what took so long. */

const MOST_BUCKETS = 600
const FIRST_WIDTH_MS = 100

/**
 * bytes, busy: of what has ended, and the milliseconds that it took; read, flight: the same by the progress, which tells them as they
 * move; the last ones are counts of events.
 */
const NAMES = ['bytes', 'read', 'busy', 'flight', 'objects', 'throttled', 'retried', 'hedged', 'failed']

/** Sums in a fixed number of buckets: when a job outlasts them, two become one. Times are milliseconds since the beginning of the job. */
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

    /**
     * Over all buckets of a time, as another column has it there; evenly if that has nothing.
     *
     * @param {string} name
     * @param {{ as: string, fromMs: number, toMs: number, amount: number }} what
     */
    follow(name, { as, fromMs, toMs, amount }) {
      const last = bucketOf(toMs)
      // The bucket in which it begins has what came before it.
      const first = fromMs > 0 ? Math.min(last, bucketOf(fromMs) + 1) : 0
      const sum = columns[as].subarray(first, last + 1).reduce((one, other) => one + other, 0)
      if (sum === 0) return this.spread(name, fromMs, toMs, amount)
      for (let at = first; at <= last; at++) columns[name][at] += (amount * columns[as][at]) / sum
    },

    /** @returns {{ widthMs: number } & Record<string, any>} */
    data() {
      const rounded = Object.entries(columns).map(([name, values]) => [
        name,
        // Of few objects a second each bucket has less than one.
        [...values.slice(0, used)].map(name === 'objects' ? one => Math.round(one * 100) / 100 : Math.round),
      ])
      return { widthMs, ...Object.fromEntries(rounded) }
    },
  }
}

/** Of the histogram of times: bars for each doubling, and for the quantiles finer ones. */
const PER_OCTAVE = 3
const FINER = 16

/** How long things took: how many took so long, and quantiles, in constant memory. */
function createTimes() {
  /** What lies in 1/48 of a doubling: how many, and the longest of them. @type {Array<{ many: number, mostMs: number }>} */
  const fine = []
  let all = 0

  /** The longest of so large a share: a time that something took. @param {number} share */
  function quantile(share) {
    let left = Math.ceil(share * all)
    for (const one of fine) {
      left -= one?.many ?? 0
      if (one && left <= 0) return Math.round(one.mostMs)
    }
    return 0
  }

  return {
    /** @param {number} ms */
    add(ms) {
      const at = Math.floor(PER_OCTAVE * FINER * Math.log2(Math.max(1, ms)))
      const { many, mostMs } = fine[at] ?? { many: 0, mostMs: 0 }
      fine[at] = { many: many + 1, mostMs: Math.max(mostMs, ms) }
      all++
    },

    /** @returns at: which bar of the histogram; quantiles: none if nothing was timed */
    data() {
      /** @type {number[]} */
      const counts = []
      fine.forEach(({ many }, at) => {
        const bar = Math.floor(at / FINER)
        counts[bar] = (counts[bar] ?? 0) + many
      })
      const shares = all > 0 ? [50, 95, 99] : []
      return {
        times: counts.flatMap((count, at) => [{ at, count }]),
        quantiles: shares.map(percent => ({ percent, ms: quantile(percent / 100) })),
      }
    },
  }
}

/**
 * Bars into lanes: each gets the first lane that is free at its start, so that no two bars of a lane overlap. That holds in
 * any order. Ordered by start, the lanes are as many as bars ran at once; ordered by end, as events come, they may be more.
 *
 * @returns {{ laneOf: (startMs: number, endMs: number) => number, count: () => number }} lanes from 0; count: those in use
 */
function createLanes() {
  /** When each lane's last bar ends. @type {number[]} */
  const ends = []
  return {
    laneOf(startMs, endMs) {
      const free = ends.findIndex(end => end <= startMs)
      const lane = free === -1 ? ends.length : free
      ends[lane] = Math.max(startMs, endMs)
      return lane
    },
    count: () => ends.length,
  }
}

/** How many of each kind are kept; of the usual ones some of all times. */
const MOST = { usual: 2_000, retried: 700, hedged: 300, failed: 1_000 }
const MOST_SLOWEST = 20
/** Longer names are cut. */
const MOST_CHARS = 120

/** @typedef {keyof typeof MOST} BarKind */

/**
 * @typedef {object} Bar
 * @property {number} startMs since the beginning of the job
 * @property {number} endMs the same as its start, if it is only known when it ended
 * @property {number} bytes
 * @property {BarKind | 'open'} kind open: under way; retried: it succeeded after a retry; failed: it failed, or one attempt of it did
 * @property {string} name
 * @property {number} [attempt]
 * @property {string} [code] of its failure
 * @property {number} [bytesDone] of one that is under way, as far as it is known
 */

/** The bars of a waterfall: of any number at most some 4,000, among them those that failed, were repeated, or took longest. */
function createBars() {
  /** @type {Record<keyof typeof MOST, Bar[]>} */
  const kept = { usual: [], retried: [], hedged: [], failed: [] }
  /** Descending. @type {Bar[]} */
  const slowest = []
  let seen = 0
  let usual = 0
  /** Of the usual ones each n-th is kept. */
  let every = 1

  return {
    /** @param {Bar & { kind: BarKind }} bar */
    add(bar) {
      seen++
      if (msOf(bar) > msOf(slowest[MOST_SLOWEST - 1] ?? { startMs: 0, endMs: 0 })) {
        slowest.push(bar)
        slowest.sort((a, b) => msOf(b) - msOf(a)).splice(MOST_SLOWEST)
      }
      const same = kept[bar.kind]
      if (bar.kind !== 'usual') {
        if (same.length < MOST[bar.kind]) same.push(bar)
        return
      }
      if (usual++ % every === 0) same.push(bar)
      if (same.length <= MOST.usual) return
      every *= 2
      kept.usual = same.filter((_, at) => at % 2 === 0)
    },

    /** @param {Bar[]} open what is under way */
    data(open) {
      const { laneOf, count } = createLanes()
      const ended = new Set([...Object.values(kept).flat(), ...slowest])
      const bars = [...ended, ...open].sort((a, b) => a.startMs - b.startMs)
      const rows = bars.map(bar => ({ lane: laneOf(bar.startMs, bar.endMs), ...shown(bar) }))
      return { seen: seen + open.length, rows, lanes: count(), slowest: slowest.map(shown) }
    },
  }
}

/** @param {Pick<Bar, 'startMs' | 'endMs'>} bar */
const msOf = ({ startMs, endMs }) => endMs - startMs

/** @param {Bar} bar @returns {Bar} */
function shown({ name, startMs, endMs, ...bar }) {
  return { ...bar, startMs: Math.round(startMs), endMs: Math.round(endMs), name: shortened(name, MOST_CHARS) }
}

/** @param {string} text @param {number} chars @returns {string} without its middle, if it is longer */
function shortened(text, chars) {
  return text.length <= chars ? text : `${text.slice(0, chars / 2)}…${text.slice(1 - chars / 2)}`
}

module.exports = { createBars, createLanes, createTimeline, createTimes, shortened }

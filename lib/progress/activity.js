'use strict'

/** What a job does: its invocations and retries, its phase, the parts of one object, and the rate. Pure: the clock is an argument. */

/** @typedef {import('../types').Engine['run']} CountedRun */

/** Of what is under way so much is told. */
const MOST_UNDER_WAY = 50
/** Of one task with fewer bytes it is not told how many have moved: it is over soon. */
const LEAST_MOVED = 1024 ** 2

/** @typedef {(partNumber: number, bytes: number) => void} MovedListener bytes: so far */

/**
 * @param {Parameters<CountedRun>[1]} options
 * @param {{ moved?: number } | undefined} flight is told how many of its bytes have moved
 * @param {MovedListener} [moved] is told so of each part
 */
function following(options, flight, moved) {
  const told = options?.onBytes
  if (!moved && !(told && flight)) return options
  return {
    ...options,
    onBytes(/** @type {number} */ partNumber, /** @type {number} */ bytes) {
      if (flight) flight.moved = bytes
      moved?.(partNumber, bytes)
      told?.(partNumber, bytes)
    },
  }
}

/** Counts a job's invocations, retries and throttled requests. @param {{ now: () => number }} how */
function createActivity({ now }) {
  const counts = { inFlight: 0, invocations: 0, retried: 0, throttled: 0 }
  /** The invocations under way; those that began first come first. @type {Set<{ tasks: import('../types').Task[], sinceMs: number, moved?: number }>} */
  const flights = new Set()

  return {
    /** @param {CountedRun} run @param {MovedListener} [moved] @returns {CountedRun} the same function, which counts invocations */
    counting: (run, moved) => async (tasks, options) => {
      counts.inFlight++
      counts.invocations++
      /** @type {{ tasks: import('../types').Task[], sinceMs: number, moved?: number }} */
      const flight = { tasks, sinceMs: now() }
      flights.add(flight)
      try {
        const isLong = tasks.length === 1 && tasks[0].bytes >= LEAST_MOVED
        return await run(tasks, following(options, isLong ? flight : undefined, moved))
      } finally {
        counts.inFlight--
        flights.delete(flight)
      }
    },

    /** What has been under way for longest. @param {number} nowMs @returns {import('../types').UnderWay[]} */
    underWay(nowMs) {
      const longest = []
      for (const { tasks, sinceMs, moved } of flights) {
        if (longest.length === MOST_UNDER_WAY) break
        longest.push({
          partNumber: tasks[0]?.partNumber ?? 1,
          ...(tasks.length > 1 && { tasks: tasks.length }),
          bytes: tasks.reduce((sum, { bytes }) => sum + bytes, 0),
          ...(moved !== undefined && { bytesDone: moved }),
          // The clock may have been set back.
          forMs: Math.max(0, nowMs - sinceMs),
        })
      }
      return longest
    },

    /** @param {{ type: string }} event of any part or object */
    saw({ type }) {
      if (type === 'retry') counts.retried++
      else if (type === 'throttle') counts.throttled++
    },

    /** Everything is copied again: resets the counts of retries and throttling. */
    restart() {
      Object.assign(counts, { retried: 0, throttled: 0 })
    },

    counts: () => ({ ...counts }),
  }
}

/** @typedef {import('../types').Phase} Phase */

/** What a job is doing now, and since when. @param {{ startMs: number, phase?: Phase }} work */
function createPhases({ startMs, phase: first = 'copying' }) {
  let phase = first
  let sinceMs = startMs
  /** @type {number | undefined} */
  let partsAssembling

  return {
    /** @param {Phase} next @param {number} nowMs @param {number} [parts] to assemble @returns {boolean} whether that is news */
    enter(next, nowMs, parts) {
      partsAssembling = next === 'assembling' ? parts : undefined
      if (next === phase) return false
      phase = next
      sinceMs = nowMs
      return true
    },

    /** @param {number} nowMs @returns {{ phase: Phase, phaseMs: number, elapsedMs: number, partsAssembling?: number }} */
    at(nowMs) {
      // The clock may have been set back.
      const times = { phaseMs: Math.max(0, nowMs - sinceMs), elapsedMs: Math.max(0, nowMs - startMs) }
      return { phase, ...times, ...(partsAssembling !== undefined && { partsAssembling }) }
    },
  }
}

/**
 * The progress of one object, part by part.
 *
 * @param {() => { bytesTotal: number, partsTotal: number, growing?: boolean }} totals growing: they are those so far, and the time
 *   left is unknown
 * @param {{ startMs: number }} when
 */
function createParts(totals, { startMs }) {
  let bytesDone = 0
  let partsDone = 0
  /** Bytes that an earlier run of the job has copied. */
  let resumedBytes = 0
  const speed = createSpeed({ startMs })
  /** The bytes of parts in flight. @type {Map<number, number>} */
  const underWay = new Map()
  /** Parts that are done. A hedged part may still report bytes after that. @type {Set<number>} */
  const done = new Set()

  /** @param {number} partNumber @param {number} bytes of the part, so far @param {number} nowMs */
  function see(partNumber, bytes, nowMs) {
    const known = underWay.get(partNumber) ?? 0
    speed.moved(Math.max(0, bytes - known), nowMs)
    underWay.set(partNumber, Math.max(bytes, known))
  }

  return {
    /** Some bytes of a part were moved. @param {number} partNumber @param {number} bytes so far @param {number} nowMs */
    moved(partNumber, bytes, nowMs) {
      if (!done.has(partNumber)) see(partNumber, bytes, nowMs)
    },

    /** @param {import('../types').JobEvent} event @param {number} nowMs */
    add(event, nowMs) {
      if (event.type === 'part') {
        if (!underWay.has(event.partNumber)) speed.burst(event.elapsedMs)
        see(event.partNumber, event.bytes, nowMs)
        underWay.delete(event.partNumber)
        // A part that is copied again does not count twice.
        if (done.has(event.partNumber)) return
        done.add(event.partNumber)
        bytesDone += event.bytes
        partsDone++
      } else if (event.type === 'resume') {
        bytesDone += event.bytes
        partsDone += event.parts
        resumedBytes += event.bytes
      } else if (event.type === 'retry' && 'partNumber' in event) underWay.delete(event.partNumber)
    },

    /** @param {number} nowMs */
    at(nowMs) {
      const { bytesTotal, partsTotal, growing } = totals()
      let bytesSeen = bytesDone
      for (const bytes of underWay.values()) bytesSeen += bytes
      bytesSeen = Math.min(bytesSeen, bytesTotal)
      return {
        done: {
          bytesDone: bytesSeen,
          bytesTotal,
          resumedBytes: Math.min(resumedBytes, bytesTotal),
          partsDone: Math.min(partsDone, partsTotal),
          partsTotal,
          ...(growing && { growing: /** @type {const} */ (true) }),
        },
        speed: speed.at(nowMs, growing ? undefined : { bytes: bytesTotal - bytesSeen }),
      }
    },
  }
}

/**
 * The rate of the last seconds, and the time left. If parts are reported only when they are done, they arrive in bursts; the
 * rate is then that of the last bursts. The time left comes from a slower mean, so that it does not jump. Pure: the clock is
 * an argument.
 */

/** What happened this long ago has the weight 1/e; or this many bursts ago, if that is longer. */
const RATE = { memoryMs: 2_500, bursts: 2 }
const LEFT = { memoryMs: 30_000, bursts: 4 }
/** The cost of an object, or a pair of them, in addition to its bytes, as bytes: so that an estimate counts very small ones too. */
const UNIT_BYTES = 256 * 1024
/** Before so much time was observed, an estimate means nothing. */
const LEAST_OBSERVED_MS = 3_000
/** An estimate of more than this many times the observed time is dropped. */
const MOST_FORESEEN = 1000

/**
 * An exponentially weighted mean, corrected for its start from zero, so that it settles instead of jumping.
 *
 * @param {number} startMs
 * @param {{ memoryMs: number, bursts: number }} memory
 */
function createPace(startMs, { memoryMs: leastMs, bursts }) {
  let memoryMs = leastMs
  /** What was moved, and the time in which it was; both decay at the same rate. */
  let weighted = 0
  let weightedMs = 0
  let fadedMs = startMs
  let movedMs = Number.NEGATIVE_INFINITY

  /** What was moved before fades. @param {number} amount moved; 0: nothing more was @param {number} nowMs */
  function add(amount, nowMs) {
    const passedMs = Math.max(0, nowMs - fadedMs)
    fadedMs = nowMs
    const share = Math.exp(-passedMs / memoryMs)
    // The time until the first bytes counts as theirs.
    if (weighted === 0) weightedMs = Math.min(memoryMs, weightedMs + passedMs)
    else weightedMs = weightedMs * share + memoryMs * (1 - share)
    weighted = weighted * share + amount
    if (amount > 0) movedMs = nowMs
  }

  /** @param {number} nowMs @returns {number} a millisecond */
  function at(nowMs) {
    add(0, nowMs)
    return weightedMs > 0 ? weighted / weightedMs : 0
  }

  return {
    at,
    add,
    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      memoryMs = Math.max(memoryMs, bursts * elapsedMs)
    },
    /**
     * @param {number} left to move
     * @param {number} nowMs
     * @returns {number | undefined} milliseconds until it is moved; undefined if not known
     */
    etaMs(left, nowMs) {
      if (left <= 0) return 0
      const observedMs = nowMs - startMs
      // Nothing has arrived for so long.
      if (observedMs < LEAST_OBSERVED_MS || nowMs - movedMs > memoryMs) return undefined
      const ms = Math.round(left / at(nowMs))
      return ms <= MOST_FORESEEN * observedMs ? ms : undefined
    },
  }
}

/**
 * The rate of a copy in bytes, and its time left, which includes the cost of each object in addition to its bytes.
 *
 * @param {{ startMs: number }} work
 */
function createSpeed({ startMs }) {
  const rate = createPace(startMs, RATE)
  const units = createPace(startMs, RATE)
  /** Of bytes and units together, as bytes. */
  const pace = createPace(startMs, LEFT)

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    moved(bytes, nowMs) {
      rate.add(bytes, nowMs)
      pace.add(bytes, nowMs)
    },

    /** A unit is done. @param {number} nowMs */
    unit(nowMs) {
      units.add(1, nowMs)
      pace.add(UNIT_BYTES, nowMs)
    },

    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      rate.burst(elapsedMs)
      pace.burst(elapsedMs)
    },

    /** The rate of the last seconds, with one decimal. @param {number} nowMs */
    unitsPerSecond: nowMs => Math.round(units.at(nowMs) * 10_000) / 10,

    /**
     * @param {number} nowMs
     * @param {{ bytes: number, units?: number } | undefined} left undefined: not known yet
     * @returns {{ bytesPerSecond: number, etaMs?: number }} etaMs: absent if not known
     */
    at(nowMs, left) {
      const bytesPerSecond = Math.round(rate.at(nowMs) * 1000)
      const etaMs = left && pace.etaMs(left.bytes + UNIT_BYTES * (left.units ?? 0), nowMs)
      return { bytesPerSecond, ...(etaMs !== undefined && { etaMs }) }
    },
  }
}

module.exports = { createActivity, createParts, createPhases, createSpeed }

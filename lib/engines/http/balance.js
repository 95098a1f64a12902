'use strict'

/**
 * Which worker gets the next invocation: the least loaded one, by its places and by how fast it has been. One that failed is
 * away for a while, and gets work again after it has answered a small request. Pure: the clock is an argument.
 */

const FIRST_AWAY_MS = 1_000
const MOST_AWAY_MS = 30_000
/** The weight of the last invocation in a worker's speed. */
const LAST = 0.3
/** A slow worker keeps this share of the fastest one's speed: so it is noticed if it becomes fast again. */
const LEAST_SHARE = 0.05
/** The places of a worker that has not been asked. */
const USUAL_PLACES = 32

/**
 * @typedef {object} Member
 * @property {string} url
 * @property {number} places
 * @property {number | undefined} speed bytes per millisecond of an invocation
 * @property {number} failures since it last answered
 * @property {number} awayUntilMs
 * @property {Set<string[]>} running the parts of each invocation that it works at
 */

/** @param {string[]} urls @param {() => number} now */
function createBalance(urls, now) {
  /** @type {Member[]} */
  const members = urls.map(url => ({
    url,
    places: USUAL_PLACES,
    running: new Set(),
    speed: undefined,
    failures: 0,
    awayUntilMs: 0,
  }))

  /** @param {Member} member */
  const isAway = member => member.failures > 0

  /** The speed that counts: of a worker without an invocation so far the mean of the others. @param {Member} member */
  function speedOf({ speed }) {
    const known = members.flatMap(one => one.speed ?? [])
    if (known.length === 0) return 1
    const fastest = Math.max(...known)
    return Math.max(speed ?? known.reduce((sum, one) => sum + one, 0) / known.length, LEAST_SHARE * fastest)
  }

  /**
   * The lower, the better: what has a place goes first, then what is not at one of the parts, then the least load.
   * @param {Member} member @param {Set<string>} parts
   */
  function rankOf(member, parts) {
    const { running, places, awayUntilMs } = member
    const full = awayUntilMs > now() || running.size >= places
    const isAtOne = [...running].flat().some(part => parts.has(part))
    return [Number(full), Number(isAtOne), (running.size + 1) / (places * speedOf(member))]
  }

  return {
    members,

    /**
     * @param {string[]} parts that the invocation is for: a worker that is at one of them already is the last choice
     * @returns {Member | undefined} undefined if all are away
     */
    choose(parts) {
      const wanted = new Set(parts)
      const ranked = members.filter(member => !isAway(member)).map(member => ({ member, rank: rankOf(member, wanted) }))
      ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])
      return ranked[0]?.member
    },

    /** @param {Member} member @param {string[]} parts an array of this invocation alone @returns {() => void} when it is over */
    begin(member, parts) {
      member.running.add(parts)
      return () => void member.running.delete(parts)
    },

    /** An invocation ended well. @param {Member} member @param {{ bytes: number, ms: number }} work */
    worked(member, { bytes, ms }) {
      member.failures = 0
      if (bytes === 0) return
      const found = bytes / Math.max(ms, 1)
      member.speed = member.speed === undefined ? found : (1 - LAST) * member.speed + LAST * found
    },

    /** It did not answer, or not as a worker does. @param {Member} member */
    failed(member) {
      // Several invocations that end together are one failure.
      if (isAway(member) && member.awayUntilMs > now()) return
      member.failures++
      member.awayUntilMs = now() + Math.min(FIRST_AWAY_MS * 2 ** (member.failures - 1), MOST_AWAY_MS)
    },

    /** All its places are taken: others come first for a while. @param {Member} member @param {number} ms */
    full(member, ms) {
      member.awayUntilMs = now() + ms
    },

    /** It answered a small request. @param {Member} member @param {number} [places] */
    answered(member, places = member.places) {
      member.failures = 0
      member.awayUntilMs = 0
      member.places = places
    },

    /** Those that are away. @param {{ due: boolean }} which due: only those whose time is over */
    away: ({ due }) => members.filter(member => isAway(member) && (!due || member.awayUntilMs <= now())),
  }
}

module.exports = { createBalance }

'use strict'

/**
 * `--chunk auto`: chooses the part size. Pure arithmetic; its assumptions about functions and stores were measured or are
 * conservative guesses, and all of them stand in this file.
 *
 * Larger parts cost less, because each part has a fixed cost of an invocation and two requests. Smaller parts lose less
 * when one fails, keep all concurrent invocations busy to the end, and fit into the time limit of a function. Memory does
 * not matter: a part is never held in memory.
 */

const { partsOfEtag } = require('../../integrity')

const MiB = 1024 ** 2

/** Parts for each concurrent invocation, so that the last ones, which leave others idle, are a small share. */
const PARTS_A_LANE = 4
/** A slow function moves this many bytes a second, and should finish in a third of its time limit. */
const SLOW = 8 * MiB
const SHARE_OF_TIME = 1 / 3
/** The largest part size that is taken over from the source: larger parts would cost too much when one fails. */
const LARGEST_OF_SOURCE = 512 * MiB

/**
 * @typedef {object} Situation
 * @property {number} bytes of the object
 * @property {import('../../types').PartLimits} limits of the destination
 * @property {import('../../types').Engine['partBytes']} partBytes of the engine: at its usual size a part's fixed cost is a twentieth
 *   of its time, at 100 MB a second, and at the least size a quarter
 * @property {number} lanes invocations at once
 * @property {Pick<import('../../types').EngineLimits, 'timeoutMs' | 'answerMs'>} allowed
 * @property {{ bytes: number, parts: number }} [source] the size of its first part, and their number, where they are known
 *
 * @typedef {{ bytes: number, why: string }} Choice why: one sentence for people
 */

/**
 * @param {Situation} situation
 * @returns {Choice} bytes: between the least and the largest part of the destination, and of as many parts as it takes
 */
function chooseAuto(situation) {
  const { bytes, limits, partBytes, lanes, source } = situation
  const least = Math.min(limits.maxBytes, Math.max(limits.minBytes, wholeMib(bytes / limits.maxParts)))
  const inTime = timeBytes(situation)
  const fits =
    source && source.bytes >= Math.max(least, partBytes.least / 2) && source.bytes <= Math.min(inTime, limits.maxBytes)
  if (source && fits && source.bytes <= LARGEST_OF_SOURCE && source.parts === Math.ceil(bytes / source.bytes)) {
    return choice(source.bytes, "is that of the source's own parts, which gives the copy the same ETag")
  }
  const byLanes = wholeMib(bytes / (lanes * PARTS_A_LANE))
  /** Upper bounds. @type {Choice[]} */
  const caps = [
    byLanes < partBytes.least
      ? { bytes: partBytes.least, why: 'is the smallest that costs less to start than to copy' }
      : { bytes: byLanes, why: `gives each of ${lanes} at once ${PARTS_A_LANE} parts` },
    { bytes: inTime, why: "is copied well within a function's time limit, even by a slow function" },
    { bytes: limits.maxBytes, why: 'is the largest part size that the destination accepts' },
  ]
  let chosen = { bytes: partBytes.usual, why: 'costs little to start, and little to copy again' }
  for (const cap of caps) if (cap.bytes < chosen.bytes) chosen = cap
  if (least <= chosen.bytes) return choice(chosen.bytes, chosen.why)
  const why =
    least === limits.minBytes
      ? 'is the smallest part size that the destination accepts'
      : `is needed to stay within the ${limits.maxParts.toLocaleString('en-US')} parts that the destination accepts`
  return choice(least, why)
}

/**
 * Whether to ask for the source's own part size: the source was uploaded in parts, and their number shows that their size
 * may be usable.
 *
 * @param {string} etag of the source
 * @param {Situation} situation
 */
function isWorthAsking(etag, situation) {
  const parts = partsOfEtag(etag) ?? 1
  if (parts < 2) return false
  const { bytes, limits, partBytes } = situation
  // With this number of parts, each but the last has at least `smallest` bytes and less than `largest`.
  const [smallest, largest] = [Math.ceil(bytes / parts), bytes / (parts - 1)]
  const most = Math.min(timeBytes(situation), limits.maxBytes, LARGEST_OF_SOURCE)
  return parts <= limits.maxParts && largest > Math.max(limits.minBytes, partBytes.least / 2) && smallest <= most
}

/** @param {Situation} situation the most that a slow function copies in its share of the time */
function timeBytes({ allowed: { timeoutMs, answerMs }, limits }) {
  const ms = Math.min(timeoutMs, answerMs) * SHARE_OF_TIME
  const most = (ms / 1000) * SLOW
  return Number.isFinite(most) ? Math.max(limits.minBytes, Math.floor(most / MiB) * MiB) : Number.POSITIVE_INFINITY
}

/** @param {number} bytes @param {string} why @returns {Choice} */
function choice(bytes, why) {
  return { bytes, why: `A chunk of ${Number((bytes / MiB).toFixed(2)).toLocaleString('en-US')} MiB ${why}.` }
}

/** @param {number} bytes */
function wholeMib(bytes) {
  return Math.max(1, Math.ceil(bytes / MiB)) * MiB
}

module.exports = { chooseAuto, isWorthAsking }

'use strict'

/** Which of several places, or of two reports, is faster, and how sure that is. */

const { randomInt } = require('node:crypto')
const { throwIfAborted } = require('../errors')
const { medianOf } = require('./numbers')

/** @typedef {import('./place').Probed} Probed */
/** How many times as fast; 95 % of the draws lie from low to high. @typedef {{ ratio: number, low: number, high: number }} Ratio */

const DRAWS = 2_000
const BOUNDS = [0.025, 0.975]

/**
 * A bootstrap interval of percentiles (Efron, 1979).
 *
 * @param {number} ratio
 * @param {() => number} draw the ratio of samples that were drawn again
 * @returns {Ratio}
 */
function within(ratio, draw) {
  const drawn = Array.from({ length: DRAWS }, draw).sort((a, b) => a - b)
  const [low, high] = BOUNDS.map(share => drawn[Math.round(share * (DRAWS - 1))])
  return { ratio, low, high }
}

/** @param {number[]} values @param {(below: number) => number} random @returns {number[]} as many, drawn with replacement */
const drawAgain = (values, random) => values.map(() => values[random(values.length)])

/** Of pairs, such as rounds: the median of their ratios. @param {number[]} ratios @param {(below: number) => number} [random] */
function ratioOfPairs(ratios, random = randomInt) {
  return within(medianOf(ratios), () => medianOf(drawAgain(ratios, random)))
}

/**
 * Of samples that have nothing to do with each other: the ratio of their medians.
 *
 * @param {number[]} before milliseconds
 * @param {number[]} after milliseconds
 * @param {(below: number) => number} [random]
 */
function ratioOfSamples(before, after, random = randomInt) {
  return within(medianOf(before) / medianOf(after), () => {
    return medianOf(drawAgain(before, random)) / medianOf(drawAgain(after, random))
  })
}

/** @template T @param {T[]} items @param {(below: number) => number} [random] @returns {T[]} in random order */
function shuffled(items, random = randomInt) {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

/**
 * Writes and reads an object at each place, in random order in each round, so that what comes and goes meets all alike.
 *
 * @param {Probed[]} places the first is what the others are compared with
 * @param {object} how
 * @param {SharedArrayBuffer} how.held the object
 * @param {number} how.rounds
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<import('../types').ProbeComparison[]>} of each place
 * @throws {import('../types').XferError} the stores' errors
 */
async function comparePlaces(places, { held, rounds, signal }) {
  const rows = places.map(place => ({
    place,
    ms: { put: /** @type {number[]} */ ([]), get: /** @type {number[]} */ ([]) },
  }))
  // The first round opens the connections, and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const { place, ms } of shuffled(rows)) {
      throwIfAborted(signal)
      const putMs = performance.now()
      const object = await place.write(held)
      const getMs = performance.now()
      while ((await place.gets(object, object.bytes)(0)) === 'refused');
      const endMs = performance.now()
      if (round < 0) continue
      ms.put.push(getMs - putMs)
      ms.get.push(endMs - getMs)
    }
  }
  const [first] = rows
  const toFirst = (/** @type {number[]} */ ms, /** @type {number[]} */ ofFirst) =>
    ratioOfPairs(ms.map((one, i) => ofFirst[i] / one))
  return rows.map(({ place, ms }) => ({
    location: place.text,
    put: { ms: medianOf(ms.put), ...toFirst(ms.put, first.ms.put) },
    get: { ms: medianOf(ms.get), ...toFirst(ms.get, first.ms.get) },
  }))
}

/**
 * Two reports of the same place, or of two, measured one after the other.
 *
 * @param {import('../types').ProbeReport} before
 * @param {import('../types').ProbeReport} after
 * @returns {import('../types').ProbeDifference[]} of what both have measured
 */
function compareReports(before, after) {
  return after.places.flatMap((place, i) => {
    const other = before.places[i]
    if (!other) return []
    const earlier = new Map(samplesOf(other).map(one => [`${one.op} ${one.bytes} ${one.lanes}`, one.ms]))
    return samplesOf(place).flatMap(({ op, bytes, lanes, ms }) => {
      const was = earlier.get(`${op} ${bytes} ${lanes}`)
      return was ? { location: place.location, op, ...(bytes > 0 && { bytes }), lanes, ...ratioOfSamples(was, ms) } : []
    })
  })
}

/** @param {import('../types').ProbedPlace} place */
function samplesOf({ times, gets, puts }) {
  const ofCurves = (/** @type {'get' | 'put'} */ op, /** @type {typeof gets} */ curves) =>
    curves.flatMap(({ bytes, steps }) => steps.map(({ lanes, times }) => ({ op, bytes, lanes, ms: times.ms })))
  const alone = Object.entries(times).map(([op, { ms }]) => ({
    op: /** @type {'head'} */ (op),
    bytes: 0,
    lanes: 1,
    ms,
  }))
  return [...alone, ...ofCurves('get', gets), ...ofCurves('put', puts)].filter(({ ms }) => ms?.length > 0)
}

module.exports = { comparePlaces, compareReports, ratioOfPairs, ratioOfSamples }

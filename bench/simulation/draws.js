'use strict'

/**
 * Repeatable random numbers: each is drawn for a name (what is drawn, for which container, part, attempt), so that two runs
 * with one seed get the same containers and parts, in whatever order they use them.
 */

/** @typedef {(...name: number[]) => number} Draw in [0, 1), the same for the same name */

/** @param {number} seed @returns {Draw} */
function createDraw(seed) {
  return (...name) => {
    let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
    for (const number of name) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(number + 0x7f4a7c15, 0xc2b2ae35), 0x27d4eb2f)
      hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
    hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
  }
}

/** A plain sequence of random numbers. @param {Draw} draw @param {number} stream @returns {() => number} */
function sequence(draw, stream) {
  let count = 0
  return () => draw(stream, count++)
}

/**
 * Lognormal with this mean; `spread` is the standard deviation of the logarithm.
 *
 * @param {{ mean: number, spread: number }} shape
 * @param {Draw} draw
 * @param {number[]} name
 */
function lognormal({ mean, spread }, draw, ...name) {
  const radius = Math.sqrt(-2 * Math.log(1 - draw(...name, 0)))
  const normal = radius * Math.cos(2 * Math.PI * draw(...name, 1))
  return mean * Math.exp(spread * normal - spread ** 2 / 2)
}

/** @param {{ least: number, most: number }} range @param {number} chance in [0, 1) */
function between({ least, most }, chance) {
  return least + (most - least) * chance
}

module.exports = { createDraw, sequence, lognormal, between }

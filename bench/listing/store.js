'use strict'

/** A store of generated names: pages are made when they are requested, by the contract of stores. */

const { compareNames } = require('../../lib/listing')
const { SHAPES } = require('./shapes')

const PAGE = 1_000
const DAY_MS = 86_400_000
/** Which one of each thousand names a side lacks, so that there are differences to find. */
const MISSING = { source: 1, destination: 2 }

/** @typedef {keyof typeof MISSING} Side */
/** @typedef {{ shape: string, count: number, side: Side }} Contents */

/**
 * @param {Contents} contents
 * @returns {(list: { prefix: string, marker?: string, after?: string, most?: number }) => { objects: import('../../lib/types').ListedObject[], next?: string }}
 */
function createPages({ shape, count, side }) {
  const nameOf = SHAPES[shape]

  /** @param {string} name @returns {number} of the first one above it */
  function above(name) {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (compareNames(nameOf(middle, count), name) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return ({ prefix, marker, after, most = PAGE }) => {
    let n = marker === undefined ? (after === undefined ? 0 : above(after.slice(prefix.length))) : Number(marker)
    const objects = []
    for (; n < count && objects.length < most; n++) {
      if (n % 1_000 === MISSING[side]) continue
      objects.push({
        key: prefix + nameOf(n, count),
        bytes: n % 100_000,
        etag: `"${n.toString(16).padStart(32, '0')}"`,
        lastModifiedMs: Date.UTC(2026, 0, 1) + (n % 300) * DAY_MS,
        storageClass: undefined,
      })
    }
    return { objects, next: n < count ? String(n) : undefined }
  }
}

module.exports = { createPages, MISSING }

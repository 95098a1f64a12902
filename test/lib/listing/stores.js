'use strict'

/** Stores that do nothing but list, and walks through them that keep a journal. */

const { walk, compareNames } = require('../../../lib/listing')

/**
 * @param {string[]} keys in any order
 * @param {{ pageSize?: number | (() => number), side?: string, heeds?: boolean, turn?: () => Promise<unknown> }} [options] heeds:
 *   `after`; turn: waited for before each answer
 */
function listStore(keys, { pageSize = 1_000, side = 'source', heeds = true, turn = async () => {} } = {}) {
  const bytes = keys.map(key => Buffer.from(key)).sort(Buffer.compare)
  const sorted = bytes.map(key => key.toString())
  /** @param {Buffer} bound @returns {number} where the first one above it stands */
  const above = bound => {
    let [low, high] = [0, bytes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (Buffer.compare(bytes[middle], bound) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const store = {
    facts: { side, bucket: 'bucket', endpoint: 'memory' },
    async list({ prefix, marker, after }, { signal } = {}) {
      await turn()
      signal?.throwIfAborted()
      const begin =
        marker === undefined ? (heeds && after !== undefined ? above(Buffer.from(after)) : 0) : Number(marker)
      const most = typeof pageSize === 'function' ? pageSize() : pageSize
      const objects = []
      let at = begin
      for (; at < sorted.length && objects.length < most; at++) {
        if (sorted[at].startsWith(prefix)) objects.push({ key: sorted[at], bytes: 1, etag: '"e"' })
      }
      while (at < sorted.length && !sorted[at].startsWith(prefix)) at++
      return { objects, next: at < sorted.length ? String(at) : undefined }
    },
  }
  return { store }
}

/** What a job would keep of a walk: where each range is, so that another walk goes on from there. */
function createCursors(ranges = [{ id: 1 }]) {
  const open = new Map(ranges.map(range => [range.id, { ...range }]))
  return {
    ranges: () => [...open.values()].map(range => ({ ...range })),
    /** @param {import('../../../lib/types').WalkStep} step */
    note(step) {
      const range = open.get(step.range)
      if (!range) throw new Error(`a step of range ${step.range}, which is not open`)
      if (step.type === 'pairs') range.after = step.through
      else if (step.type === 'end') open.delete(step.range)
      else {
        range.until = step.until
        open.set(step.into.id, { ...step.into })
      }
    },
  }
}

/** The whole of a walk. @param {import('../../../lib/types').WalkOptions} options */
async function walkAll(options) {
  const pairs = []
  const steps = []
  for await (const step of walk(options)) {
    steps.push(step)
    if (step.type === 'pairs') pairs.push(...step.pairs)
  }
  return { pairs, steps, splits: steps.filter(({ type }) => type === 'split').length }
}

/** Sorted names with what each side has of them. */
function joinOf(source, destination) {
  const [ours, theirs] = [new Set(source), new Set(destination)]
  return [...new Set([...source, ...destination])]
    .sort(compareNames)
    .map(name => `${name} ${ours.has(name) ? 'S' : '-'}${theirs.has(name) ? 'D' : '-'}`)
}

/** The same of pairs. */
function tellPairs(pairs) {
  return [...pairs]
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({ name, source, destination }) => `${name} ${source ? 'S' : '-'}${destination ? 'D' : '-'}`)
}

module.exports = { createCursors, joinOf, listStore, tellPairs, walkAll }

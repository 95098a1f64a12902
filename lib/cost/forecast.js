'use strict'

/** What a plan will use beyond what its dry run has asked for. Without faults; what is assumed stands here, and in docs/guides/cost.md. Pure. */

/** Bytes a second of one function, where nobody has measured: as the scheduler assumes (lib/schedule/batch.js). */
const ASSUMED_BYTES_PER_SECOND = 15e6
/** The time of a request pair in a function beside its bytes, of those that run at once in it. */
const ASSUMED_MS = 50
const OBJECTS_AT_ONCE = 8
/** Small objects of an invocation, at least, while there are more. */
const OBJECTS_EACH = 32
/** Objects below a prefix whose headers and tags are asked for first (lib/prefix/describer.js). */
const SAMPLES = 20

/**
 * @typedef {object} Counts
 * @property {number} objects written in one request each
 * @property {number} inParts objects that are written in parts
 * @property {number} parts of these
 * @property {number} bytes of all
 * @property {boolean} byStore the store copies by itself
 * @property {boolean} prefix
 * @property {boolean} [readsTwice] the source keeps no checksum that the bytes could be compared with
 * @property {number} [deleted] at the destination
 *
 * @typedef {Pick<import('../types').JobUsage, 'requests' | 'bytesOut' | 'invocations'> & { functionMs: number }} Planned
 */

/**
 * @param {Pick<import('../job/contract').Job, 'settings' | 'source' | 'destination' | 'engine'>} job
 * @param {Counts} counts
 * @param {{ listed: { source: number, destination: number }, limits: { concurrency: number, counted: boolean } }} known listed: lists of the dry
 *   run; counted: a quota counts invocations
 * @returns {Planned}
 */
function forecast({ settings, source, destination, engine }, counts, { listed, limits }) {
  const { objects, inParts, parts, bytes, byStore, prefix, readsTwice = false, deleted = 0 } = counts
  const all = objects + inParts
  const tasks = objects + parts
  const full = settings.verify === 'full'
  const { upload = {}, removes = 1 } = destination.store.costs ?? {}
  const { condition, attributes, move, pace } = settings
  const looksAt = Object.values(condition).some(Boolean) ? 2 : 1
  // A sync that deletes lists both sides again.
  const again = deleted > 0
  const samples = prefix && !byStore && !destination.store.setTime && attributes.tags === 'copy'
  const heads = (samples ? Math.min(objects, SAMPLES) : 0) + (prefix ? inParts : 0)
  const tags = source.store.tags && !destination.store.setTime && attributes.tags === 'copy' ? heads : 0
  const removals = Math.ceil(deleted / removes)
  const requests = {
    source: {
      // The second time in halves.
      GET: (byStore ? 0 : tasks) + tags + (full && readsTwice ? objects + 2 * parts : 0),
      HEAD: heads + (move ? all * (prefix ? 1 : 2) : 0),
      LIST: again ? listed.source : 0,
      DELETE: move ? all : 0,
    },
    destination: {
      PUT: (byStore ? 0 : tasks) + (upload.PUT ?? 0) * inParts,
      COPY: byStore ? tasks : 0,
      POST: (upload.POST ?? 0) * inParts + (removes > 1 ? removals : 0),
      GET: (full ? tasks : 0) + (upload.GET ?? 0) * inParts,
      HEAD: (prefix ? 0 : objects * looksAt) + (move ? all * (prefix ? 1 : 2) : 0),
      LIST: again ? listed.destination : 0,
      DELETE: removes > 1 ? 0 : removals,
    },
  }
  const invoked = engine.runsOn === 'platform' && !byStore
  const read = bytes * (full ? (readsTwice ? 3 : 2) : 1)
  return {
    requests: {
      source: source.store.requests ? requests.source : {},
      destination: destination.store.requests ? requests.destination : {},
    },
    bytesOut: {
      source: byStore || !source.store.requests ? 0 : bytes * (full && readsTwice ? 2 : 1),
      destination: full && destination.store.requests ? bytes : 0,
    },
    invocations: invoked ? invocationsOf(parts, limits) + Math.ceil(objects / OBJECTS_EACH) : 0,
    functionMs: invoked
      ? (read / (pace ?? ASSUMED_BYTES_PER_SECOND)) * 1000 + ASSUMED_MS * (parts + objects / OBJECTS_AT_ONCE)
      : 0,
  }
}

/** As the scheduler shares the parts that wait (`partsPolicy`). @param {number} parts @param {{ concurrency: number, counted: boolean }} limits */
function invocationsOf(parts, { concurrency, counted }) {
  let invocations = 0
  for (let waiting = parts; waiting > 0; invocations++) {
    const share = Math.ceil(waiting / (2 * Math.max(1, concurrency)))
    waiting -= counted ? share : Math.min(2, share)
  }
  return invocations
}

module.exports = { ASSUMED_BYTES_PER_SECOND, forecast }

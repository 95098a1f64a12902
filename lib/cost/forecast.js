'use strict'

/** What a plan will use beyond what its dry run has asked for. Without faults; what is assumed stands here, and in docs/guides/cost.md. Pure. */

/** Bytes a second of one function, where nobody has measured: as the scheduler assumes (lib/schedule/batch.js). */
const ASSUMED_BYTES_PER_SECOND = 15e6
/** The time of a request pair in a function beside its bytes, of those that run at once in it. */
const ASSUMED_MS = 50
const OBJECTS_AT_ONCE = 8
/** Small objects of an invocation, at least, while there are more. */
const OBJECTS_EACH = 32
/** Objects below a prefix whose headers and tags are asked for first (lib/many/small.js). */
const SAMPLES = 20

/**
 * @typedef {object} Counts
 * @property {number} objects written in one request each
 * @property {number} inParts objects that are written in parts
 * @property {number} parts of these
 * @property {number} bytes of all
 * @property {number} concurrency invocations at once
 * @property {boolean} byStore the store copies by itself
 * @property {boolean} [prefix]
 * @property {boolean} [readsTwice] the source keeps no checksum that the bytes could be compared with
 * @property {number} [deleted] at the destination
 */

/**
 * @param {Pick<import('../job/contract').Job, 'settings' | 'source' | 'destination' | 'engine'>} job
 * @param {Counts} counts
 * @param {{ perMinute?: number }} limits of the engine
 */
function forecast({ settings, source: { store: from }, destination: { store: to }, engine }, counts, limits) {
  const { objects, inParts, parts, bytes, concurrency, byStore, prefix, readsTwice = false, deleted = 0 } = counts
  const tasks = objects + parts
  const moved = settings.move ? objects + inParts : 0
  const movedHeads = moved * (prefix ? 1 : 2)
  const full = settings.verify === 'full'
  const readAgain = full && readsTwice
  const { upload = {}, removes = 1 } = to.costs ?? {}
  const removals = Math.ceil(deleted / removes)
  const looksAt = Object.values(settings.condition).some(Boolean) ? 2 : 1
  const copiesTags = !to.setTime && settings.attributes.tags === 'copy'
  const heads = prefix ? inParts + (copiesTags && !byStore ? Math.min(objects, SAMPLES) : 0) : 0
  const source = from.requests && {
    // The second time in halves.
    GET: (byStore ? 0 : tasks) + (from.tags && copiesTags ? heads : 0) + (readAgain ? tasks + parts : 0),
    HEAD: heads + movedHeads,
    // A sync that deletes lists both sides again.
    LIST: deleted > 0 ? from.requests.LIST : 0,
    DELETE: moved,
  }
  const destination = to.requests && {
    PUT: (byStore ? 0 : tasks) + (upload.PUT ?? 0) * inParts,
    COPY: byStore ? tasks : 0,
    POST: (upload.POST ?? 0) * inParts + (removes > 1 ? removals : 0),
    GET: (full ? tasks : 0) + (upload.GET ?? 0) * inParts,
    HEAD: (prefix ? 0 : objects * looksAt) + movedHeads,
    LIST: deleted > 0 ? to.requests.LIST : 0,
    DELETE: removes > 1 ? 0 : removals,
  }
  const invoked = engine.runsOn === 'platform' && !byStore
  const read = bytes * (1 + Number(full) + Number(readAgain))
  const readMs = (read / (settings.pace ?? ASSUMED_BYTES_PER_SECOND)) * 1000
  return {
    requests: { ...(source && { source }), ...(destination && { destination }) },
    bytesOut: {
      source: source && !byStore ? bytes * (1 + Number(readAgain)) : 0,
      destination: destination && full ? bytes : 0,
    },
    invocations: invoked ? batches(parts, concurrency, limits) + Math.ceil(objects / OBJECTS_EACH) : 0,
    functionMs: invoked ? readMs + ASSUMED_MS * (parts + objects / OBJECTS_AT_ONCE) : 0,
  }
}

/** As the scheduler shares the parts that wait (`partsPolicy`). @param {number} parts @param {number} concurrency @param {{ perMinute?: number }} limits */
function batches(parts, concurrency, { perMinute }) {
  let invocations = 0
  for (let waiting = parts; waiting > 0; invocations++) {
    const share = Math.ceil(waiting / (2 * Math.max(1, concurrency)))
    waiting -= Number.isFinite(perMinute) ? share : Math.min(2, share)
  }
  return invocations
}

module.exports = { ASSUMED_BYTES_PER_SECOND, forecast }

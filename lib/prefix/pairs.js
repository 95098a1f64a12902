'use strict'

/**
 * The pairs in flight: each is proved equal by what is cheapest: what the lists tell, what both stores keep, or reading.
 * Outcomes go to the tally; differences are events.
 */

const { asXferError } = require('../errors')
const { acceptGone } = require('../destination')
const { compareStored } = require('../integrity')
const { compareByReading, noticesOfMd5s, proveByMd5, proveByStored, rangesToRead, sideOf } = require('../verify')
const { placeOf } = require('./keys')
const { createCourse } = require('./tally')
const { createRooms } = require('./ways')

/** @typedef {import('../types').Pair} Pair */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../verify/compare').Side} Side */

/**
 * @param {object} how
 * @param {Job} how.job of the prefixes
 * @param {ReturnType<typeof import('./ways').createWays>} how.ways its engine is opened when the first pair has to be read
 * @param {boolean} how.reads whether every pair is read
 * @param {boolean} how.oneWay whether an object that only the destination has is accepted
 * @param {boolean} how.sure a side without an object is known not to have it
 * @param {ReturnType<typeof createTally>} how.tally
 * @param {(name: string, error: import('../types').XferError, bytes: number) => void} how.fail a pair could not be compared
 * @param {(notice: import('../types').Notice) => void} how.notify of what applies to many pairs
 * @param {() => void} how.onWait called when a pair has to wait for others
 */
function createPairs({ job, ways, reads, oneWay, sure, tally, fail, notify, onWait }) {
  const { source, destination, settings } = job
  const { cancel: signal, emit } = job.run
  const rooms = createRooms({ concurrency: settings.concurrency, server: false, onWait })

  /**
   * @param {Pair} pair
   * @param {'missing' | 'extra' | 'differing'} as
   * @param {Pick<import('../types').DifferenceEvent, 'why' | 'reason' | 'start' | 'end'>} [shown]
   */
  function unequal(pair, as, shown) {
    const { name, source: from, destination: to } = pair
    tally.unequal(as, name, sizeOf(pair), Date.now())
    emit({
      type: 'difference',
      ...{ name, found: as === 'differing' ? 'differs' : as },
      ...(from && { bytes: from.bytes }),
      ...(to && { bytesThere: to.bytes }),
      ...shown,
    })
  }

  /** Only one side has the object. @param {Pair} pair */
  function alone(pair) {
    if (!pair.source && oneWay) tally.gone(sizeOf(pair))
    else unequal(pair, pair.source ? 'missing' : 'extra')
  }

  /** @param {Pair} pair @param {unknown} cause */
  function fails(pair, cause) {
    const error = asXferError(cause)
    if (error.code !== 'OBJECTS_DIFFER') return fail(pair.name, error, sizeOf(pair))
    const { by = 'damaged', reason = error.message, start, end } = error.facts
    unequal(pair, 'differing', { why: by, reason, ...(start !== undefined && { start, end }) })
  }

  /** What the lists prove. @param {Pair} pair @returns {import('../types').PairMethod | undefined} undefined: nothing */
  function provedByLists({ name, source: from, destination: to }) {
    if (!from || !to || from.bytes !== to.bytes) return undefined
    if (from.bytes === 0) return 'empty'
    const sides = [listedSide(source, name, from), listedSide(destination, name, to)]
    const proof = compareStored(sides[0].object, sides[1].object)
    // Parts of other sizes: what the lists tell is looked at again with what HEAD tells.
    return proof && !proof.layout ? proof.method : byMd5(sides)
  }

  /** @param {Side[]} sides @returns {import('../types').PairMethod | undefined} undefined: no MD5s prove them equal */
  function byMd5(sides) {
    const proof = proveByMd5(sides)
    if (proof) noticesOfMd5s(sides).forEach(notify)
    return proof?.method
  }

  /**
   * Asks both stores what they keep of the pair.
   *
   * @param {Pair} listed
   * @returns {Promise<{ pair: Pair, sides: Side[] } | undefined>} what has to be read; undefined: the pair is done
   */
  async function ask(listed) {
    const { name } = listed
    let pair = listed
    try {
      const heads = [source, destination].map(({ store, key }) => store.head(key + name, { signal }).catch(acceptGone))
      // Waits for both, then throws the first failure.
      await Promise.allSettled(heads)
      const [from, to] = await Promise.all(heads)
      pair = {
        name,
        source: from && { key: source.key + name, ...from },
        destination: to && { key: destination.key + name, ...to },
      }
      if (!from && !to) tally.gone(sizeOf(listed))
      else if (!from || !to) alone(pair)
      else if (from.bytes !== to.bytes) unequal(pair, 'differing', { why: 'size' })
      else {
        const sides = [sideOf(placeOf(source, name), from), sideOf(placeOf(destination, name), to)]
        const proof = reads ? undefined : ((await proveByStored(sides, signal))?.method ?? byMd5(sides))
        if (!proof) return { pair, sides }
        tally.equal(proof, from.bytes, Date.now())
      }
    } catch (cause) {
      fails(pair, cause)
    }
  }

  /** @param {Pair} pair @param {Side[]} sides of equal size @param {ReturnType<typeof rangesToRead>} split */
  async function read(pair, sides, split) {
    const [{ object }] = sides
    try {
      const way = await ways.engine()
      tally.bytes.toRead += object.bytes * split.toRead.length
      /** @type {Job['run']['emit']} */
      const tell = event => {
        if (event.type === 'part') tally.read(event.bytes, Date.now())
        else if (event.type === 'notice') notify(event)
        else emit(/** @type {import('../types').JobEvent} */ ({ ...event, name: pair.name }))
      }
      const own = Object.freeze({ ...way.job, run: Object.freeze({ ...way.job.run, emit: tell }) })
      await compareByReading({ ...way, job: own }, { sides, split })
      tally.equal('read', object.bytes, Date.now())
    } catch (cause) {
      fails(pair, cause)
    }
  }

  /** @param {Pair} listed it has entered the room of those that are compared */
  async function compare(listed) {
    const found = await ask(listed)
    if (!found) return rooms.compared.leave(1)
    const { pair, sides } = found
    const split = rangesToRead(sides, settings.chunkBytes, { both: reads })
    const many = split.ranges.length
    const room = many === 1 ? rooms.small : rooms.parts
    await room.enter(many)
    rooms.compared.leave(1)
    await read(pair, sides, split)
    room.leave(many)
  }

  return {
    /** Resolves once there is room for the pair. @param {Pair} pair */
    async begin(pair) {
      const { source: from, destination: to } = pair
      const proved = reads ? undefined : provedByLists(pair)
      if (proved) return tally.equal(proved, sizeOf(pair), Date.now())
      if (sure && !(from && to)) return alone(pair)
      if (sure && from?.bytes !== to?.bytes) return unequal(pair, 'differing', { why: 'size' })
      await rooms.compared.enter(1)
      void compare(pair)
    },

    /** Resolves once nothing is in flight. */
    ended: rooms.idle,
  }
}

/** @param {Pick<Pair, 'source' | 'destination'>} pair */
function sizeOf({ source, destination }) {
  return (source ?? destination)?.bytes ?? 0
}

/** An object as the list tells it. @param {Job['source']} side @param {string} name @param {import('../types').ListedObject} listed @returns {Side} */
function listedSide(side, name, listed) {
  return sideOf(placeOf(side, name), { ...listed, metadata: listed.metadata ?? { headers: {}, user: {} } })
}

/** Counts what a comparison of two prefixes has found, and how far it is. Of the names it keeps only the first few. Pure. */

/** Names in the error. */
const MOST_NAMED = 5

/** @typedef {import('../types').PairMethod} PairMethod */
/** @typedef {'differing' | 'missing' | 'extra' | 'failed'} Unequal */

/** @param {{ startMs: number }} work */
function createTally(work) {
  const { speed, ahead, isListing, listingEnded, at } = createCourse(work)
  /** @type {import('../types').PairCounts} */
  const counts = { listed: 0, equal: 0, differing: 0, missing: 0, extra: 0, failed: 0, filtered: 0 }
  /** equal: of equal objects; toCompare, compared: of all pairs; toRead, read: on both sides. */
  const bytes = { equal: 0, toCompare: 0, compared: 0, toRead: 0, read: 0 }
  /** @type {Partial<Record<PairMethod, number>>} */
  const methods = {}
  /** @type {string[]} */
  const named = []

  const unequal = () => counts.differing + counts.missing + counts.extra
  const done = () => counts.equal + unequal()

  return {
    counts,
    bytes,
    ahead,

    /** @returns {{ pairs: import('../types').PairCounts, methods: Partial<Record<PairMethod, number>> }} as they are now */
    found: () => ({ pairs: { ...counts }, methods: { ...methods } }),

    /** The first names that are not equal, and how many more there are. */
    names: () => ({ names: named, more: unequal() + counts.failed - named.length }),

    /** @param {number} size of the object, or of that of the source */
    listed(size) {
      counts.listed++
      bytes.toCompare += size
    },

    listingEnded,

    /** Both objects are gone since they were listed. @param {number} size as it was listed */
    gone(size) {
      counts.listed--
      bytes.toCompare -= size
    },

    /** @param {PairMethod} method @param {number} size @param {number} nowMs */
    equal(method, size, nowMs) {
      counts.equal++
      methods[method] = (methods[method] ?? 0) + 1
      bytes.equal += size
      bytes.compared += size
      speed.unit(nowMs)
    },

    /** @param {Unequal} as @param {string} name @param {number} size as it was listed @param {number} nowMs */
    unequal(as, name, size, nowMs) {
      counts[as]++
      bytes.compared += size
      if (named.length < MOST_NAMED) named.push(name)
      speed.unit(nowMs)
    },

    /** @param {number} more bytes were read @param {number} nowMs */
    read(more, nowMs) {
      bytes.read += more
      speed.moved(more, nowMs)
    },

    /** @param {number} nowMs */
    at(nowMs) {
      const phase = isListing() && counts.listed === 0 ? 'listing' : 'verifying'
      const objectsTotal = Math.max(counts.listed, ahead.objects)
      const bytesTotal = Math.max(bytes.toCompare, ahead.bytes)
      // Of what is not yet listed, as much has to be read as of the rest.
      const toRead = bytes.toRead * (bytes.toCompare > 0 ? bytesTotal / bytes.toCompare : 1)
      const left = { bytes: Math.max(0, toRead - bytes.read), units: objectsTotal - done() - counts.failed }
      const objects = { objectsDone: done(), objectsTotal, objectsSkipped: 0, objectsFiltered: counts.filtered }
      const unlike = { objectsFailed: counts.failed, objectsDiffering: unequal() }
      const compared = { bytesDone: bytes.compared, bytesTotal, resumedBytes: 0, ...objects, ...unlike }
      return at(nowMs, { phase, left }, compared)
    },
  }
}

module.exports = { createPairs, sizeOf, createTally }

'use strict'

/** Events of many objects: in order, and each notice once. */

const { identityOf } = require('../../notices')

/** Events that wait for an earlier one, at most: then the listing waits. */
const MOST_WAITING = 1_000

/**
 * Emits events in the order in which their places were taken, however long each takes: a dry run prints the same each time
 * that it finds the same. Without a place that is taken, events are emitted at once.
 *
 * @template E
 * @param {(event: E) => void} emit
 */
function createInOrder(emit) {
  /** @type {Array<{ event?: E, settled: boolean }>} */
  const waiting = []
  /** Called once there is room again. */
  let resume = () => {}

  function flush() {
    let settled = 0
    while (waiting[settled]?.settled) settled++
    for (const { event } of waiting.splice(0, settled)) if (event) emit(event)
    if (waiting.length < MOST_WAITING) resume()
  }

  return {
    /** @returns {(event?: E) => void} call it with the event, or with none; later calls do nothing */
    place() {
      /** @type {{ event?: E, settled: boolean }} */
      const place = { settled: false }
      waiting.push(place)
      return event => {
        if (place.settled) return
        place.event = event
        place.settled = true
        if (waiting[0] === place) flush()
      }
    },

    /** @param {E} event whose place is the next one */
    emit(event) {
      if (waiting.length === 0) emit(event)
      else waiting.push({ event, settled: true })
    },

    /** One may wait for it at a time. @returns {Promise<void> | undefined} resolves once fewer events wait; undefined: there is room now */
    room() {
      if (waiting.length < MOST_WAITING) return undefined
      return new Promise(resolve => {
        resume = resolve
      })
    },
  }
}

/**
 * The event of a dry run, which says why an object is skipped.
 *
 * @param {Omit<import('../../types').Pair, 'name'> & { name: string }} pair
 * @param {string} why
 * @returns {import('../../types').JobEvent}
 */
function skipOf({ name, source, destination }, why) {
  return {
    ...{ type: 'object', action: 'skip', name },
    ...(source && { bytes: source.bytes }),
    why,
    ...(destination && { bytesThere: destination.bytes }),
  }
}

/** @typedef {import('../../types').Notice} Notice */

/** Limit for notices whose other facts differ from object to object. */
const MOST_TOLD = 1_000

/**
 * A notice that applies to many objects is emitted for the first one, and not a million times.
 *
 * @param {(event: Notice) => void} emit
 * @returns {(notice: Notice) => void} emits the notice unless the same was emitted for another object
 */
function createNotifyOnce(emit) {
  /** @type {Set<string>} */
  const told = new Set()
  return notice => {
    const identity = identityOf(notice, { anywhere: true })
    if (told.has(identity) || told.size === MOST_TOLD) return
    told.add(identity)
    emit(notice)
  }
}

module.exports = { createInOrder, createNotifyOnce, skipOf }

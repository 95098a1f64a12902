'use strict'

/**
 * Emits events in the order in which their places were taken, however long each takes: a dry run prints the same each time
 * that it finds the same.
 *
 * @template E
 * @param {(event: E) => void} emit
 */
function createInOrder(emit) {
  /** @type {Array<{ event?: E, settled: boolean }>} */
  const waiting = []

  function flush() {
    let settled = 0
    while (waiting[settled]?.settled) settled++
    for (const { event } of waiting.splice(0, settled)) if (event) emit(event)
  }

  return {
    /** @returns {(event?: E) => void} call it once: with the event, or with none */
    place() {
      /** @type {{ event?: E, settled: boolean }} */
      const place = { settled: false }
      waiting.push(place)
      return event => {
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
  }
}

module.exports = { createInOrder }

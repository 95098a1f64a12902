'use strict'

/** Parts of an upload that no call aborts: nobody sees them, and their store removes them after a while. */

const { notice } = require('../notices')

/** @typedef {import('../types').Store} Store */

/**
 * Facts for people of such parts.
 *
 * @param {Store} store
 * @param {{ parts?: number, lastMs?: number }} found parts: how many; lastMs: when the last one was written, by the store's clock;
 *   both if known
 * @returns {{ part: string, words: string, parts?: number, lapsesMs?: number }} words: a clause about `them`
 */
function lapseOf({ upload: { lapse }, facts }, { parts, lastMs }) {
  const { afterMs, words } = /** @type {import('../types').Lapse} */ (lapse)
  return {
    ...{ part: facts.terms?.part ?? 'part', words },
    ...(parts !== undefined && { parts }),
    ...(lastMs !== undefined && { lapsesMs: lastMs + afterMs }),
  }
}

/**
 * What becomes of the parts that a job has uploaded.
 *
 * @param {{ store: Store, text: string }} destination
 * @param {number} parts how many the job knows of
 * @param {(event: import('../types').Notice) => void} emit
 */
function tellLapse({ store, text }, parts, emit) {
  if (parts > 0) emit(notice('PARTS_LAPSE', { location: text, ...lapseOf(store, { parts, lastMs: store.now() }) }))
}

module.exports = { lapseOf, tellLapse }

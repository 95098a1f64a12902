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
 * @returns {{ part: string, words: string, parts?: number, lapsesMs?: number }} words: a clause
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

/**
 * How many parts of an upload the store has. A killed job has parts that its journal does not know.
 *
 * @param {Store} store
 * @param {{ key: string, uploadId: string }} upload
 * @param {number} known by the journal: the answer, if the store does not say
 * @param {AbortSignal} [signal]
 * @returns {Promise<number>}
 */
async function countParts(store, upload, known, signal) {
  const seen = new Set()
  /** @type {string | undefined} */
  let marker
  try {
    do {
      /** @type {{ parts: import('../types').StoredPart[], next?: string }} */
      const { parts, next } = await store.upload.parts({ ...upload, marker }, { signal })
      for (const { etag } of parts) seen.add(etag)
      marker = next === marker ? undefined : next
    } while (marker !== undefined)
    return seen.size
  } catch {
    return known
  }
}

module.exports = { countParts, lapseOf, tellLapse }

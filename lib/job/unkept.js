'use strict'

/** The journals of jobs that write none. */

const { applyFact } = require('../journal')

/** @typedef {import('../types').JobJournal} JobJournal */

/** The journal of a job that keeps none. @type {JobJournal} */
const NO_JOURNAL = {
  kept: false,
  state: /** @type {any} */ ({ id: '', parts: new Map() }),
  async write() {},
  note() {},
  uploads: async () => [],
  async over() {},
  end: async error => error,
  async close() {},
}

/**
 * The journal of a dry run that finds an unfinished job. What is written changes only the state in memory.
 *
 * @param {import('../types').JobState} state of the unfinished job
 * @returns {JobJournal}
 */
function inMemory(state) {
  const note = (/** @type {import('../types').JournalFact} */ fact) =>
    applyFact(state, /** @type {import('../types').JournalEntry} */ ({ n: 0, at: state.updatedMs, ...fact }))
  return { ...NO_JOURNAL, state, note, write: async fact => note(fact) }
}

/**
 * The journal of the dry run of a resume: that of `inMemory`, and open, so that no other process takes the job meanwhile.
 *
 * @param {import('../types').Journal} journal
 * @returns {JobJournal}
 */
function lookingOnly({ state, brought, close }) {
  return {
    ...{ ...inMemory(state), brought, close, over: close },
    async end(error) {
      await close()
      return error
    },
  }
}

module.exports = { inMemory, lookingOnly, NO_JOURNAL }

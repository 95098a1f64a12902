'use strict'

/** The journal of a job in the memory of the test: what one run has written is there for the next one. */

const { applyFact, newObject } = require('../../lib/journal')

/** @param {any[]} [facts] that earlier runs have written */
function createRiggedJournal(facts = []) {
  return {
    facts,
    /**
     * The journal as one process sees it. What was only noted is on the disk with the next line that is waited for.
     *
     * @param {() => void} [step] called before and after each line that is waited for; what it throws ends the write
     */
    open(step = () => {}) {
      const createdMs = facts[0]?.at ?? Date.now()
      const state = { id: 'job', createdMs, updatedMs: createdMs, damaged: 0, ...newObject() }
      for (const fact of facts) applyFact(/** @type {any} */ (state), structuredClone(fact))
      /** @type {any[]} */
      const noted = []
      function note(fact) {
        const entry = { n: 0, at: Date.now(), ...fact }
        applyFact(/** @type {any} */ (state), entry)
        noted.push(structuredClone(entry))
      }
      async function flush() {
        step()
        facts.push(...noted.splice(0))
      }
      return {
        kept: true,
        goesOn: facts.length > 0,
        state,
        note,
        async write(fact) {
          step()
          note(fact)
          await flush()
        },
        uploads: async () => facts.flatMap(({ type, id }) => (type === 'upload' ? [id] : [])),
        over: flush,
        close: flush,
      }
    },
  }
}

module.exports = { createRiggedJournal }

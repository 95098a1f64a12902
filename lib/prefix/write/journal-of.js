'use strict'

/** The journal of one object's copy, which is a part of the journal of a prefix. */

const { newObject } = require('../../journal')

/**
 * @param {import('../../types').JobJournal} journal of the prefix
 * @param {string} name of the object
 * @returns {import('../../types').JobJournal}
 */
function journalOf(journal, name) {
  const nothing = newObject()
  return {
    kept: journal.kept,
    // Without a journal file `nothing` stays as it is.
    get state() {
      return /** @type {any} */ ({ id: journal.state.id, ...(journal.state.prefix?.objects.get(name) ?? nothing) })
    },
    write: fact => journal.write({ type: 'of', name, fact: /** @type {any} */ (fact) }),
    note: fact => journal.note({ type: 'of', name, fact: /** @type {any} */ (fact) }),
    uploads: journal.uploads,
    over: () => journal.write({ type: 'over', name }),
    end: async error => error,
    async close() {},
  }
}

module.exports = { journalOf }

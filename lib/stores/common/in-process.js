'use strict'

/**
 * What the stores share whose bytes a thread of this process moves, by a transport of the embedded engine: what they can, and what an
 * answer of such a transport has to have. It tells nothing that describes the object.
 */

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** @type {import('../contract').Abilities} */
const ABILITIES = {
  reach: 'process',
  sumAt: 'none',
  partTag: 'none',
  sums: { stored: [], checked: [], answered: [] },
  keepsMetadata: true,
}

const errorCode = { header: 'x-error' }
const etag = { header: 'etag', required: true }

/** Of a part: what it is written into has no version of its own. @type {Record<'read' | 'write' | 'part', AnswerRule>} */
const RULES = {
  read: { statuses: [200, 206], etag, changed: [412], errorCode },
  write: { statuses: [200], etag, errorCode },
  part: { statuses: [200], errorCode },
}

/** @type {Pick<Store, 'heeds' | 'describingHeaders'>} */
const MEMBERS = { heeds: () => true, describingHeaders: () => ({}) }

module.exports = { ABILITIES, MEMBERS, RULES }

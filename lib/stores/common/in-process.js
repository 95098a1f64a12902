'use strict'

/**
 * What the stores share whose bytes a thread of this process moves, by a transport of the embedded engine: what they can, what an
 * answer of such a transport has to have, and what their objects do not have, headers and tags.
 */

const { XferError } = require('../../errors')

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

/** @type {Pick<Store, 'heeds' | 'readDescription' | 'readWritten' | 'describingHeaders' | 'close'>} */
const MEMBERS = {
  heeds: () => true,
  readDescription: () => ({ metadata: { headers: {}, user: {} } }),
  readWritten: () => ({}),
  describingHeaders: () => ({}),
  close() {},
}

/** @param {import('../../types').ObjectAttributes} attributes @param {Record<string, any>} facts @param {string} reason */
function refuseTags({ tags = [] }, facts, reason) {
  if (tags.length > 0) throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason })
}

module.exports = { ABILITIES, MEMBERS, RULES, refuseTags }

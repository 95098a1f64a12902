'use strict'

/** The held parts of a stream as the source of a copy: a store whose reads are answered from memory. */

const { XferError } = require('../../errors')

/** What the transport of memory answers. @type {import('../../types').AnswerRule} */
const RULE = { statuses: [200, 206], errorCode: { header: 'x-error' } }

/** @type {import('../../types').Store['can']} */
const CAN = {
  reach: 'process',
  readsOnce: true,
  listsUploadsByPrefix: false,
  sums: { stored: [], checked: [], answered: [] },
  sumAt: 'none',
  partTag: 'none',
  keepsMetadata: true,
  hidesBelow: false,
}

/** A stream has no description. */
const BARE = { metadata: { headers: {}, user: {} } }

/**
 * @param {string} text for people
 * @param {() => Pick<ReturnType<typeof import('./cut').createCutter>, 'find'>} cutter
 * @returns {import('../../job/contract').Side}
 */
function createSource(text, cutter) {
  const facts = { side: /** @type {const} */ ('source'), protocol: text, bucket: '', endpoint: text }
  const no = () => Promise.reject(new XferError('INTERNAL', { reason: `${text} was asked for what no stream has` }))
  /** @type {Pick<import('../../types').Store, keyof import('../../types').Store>} */
  const store = {
    ...{ scheme: '-', facts, endpoint: text, origin: '', can: CAN },
    limits: { minBytes: 1, maxBytes: Number.MAX_SAFE_INTEGER, maxParts: 1, equalParts: false },
    authenticate: async () => false,
    readDescription: () => BARE,
    readWritten: () => ({}),
    describingHeaders: () => ({}),
    explain: ({ status, storeCode, ...said }) =>
      new XferError('INTERNAL', { ...facts, ...said, reason: `memory answered ${status} ${storeCode ?? ''}`.trim() }),
    now: Date.now,
    ping: async () => {},
    head: no,
    async read({ range }) {
      const part = cutter().find(range ?? { start: 0, end: -1 })
      if (!part) throw new XferError('STREAM_PASSED')
      const address = part.held.address(part, range)
      return { request: { method: 'GET', ...address, accepts: RULE }, totalBytes: part.bytes }
    },
    put: no,
    heeds: () => false,
    upload: { create: no, part: no, parts: no, complete: no, pending: no },
    remove: no,
    removeAll: no,
    close: async () => {},
  }
  const settings = /** @type {import('../../types').StoreSettings} */ ({ side: 'source' })
  return { store, key: '', text, plain: text, place: text, settings }
}

module.exports = { createSource }

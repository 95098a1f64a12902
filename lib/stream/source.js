'use strict'

/** The held parts of a stream as the source of a copy: a store whose reads are answered from memory. */

const { createHash } = require('node:crypto')
const { XferError } = require('../errors')
const { createSums } = require('../../actions/copy-range/copy')
const { namesOf, sumText, SUM_WORDS } = require('../integrity')

/** What the transport of memory answers. @type {import('../types').AnswerRule} */
const RULE = { statuses: [200], errorCode: { header: 'x-error' } }

/** @type {import('../types').Store['can']} */
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
 * @returns {import('../job/contract').Side}
 */
function createSource(text, cutter) {
  const facts = { side: /** @type {const} */ ('source'), protocol: text, bucket: '', endpoint: text }
  /** What a copy asks of its source. @satisfies {Partial<import('../types').Store>} */
  const store = {
    ...{ scheme: '-', facts, endpoint: text, origin: '', can: CAN },
    authenticate: async () => false,
    readDescription: () => BARE,
    /** @type {import('../types').Store['explain']} */
    explain: ({ status, storeCode, ...said }) =>
      new XferError('INTERNAL', { ...facts, ...said, reason: `memory answered ${status} ${storeCode ?? ''}`.trim() }),
    now: Date.now,
    ping: async () => {},
    /** @type {import('../types').Store['read']} */
    async read({ range }) {
      // A task reads a part as a whole.
      const part = cutter().find(range ?? { start: 0 })
      if (!part) throw new XferError('STREAM_PASSED')
      return { request: { method: 'GET', ...part.held.address(part), accepts: RULE }, totalBytes: part.bytes }
    },
    close: async () => {},
  }
  const settings = /** @type {import('../types').StoreSettings} */ ({ side: 'source' })
  return { store: /** @type {any} */ (store), key: '', text, plain: text, place: text, settings }
}

/**
 * What is known of the stream beforehand: its SHA-256 by the caller; size and checksums by the server of an object. Judged before
 * anything becomes visible.
 */

/**
 * @param {object} expected
 * @param {string} [expected.sha256] 64 hex digits
 * @param {{ bytes?: number, sums?: import('../types').Sums }} [expected.told] what the server of the object tells, in hex
 */
function createExpectation({ sha256, told = {} }) {
  const { bytes } = told
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  const names = namesOf(told.sums ?? {})
  const sums = createSums(names)
  let found = 0

  return {
    /** @param {Buffer} piece in order @throws {XferError} INPUT_DIFFERS once there is too much */
    update(piece) {
      found += piece.length
      if (bytes !== undefined && found > bytes) throw differs('size', bytes, `more than ${bytes}`)
      hash?.update(piece)
      sums.update(piece)
    },

    /** Called when the stream has ended. @throws {XferError} INPUT_DIFFERS */
    judge() {
      if (bytes !== undefined && found !== bytes) throw differs('size', bytes, found)
      const digest = hash?.digest('hex')
      if (sha256 !== undefined && sha256.toLowerCase() !== digest) throw differs('SHA-256', sha256, digest)
      const all = sums.digest()
      for (const name of names) {
        if (told.sums?.[name] === all[name]) continue
        throw differs(SUM_WORDS[name], sumText(name, told.sums?.[name]), sumText(name, all[name]), 'server')
      }
    },
  }
}

/** @param {string} what @param {unknown} expected @param {unknown} found @param {string} [of] 'server': its server tells it */
function differs(what, expected, found, of) {
  return new XferError('INPUT_DIFFERS', { what, expected, found, ...(of && { of }) })
}

module.exports = { BARE, createSource, createExpectation }

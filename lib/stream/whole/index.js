'use strict'

/** Reads an object whose server sends no ranges: once, in its order, by this machine. What breaks off cannot be continued. */

const { createHash } = require('node:crypto')
const { createSums } = require('../../../actions/copy-range/copy')
const { XferError, abortReason, isError, messageOf } = require('../../errors')
const { notice } = require('../../notices')

/** What is told to the progress at once. */
const PIECE_BYTES = 8 * 1024 ** 2

/** @typedef {import('../../types').Sums} Sums */
/** @typedef {{ sums: import('../../types').Sum[], emit: import('../../job/contract').Run['emit'] }} Wish sums: those to compute; emit: is told what was read, as parts */
/** @typedef {Omit<import('../../stores/contract').StreamedObject, 'body'>} Told */
/** @typedef {{ bytes: number, sums: Sums, sha256?: string }} Found of all bytes; sha256: in hex, if the server tells one */

/**
 * @param {import('../../job/contract').Side} source `head` refused it with NO_RANGES
 * @param {object} how
 * @param {string} how.reason why it has no ranges, to follow `its server`
 * @param {AbortSignal} how.signal
 * @param {import('../../job/contract').Run['emit']} how.emit is told the notice
 * @returns {Promise<{ told: Told, read: (wish: Wish, last: (found: Found) => void) => AsyncGenerator<Buffer, void, void>, close: () => void }>}
 *   told: what the server tells of it. read: the bytes, in order; `last` is called before the last of them are handed out.
 *   close: ends the reading, if it has not ended
 * @throws {XferError} what the store throws; BROKE_OFF while it is read
 */
async function openWhole(source, { reason, signal, emit }) {
  const { store, key, text } = source
  const open = /** @type {NonNullable<import('../../types').Store['stream']>} */ (store.stream)
  const { body, ...told } = await open(key, { signal })
  const close = () => void body.destroy()
  signal.addEventListener('abort', close, { once: true })
  emit(notice('SOURCE_AS_STREAM', { location: text, reason }))

  /** @param {Wish} wish @param {(found: Found) => void} last @returns {AsyncGenerator<Buffer, void, void>} */
  async function* read(wish, last) {
    const sums = createSums(wish.sums)
    const hash = told.sha256 === undefined ? undefined : createHash('sha256')
    const shown = createShown(wish.emit)
    let bytes = 0
    /** @type {Buffer | undefined} */
    let held
    try {
      for await (const piece of body) {
        if (held) yield held
        held = piece
        sums.update(piece)
        hash?.update(piece)
        bytes += piece.length
        shown.moved(piece.length)
      }
      if (told.bytes !== undefined && told.bytes !== bytes) throw new Error(`it has ${bytes} bytes of ${told.bytes}`)
    } catch (cause) {
      if (signal.aborted) throw abortReason(signal)
      const broke = { location: text, bytes, reason: messageOf(cause) }
      throw new XferError('BROKE_OFF', broke, { cause: isError(cause) ? cause : undefined })
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
    shown.ended()
    last({ bytes, sums: sums.digest(), ...(hash && { sha256: hash.digest('hex') }) })
    if (held) yield held
  }

  return { told, read, close }
}

/** Tells what was read as parts, for the progress. @param {import('../../job/contract').Run['emit']} emit */
function createShown(emit) {
  let partNumber = 0
  let bytes = 0
  let startedMs = Date.now()
  const ended = () => {
    if (bytes === 0) return
    partNumber++
    emit({ type: 'part', partNumber, bytes, attempt: 1, elapsedMs: Date.now() - startedMs })
    bytes = 0
    startedMs = Date.now()
  }
  return {
    /** @param {number} more */
    moved(more) {
      bytes += more
      if (bytes >= PIECE_BYTES) ended()
    },
    ended,
  }
}

/** The plan that the progress counts by. @param {number | undefined} bytes undefined: nobody tells */
function planOfWhole(bytes) {
  const parts = /** @type {any} */ ({ length: Math.max(1, Math.ceil((bytes ?? 0) / PIECE_BYTES)) })
  return { bytes: bytes ?? 0, parts, ...(bytes === undefined && { growing: { over: false } }) }
}

module.exports = { openWhole, planOfWhole }

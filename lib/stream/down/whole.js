'use strict'

/** The download of an object whose server sends no ranges. What was handed out before it breaks off is not taken back. */

const { namesOf } = require('../../integrity')
const { watchProgress } = require('../../progress')
const { openWhole, planOfWhole } = require('../whole')
const { judgeWhole } = require('./judge')
const { chosenOf } = require('./wanted')

/** @typedef {import('./open').Opened} Opened */

/**
 * @param {Opened} opened
 * @param {(piece: Buffer) => Promise<void>} give hands out the bytes, in order; resolves when more are wanted
 * @param {{ refusal: import('../../types').XferError, plan: ReturnType<typeof import('./download').planOf> }} how refusal: NO_RANGES
 * @returns {Promise<import('../../types').Download>}
 * @throws {import('../../types').XferError} BROKE_OFF, READ_CORRUPTED, MD5_DIFFERS; `refusal` for a range where no size is told
 */
async function downloadWhole({ settings, source, run, engine, ended }, give, { refusal, plan }) {
  const startedMs = Date.now()
  const { reason } = refusal.facts
  const { told, read, close } = await openWhole(source, { reason, signal: ended, emit: run.emit })
  const chosen = choose()
  const known = Number.isFinite(chosen.bytes) ? { bytes: chosen.bytes } : {}
  run.emit({ type: 'plan', ...plan, ...known, ranges: 1, rangeBytes: known.bytes ?? 0, ahead: 1, concurrency: 1 })
  const watch = watchProgress({ engine, run }, planOfWhole(told.bytes))
  /** @type {ReturnType<typeof judgeWhole> | undefined} */
  let found
  const names = /** @type {import('../../types').Sum[]} */ ([...new Set(['crc32', ...namesOf(told.sums ?? {})])])
  const pieces = read({ sums: names, emit: watch.run.emit }, result => {
    if (settings.proved) found = judgeWhole(told, result)
  })
  let bytes = 0
  try {
    for await (const piece of chosenIn(pieces, chosen)) {
      await give(piece)
      bytes += piece.length
    }
  } finally {
    watch.stop()
  }
  const elapsedMs = Date.now() - startedMs
  return {
    ...{ source: source.text, bytes, engine: engine.name, etag: '' },
    ...(found ?? { proof: [] }),
    ...{ elapsedMs, bytesPerSecond: Math.round((bytes / Math.max(elapsedMs, 1)) * 1000) },
    ...{ invocations: 0, retried: 0, throttled: 0 },
  }

  function choose() {
    try {
      if (settings.range && told.bytes === undefined) throw refusal
      return chosenOf(settings.range, told.bytes ?? Number.POSITIVE_INFINITY)
    } catch (error) {
      close()
      throw error
    }
  }
}

/**
 * Ends, and so the reading, once it has all that was chosen.
 *
 * @param {AsyncGenerator<Buffer, void, void>} pieces of the whole object
 * @param {{ start: number, bytes: number }} chosen
 */
async function* chosenIn(pieces, { start, bytes }) {
  let at = 0
  for await (const piece of pieces) {
    const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, start + bytes - at))
    at += piece.length
    if (wanted.length > 0) yield wanted
    // At the end of the object the reading ends by itself, and is judged.
    if (at > start + bytes) return
  }
}

module.exports = { downloadWhole }

'use strict'

/** Reads the body of an answer to a control call, with limits on size and time. */

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/** How long the whole body of an answer may take; a `late` answer may take three times as long. */
const ANSWER_MS = 5 * 60_000
/** The share of that time after which the rate is checked. */
const BEGINNING = 1 / 10
/** The lowest average rate, in bytes per second. */
const LEAST_RATE = 1024

/**
 * @param {IncomingMessage} body
 * @param {object} bounds
 * @param {number} bounds.most bytes
 * @param {number} bounds.silenceMs
 * @param {number} [bounds.answerMs]
 * @param {boolean} [bounds.late] whether the lowest rate does not apply, and the time is three times as long
 * @param {boolean} [bounds.partly] what came is the answer if it is larger, breaks off or stops; the lowest rate does not apply
 * @returns {Promise<Buffer | undefined>} undefined if it is larger than `most`: the rest is not read
 * @throws {Error} with the code of the connection's failure
 */
async function readBody(body, { most, silenceMs, answerMs = ANSWER_MS, late = false, partly = false }) {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  const beatMs = Math.min(silenceMs / 4, answerMs * BEGINNING)
  let [begunMs, heardMs, beatenMs] = Array(3).fill(performance.now())
  /** @param {string} text */
  const giveUp = text => body.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }))
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const missedMs = nowMs - beatenMs - beatMs
    beatenMs = nowMs
    // This process was suspended for a while: that time does not count.
    if (missedMs > beatMs) {
      begunMs += missedMs
      heardMs += missedMs
    }
    const tookMs = nowMs - begunMs
    if (nowMs - heardMs >= silenceMs) giveUp('the answer stopped')
    else if (tookMs >= answerMs * (late ? 3 : 1)) giveUp('the answer does not end')
    else if (!late && !partly && length < (LEAST_RATE * (tookMs - answerMs * BEGINNING)) / 1000)
      giveUp('the answer is too slow')
  }, beatMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      heardMs = performance.now()
      // Leaving the loop closes the connection.
      if (length > most) return partly ? Buffer.concat(chunks) : undefined
    }
  } catch (cause) {
    if (partly) return Buffer.concat(chunks)
    const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw Object.assign(new Error('the answer broke off', { cause }), { code })
  } finally {
    clearInterval(timer)
  }
  return Buffer.concat(chunks)
}

module.exports = { readBody }

'use strict'

/** One request to a worker, and its whole answer: with a deadline for each phase, and an abort that leaves no listener behind. */

const { begin, noAnswer } = require('../../http')
const { abortReason } = require('../../errors')

/** The most bytes of an answer: some times what a worker sends. */
const MOST_BYTES = 32 * 1024 ** 2

/**
 * @typedef {object} Limits milliseconds
 * @property {number} connectMs
 * @property {number} headMs from sending the request to the head of its answer
 * @property {number} silenceMs without a byte of the body
 *
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }} Answer
 * @typedef {Error & { code?: string, sent: boolean }} Lost sent: the worker may have got the request
 */

/**
 * @param {{ method: string, url: string, headers: Record<string, string>, body?: Buffer }} request
 * @param {{ agent: import('node:http').Agent, signal?: AbortSignal, limits: Limits }} how
 * @returns {Promise<Answer>}
 * @throws {Lost | import('../../types').XferError} the abort's reason, if it is aborted
 */
function exchange({ body, ...head }, { agent, signal, limits: { connectMs, headMs, silenceMs } }) {
  return new Promise((resolve, reject) => {
    let sent = false
    let answered = false
    let over = false
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const request = begin(head, { agent })
    /** @param {number} ms */
    const within = ms => {
      clearTimeout(timer)
      if (over) return
      timer = setTimeout(() => fail(noAnswer()), ms)
    }
    /** @returns {boolean} whether it was the first to end this */
    const settle = () => {
      if (over) return false
      over = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      return true
    }
    const cancel = () => {
      if (!settle()) return
      request.destroy()
      reject(abortReason(/** @type {AbortSignal} */ (signal)))
    }
    /** @param {Error} error */
    const fail = error => {
      if (!settle()) return
      request.destroy()
      reject(Object.assign(error, { sent }))
    }
    const cut = () => fail(Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' }))

    signal?.addEventListener('abort', cancel, { once: true })
    within(connectMs)
    request.on('socket', (/** @type {any} */ socket) => {
      const onOpen = () => {
        sent = true
        socket.setKeepAlive(true, 10_000)
        within(headMs)
      }
      if (socket.connecting) socket.once(socket.encrypted ? 'secureConnect' : 'connect', onOpen)
      else onOpen()
    })
    request.on('error', fail)
    request.on('response', response => {
      answered = true
      /** @type {Buffer[]} */
      const pieces = []
      let bytes = 0
      within(silenceMs)
      response.on('data', piece => {
        within(silenceMs)
        bytes += piece.length
        if (bytes > MOST_BYTES) cut()
        else pieces.push(piece)
      })
      response.on('error', fail)
      response.on('close', cut)
      response.on('end', () => {
        if (!response.complete) return cut()
        if (!settle()) return
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text: Buffer.concat(pieces).toString() })
      })
    })
    // A request that ended without an answer and without an error.
    request.on('close', () => !answered && cut())
    request.end(body)
  })
}

module.exports = { exchange }

'use strict'

/** One request to a worker, and its whole answer: with a deadline for each phase, and an abort that leaves no listener behind. */

const { begin, noAnswer } = require('../../http')
const { abortReason, throwIfAborted } = require('../../errors')

/** The most bytes of an answer: some times what a worker sends. */
const MOST_BYTES = 32 * 1024 ** 2

/** What is sent of a request at once. */
const PIECE_BYTES = 64 * 1024

/**
 * @typedef {object} Limits milliseconds
 * @property {number} connectMs
 * @property {number} headMs from the last piece of the request that was sent to the head of its answer
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
async function exchange({ body, ...head }, { agent, signal, limits: { connectMs, headMs, silenceMs } }) {
  throwIfAborted(signal)
  return await new Promise((resolve, reject) => {
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
    sendBody(request, body, () => !answered && within(headMs))
  })
}

/**
 * Sends it in pieces, so that a slow network is told from one that is gone.
 *
 * @param {import('node:http').ClientRequest} request
 * @param {Buffer | undefined} body
 * @param {() => void} onSent called after each piece but the last one
 */
function sendBody(request, body, onSent) {
  if (body === undefined || body.length <= PIECE_BYTES) return void request.end(body)
  request.write(body.subarray(0, PIECE_BYTES), error => {
    if (error) return
    onSent()
    sendBody(request, body.subarray(PIECE_BYTES), onSent)
  })
}

module.exports = { exchange }

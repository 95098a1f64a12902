'use strict'

/** Clients of an upload service: usual ones, slow ones, and such as vanish. */

const { once } = require('node:events')
const http = require('node:http')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')

const LIMIT_MS = 120_000
const PIECES_A_SECOND = 4
const BOUNDARY = '----boundary-of-the-form'
const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`

/**
 * What is sent before and after the file.
 * @typedef {(service: string, bytes: number) => Promise<{ request: http.ClientRequest, head: string, tail: string }>} Begin
 *
 * Rejects if the upload fails.
 * @typedef {(begin: Begin, service: string, body: Buffer) => Promise<void>} Send
 */

/** A connection of its own for each. @param {string} url @param {string} method @param {Record<string, string | number>} headers */
const open = (url, method, headers = {}) =>
  http.request(url, { agent: false, method, headers, signal: AbortSignal.timeout(LIMIT_MS) })

/** @param {http.ClientRequest} request @returns {Promise<string>} the answer's body */
async function answerOf(request) {
  const [response] = await once(request, 'response')
  const body = await text(response)
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${body.slice(0, 200)}`)
  return body
}

/** To the service. @type {Begin} */
const beginForm = async (service, bytes) => {
  const length = HEAD.length + bytes + TAIL.length
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length }
  return { request: open(`${service}/uploads`, 'POST', headers), head: HEAD, tail: TAIL }
}

/** Straight to the store, at an address that the service signs. @type {Begin} */
const beginPut = async (service, bytes) => {
  const { url } = JSON.parse(await answerOf(open(`${service}/presign`, 'POST').end()))
  return { request: open(url, 'PUT', { 'content-length': bytes }), head: '', tail: '' }
}

/** @type {Send} */
async function send(begin, service, body) {
  const { request, head, tail } = await begin(service, body.length)
  for (const piece of [head, body]) request.write(piece)
  await answerOf(request.end(tail))
}

/** @param {number} seconds that it takes @returns {Send} */
const sendSlowly = seconds => async (begin, service, body) => {
  const { request, head, tail } = await begin(service, body.length)
  const answer = answerOf(request)
  answer.catch(() => {})
  request.write(head)
  const pieceBytes = Math.ceil(body.length / (PIECES_A_SECOND * seconds))
  for (let at = 0; at < body.length; at += pieceBytes) {
    request.write(body.subarray(at, at + pieceBytes))
    await delay(1000 / PIECES_A_SECOND)
  }
  request.end(tail)
  await answer
}

/** Sends half of a body, and hangs up once the system has taken all of that. @type {Send} */
async function vanish(begin, service, body) {
  const { request, head } = await begin(service, body.length)
  const answered = once(request, 'response')
  const half = Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)])
  await Promise.race([answered, new Promise(resolve => request.write(half, resolve))])
  answered.catch(() => {})
  request.on('error', () => {}).destroy()
}

/** All at once. @param {Promise<void>[]} uploads @returns {Promise<Array<{ ms: number, why?: string }>>} why: it failed */
function outcomesOf(uploads) {
  const startedMs = performance.now()
  const passed = () => ({ ms: performance.now() - startedMs })
  return Promise.all(uploads.map(sent => sent.then(passed, error => ({ ...passed(), why: String(error) }))))
}

module.exports = { beginForm, beginPut, outcomesOf, send, sendSlowly, vanish }

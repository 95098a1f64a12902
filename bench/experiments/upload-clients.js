'use strict'

/** Clients of an upload service: all at once, some that are slow, and some that vanish. */

const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')

const LIMIT_MS = 120_000
const BOUNDARY = `----${randomBytes(12).toString('hex')}`
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: image/png\r\n\r\n`,
)
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

/** @typedef {{ ok: boolean, ms: number, why?: string }} Outcome */
/** @typedef {(service: string, body: Buffer) => Promise<void>} Send rejects if the upload fails */

/** A connection of its own for each. */
const agent = new http.Agent({ maxSockets: Infinity })

/** @param {string} url @param {string} method @param {Record<string, string | number>} headers */
const begin = (url, method, headers) =>
  http.request(url, { agent, method, headers, signal: AbortSignal.timeout(LIMIT_MS) })

/** @param {http.ClientRequest} request @returns {Promise<string>} the answer's body */
async function answerOf(request) {
  const [response] = await once(request, 'response')
  const body = await text(response)
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${body.slice(0, 200)}`)
  return body
}

/** @param {string} service @param {number} bytes */
const beginForm = (service, bytes) =>
  begin(`${service}/uploads`, 'POST', {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': HEAD.length + bytes + TAIL.length,
  })

/** @type {Send} */
async function sendForm(service, body) {
  const request = beginForm(service, body.length)
  for (const piece of [HEAD, body]) request.write(piece)
  request.end(TAIL)
  await answerOf(request)
}

/** @type {Send} */
async function sendToStore(service, body) {
  const asked = begin(`${service}/presign`, 'POST', {})
  asked.end()
  const { url } = JSON.parse(await answerOf(asked))
  const request = begin(url, 'PUT', { 'content-length': body.length })
  request.end(body)
  await answerOf(request)
}

/** @param {Promise<void>} sent @returns {Promise<Outcome>} */
async function outcomeOf(sent) {
  const startedMs = performance.now()
  const done = await sent.then(
    () => ({ ok: true }),
    error => ({ ok: false, why: /** @type {Error} */ (error).message || String(error) }),
  )
  return { ...done, ms: performance.now() - startedMs }
}

/** @param {Send} send @param {string} service @param {Buffer} body @param {number} clients */
const burst = (send, service, body, clients) =>
  Promise.all(Array.from({ length: clients }, () => outcomeOf(send(service, body))))

/** Sends a form little by little. @param {string} service @param {Buffer} body @param {number} seconds */
async function sendSlowly(service, body, seconds) {
  const request = beginForm(service, body.length)
  const answer = answerOf(request)
  answer.catch(() => {})
  request.write(HEAD)
  const pieceBytes = Math.ceil(body.length / (4 * seconds))
  for (let at = 0; at < body.length; at += pieceBytes) {
    request.write(body.subarray(at, at + pieceBytes))
    await delay(250)
  }
  request.end(TAIL)
  await answer
}

/** Sends half of a body, and hangs up once the system has taken all of that. @param {http.ClientRequest} request @param {Buffer[]} pieces */
async function vanish(request, pieces) {
  const failed = once(request, 'error')
  const sent = new Promise(resolve => request.write(Buffer.concat(pieces), resolve))
  await Promise.race([sent, failed, once(request, 'response')])
  request.destroy()
}

/** @param {string} service @param {Buffer} body */
const vanishFromForm = (service, body) =>
  vanish(beginForm(service, body.length), [HEAD, body.subarray(0, body.length / 2)])

/** @param {string} service @param {Buffer} body */
async function vanishFromStore(service, body) {
  const asked = begin(`${service}/presign`, 'POST', {})
  asked.end()
  const { url } = JSON.parse(await answerOf(asked))
  await vanish(begin(url, 'PUT', { 'content-length': body.length }), [body.subarray(0, body.length / 2)])
}

module.exports = { burst, outcomeOf, sendForm, sendSlowly, sendToStore, vanishFromForm, vanishFromStore }

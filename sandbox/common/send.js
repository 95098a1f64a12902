'use strict'

const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { piecesOf, sendPieces } = require('./content')
const { awaitsContinue } = require('./request')

/**
 * Writes an answer, with what the fault rules do to it.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** How long the body of a refused request is still read, so that the client can read the answer before the connection ends. */
const LINGER_MS = 2000

/**
 * @param {Context} ctx
 * @param {Answer} answer with all its headers
 * @returns {Promise<void>} rejects when the connection breaks
 */
async function send(ctx, { status, headers = {}, body = '', content }) {
  const { res, req, effects, signal } = ctx
  const { answerDelayMs, blanks } = effects
  if (answerDelayMs !== undefined && blanks === undefined) await delay(answerDelayMs, undefined, { signal })
  if (effects.loseAnswer) throw new Error('the answer was lost on purpose')
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.statusCode = blanks === undefined ? status : 200
  if (content) {
    await sendPieces(ctx, piecesOf(ctx.state.blobs, content))
    res.end()
    return
  }
  const whole = Buffer.from(body)
  const text = effects.truncateXml ? whole.subarray(0, whole.length >> 1) : whole
  const bodyAllowed = ctx.method !== 'HEAD' && status !== 204
  const refused = status >= 400 && !ctx.bodyRead
  if (text.length > 0 && !res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/xml')
  // As in S3 and Azure, documents are sent chunked, and the connection is closed after a refused body.
  if (refused) res.setHeader('Connection', 'close')
  if (bodyAllowed && (refused || text.length === 0)) res.setHeader('Content-Length', text.length)
  if (bodyAllowed && text.length > 0) await sendPieces(ctx, documentOf(ctx, text))
  if (refused && !awaitsContinue(ctx)) await linger(ctx)
  else req.resume()
  res.end()
}

/**
 * A document as the fault rules want it: without an end, or as S3 sends it while it completes an upload: the XML declaration,
 * and spaces while the work takes. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @param {Context} ctx
 * @param {Buffer} text
 * @returns {AsyncGenerator<Buffer>}
 */
async function* documentOf({ effects, signal }, text) {
  const { answerDelayMs = 0, blanks, endless } = effects
  if (endless) {
    const filler = Buffer.from(`<More>${'x'.repeat(65_536)}</More>`)
    yield text.subarray(0, text.lastIndexOf('</'))
    while (!signal.aborted) yield filler
  } else if (blanks === undefined) yield text
  else {
    const begun = text.indexOf('?>') + 2
    yield text.subarray(0, begun)
    for (let sent = 0; sent < blanks; sent++) {
      yield Buffer.from(' ')
      await delay(answerDelayMs / blanks, undefined, { signal })
    }
    yield text.subarray(begun)
  }
}

/**
 * Reads and discards the rest of the body: closing with unread bytes would reset the connection, and the answer would be lost.
 *
 * @param {Context} ctx
 */
async function linger({ req, res, signal }) {
  res.flushHeaders()
  req.resume()
  if (req.readableEnded) return
  await once(req, 'end', { signal: AbortSignal.any([signal, AbortSignal.timeout(LINGER_MS)]) }).catch(() => {})
}

module.exports = { send }

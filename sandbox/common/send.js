'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { createOutlet, sendContent } = require('./content')
const { awaitsContinue } = require('./request')

/**
 * Writes an answer, with what the fault rules do to it.
 *
 * @typedef {import('./types').Served} Context
 * @typedef {import('./types').Answer} Answer
 */

/** How long the body of a refused request is still read, so that the client can read the answer before the connection ends. */
const LINGER_MS = 2000

/**
 * @param {Context} ctx
 * @param {Answer} answer with all its headers
 * @returns {Promise<void>} rejects when the connection breaks
 */
async function send(ctx, answer) {
  const { res, effects } = ctx
  const { answerDelayMs, blanks } = effects
  if (answerDelayMs !== undefined && blanks === undefined) await delay(answerDelayMs, undefined, { signal: ctx.signal })
  if (effects.loseAnswer) {
    answer.content?.release()
    ctx.req.socket.destroy()
    throw new Error('the answer was lost on purpose')
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value)
  res.statusCode = blanks === undefined ? answer.status : 200
  try {
    if (answer.content) {
      await sendContent(ctx, answer.content)
      res.end()
    } else if (effects.endless && answer.body) {
      await sendEndless(ctx, answer.body)
    } else if (blanks === undefined) {
      await sendText(ctx, answer)
    } else {
      await sendLate(ctx, answer, blanks)
    }
  } finally {
    answer.content?.release()
  }
}

/** @param {Context} ctx @param {Answer} answer */
async function sendText(ctx, answer) {
  const { res, req } = ctx
  const text = Buffer.from(answer.body ?? '')
  const body = ctx.effects.truncateXml ? text.subarray(0, text.length >> 1) : text
  if (body.length > 0 && !res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/xml')
  const bodyAllowed = ctx.method !== 'HEAD' && answer.status !== 204 && answer.status !== 304
  const refused = answer.status >= 400 && !ctx.bodyRead
  // As in S3 and Azure, documents are sent chunked, and the connection is closed after a refused body.
  if (refused) res.setHeader('Connection', 'close')
  if (bodyAllowed && (refused || body.length === 0)) res.setHeader('Content-Length', body.length)
  if (bodyAllowed && body.length > 0) {
    const outlet = createOutlet(ctx)
    try {
      await outlet.write(body)
    } finally {
      outlet.close()
    }
  }
  if (refused && !awaitsContinue(ctx)) await linger(ctx)
  else req.resume()
  res.end()
}

/**
 * Sends the head and the XML declaration at once, spaces while the work takes, and then the rest of the document.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @param {Context} ctx
 * @param {Answer} answer
 * @param {number} blanks
 */
async function sendLate(ctx, { body = '' }, blanks) {
  const { res, req, signal, effects } = ctx
  res.setHeader('Content-Type', 'application/xml')
  const begun = body.indexOf('?>') + 2
  const outlet = createOutlet(ctx)
  try {
    await outlet.write(Buffer.from(body.slice(0, begun)))
    for (let sent = 0; sent < blanks; sent++) {
      await outlet.write(Buffer.from(' '))
      await delay((effects.answerDelayMs ?? 0) / blanks, undefined, { signal })
    }
    await outlet.write(Buffer.from(body.slice(begun)))
  } finally {
    outlet.close()
  }
  req.resume()
  res.end()
}

/**
 * Sends a document that never ends; only the client can end it.
 *
 * @param {Context} ctx
 * @param {string} body
 */
async function sendEndless(ctx, body) {
  ctx.res.setHeader('Content-Type', 'application/xml')
  const filler = Buffer.from(`<More>${'x'.repeat(65_536)}</More>`)
  const outlet = createOutlet(ctx)
  try {
    await outlet.write(Buffer.from(body.slice(0, body.lastIndexOf('</'))))
    while (!ctx.signal.aborted) await outlet.write(filler)
  } finally {
    outlet.close()
  }
}

/**
 * Reads and discards the rest of the body: closing with unread bytes would reset the connection, and the answer would be lost.
 *
 * @param {Context} ctx
 * @returns {Promise<void>}
 */
function linger({ req, res, signal }) {
  res.flushHeaders()
  return new Promise(resolve => {
    const timer = setTimeout(done, LINGER_MS)
    function done() {
      clearTimeout(timer)
      req.off('end', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    req.on('end', done)
    signal.addEventListener('abort', done)
    if (req.readableEnded || signal.aborted) done()
    else req.resume()
  })
}

module.exports = { send }

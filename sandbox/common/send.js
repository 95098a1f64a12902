'use strict'

/**
 * Writes an answer, with what the fault rules do to it.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { piecesOf, sendPieces } = require('./content')

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

/** What the requests to all stores have in common. */

/** Whether the client waits for `100 Continue` before it sends its body. @param {{ header(name: string): string | undefined }} request */
function awaitsContinue(request) {
  return request.header('expect')?.toLowerCase() === '100-continue'
}

/**
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 */
function receive(req, res) {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const headers = headersOf(req)
  const { rawPath, queryList } = splitTarget(req.url ?? '/')
  /** @param {string} name */
  const header = name => headers.get(name)?.join(',')
  return {
    req,
    res,
    method: req.method ?? '',
    /** The path as sent, without the query. */
    rawPath,
    /** Decoded, in the order sent. */
    queryList,
    /** Names in lower case; values as bytes (latin1). */
    headers,
    header,
    /** Not known yet. */
    operation: '',
    /** @type {import('./faults').Effects} */
    effects: { request: {}, response: {} },
    /** Aborted when the connection is gone. */
    signal: gone.signal,
    /** Must be called before the request's body is read: sends `100 Continue` to a waiting client. */
    continueBody() {
      if (awaitsContinue({ header })) res.writeContinue()
      headers.delete('expect')
    },
    bytesReceived: 0,
    bytesSent: 0,
    /** The body was read to its end. */
    bodyRead:
      headers.get('content-length')?.[0] === '0' ||
      !(headers.has('content-length') || headers.has('transfer-encoding')),
  }
}

/** Names in lower case, and the values of each. @param {import('node:http').IncomingMessage} request */
function headersOf({ headersDistinct }) {
  return new Map(/** @type {[string, string[]][]} */ (Object.entries(headersDistinct)))
}

/** @param {string} target the path as sent, or an absolute URL, as proxies get it @returns {{ rawPath: string, queryList: [string, string][] }} */
function splitTarget(target) {
  const [rawPath, ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return { rawPath, queryList: [...new URLSearchParams(query.join('?'))] }
}

/**
 * An error answer of a store, with the status and the message of a table by code. Its details become elements of the XML,
 * after Code and Message.
 */
class ServiceError extends Error {
  /**
   * @param {Record<string, [status: number, message: string]>} table
   * @param {string} code one of the table; another one needs `status`
   * @param {ErrorFacts} facts
   * @typedef {{ message?: string, status?: number, headers?: Record<string, string>, cause?: unknown, [detail: string]: unknown }} ErrorFacts
   *   all but message, status, headers and cause are elements of the XML
   */
  constructor(table, code, { message, status, headers, cause, ...details }) {
    const [tableStatus, tableMessage] = table[code] ?? [status ?? 500, code]
    super(message ?? tableMessage, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? tableStatus
    this.headers = headers ?? {}
    this.details = details
  }
}

module.exports = { send, headersOf, receive, splitTarget, ServiceError }

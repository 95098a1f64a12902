'use strict'

const { STATUS_CODES } = require('node:http')
const { randomUUID } = require('node:crypto')
const { AzureError } = require('./errors')
const { receiveText } = require('./payload')
const { createContext } = require('./request')

/**
 * Up to 256 requests in one: deletions. Each is signed for itself.
 * https://learn.microsoft.com/rest/api/storageservices/blob-batch
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

const MAX_REQUESTS = 256
const ALLOWED = ['DeleteBlob']

/** @param {Context} ctx @param {import('./types').Perform} perform @returns {Promise<Answer>} */
async function submitBatch(ctx, perform) {
  const boundary = /^multipart\/mixed;\s*boundary="?([^";]+)"?$/i.exec(ctx.header('content-type') ?? '')?.[1]
  if (boundary === undefined) throw new AzureError('InvalidHeaderValue', { HeaderName: 'Content-Type' })
  const parts = readParts(await receiveText(ctx), boundary)
  if (parts.length > MAX_REQUESTS) throw new AzureError('ExceedsMaximumBatchRequestCount')
  if (parts.length === 0) throw new AzureError('InvalidInput')
  const answered = `batchresponse_${randomUUID()}`
  let body = ''
  for (const { id, ...part } of parts) {
    const answer = await answerTo(ctx, part, perform)
    const about = ['Content-Type: application/http', ...(id === undefined ? [] : [`Content-ID: ${id}`])].join('\r\n')
    body += `--${answered}\r\n${about}\r\n\r\n${written(answer)}\r\n`
  }
  const headers = { 'Content-Type': `multipart/mixed; boundary=${answered}` }
  return { status: 202, headers, body: `${body}--${answered}--\r\n` }
}

/** @param {Context} ctx @param {{ method: string, url: string, rawHeaders: string[] }} part @param {import('./types').Perform} perform */
async function answerTo(ctx, { method, url, rawHeaders }, perform) {
  const req = /** @type {any} */ ({ method, url, rawHeaders, socket: ctx.req.socket })
  const one = createContext(ctx.state, req, ctx.res)
  // The version is said once, of the whole.
  one.version = ctx.version
  one.headers.set('host', [ctx.header('host') ?? ''])
  return perform(one, ALLOWED)
}

/** @param {string} text @param {string} boundary */
function readParts(text, boundary) {
  const pieces = text.split(`--${boundary}`).slice(1, -1)
  return pieces.map(piece => {
    const [about = '', request = ''] = piece.replace(/^\r?\n/, '').split(/\r?\n\r?\n/)
    const [line, ...headers] = request.split(/\r?\n/)
    const [, method, url] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? []
    if (method === undefined || !/^content-type: application\/http$/im.test(about)) throw new AzureError('InvalidInput')
    const id = /^content-id: (\S+)$/im.exec(about)?.[1]
    return { id, method, url, rawHeaders: headers.flatMap(readHeader) }
  })
}

/** @param {string} line */
function readHeader(line) {
  const at = line.indexOf(':')
  return at === -1 ? [] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}

/** @param {Answer} answer */
function written({ status, headers = {}, body = '' }) {
  const all = {
    ...headers,
    ...(body !== '' && { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/xml' }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}

module.exports = { submitBatch }

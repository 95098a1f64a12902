'use strict'

const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { AzureError, badHeader } = require('./errors')
const { createCrc64 } = require('./payload')

/**
 * What a request copies from another place, which the store reads itself, over HTTP.
 *
 * @typedef {import('./types').Context} Context
 */

/** Conditions on the source, which the request has behind `x-ms-source-`. */
const CONDITIONS = ['if-match', 'if-unmodified-since']

/**
 * Asks the source for its bytes.
 *
 * @param {Context} ctx
 * @returns {Promise<http.IncomingMessage>} whose status is 200 or 206
 * @throws {AzureError} CannotVerifyCopySource, SourceConditionNotMet
 */
async function openSource(ctx) {
  const { own, hostname, port, path, secure } = placeOf(ctx)
  if (!own && hasPlus(path)) throw new AzureError('CannotVerifyCopySource')
  const request = (secure ? https : http).request({
    hostname,
    port,
    path,
    headers: headersFor(ctx),
    agent: false,
    signal: ctx.signal,
    // Stores of a sandbox have certificates of their own.
    rejectUnauthorized: false,
  })
  request.end()
  const [response] = await once(request, 'response').catch(cause => {
    throw new AzureError('CannotVerifyCopySource', { cause })
  })
  if (response.statusCode === 200 || response.statusCode === 206) return response
  response.resume()
  throw refusalOf(response.statusCode)
}

/** Azure sends a plus of a key otherwise than it was signed: presigned URLs with one fail. @param {string} path */
function hasPlus(path) {
  return /^[^?]*%2B/i.test(path)
}

/** @param {Context} ctx */
function placeOf(ctx) {
  const text = ctx.header('x-ms-copy-source') ?? ''
  const [, scheme, host, path] = /^(https?):\/\/([^/?]+)(\/[^#]*)$/.exec(text) ?? []
  if (host === undefined) throw badHeader('x-ms-copy-source', text)
  const [, hostname, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  return { own: host === ctx.header('host'), hostname, port, path, secure: scheme === 'https' }
}

/** @param {Context} ctx */
function headersFor(ctx) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const name of CONDITIONS) {
    const value = ctx.header(`x-ms-source-${name}`)
    if (value !== undefined) headers[name] = value
  }
  const range = ctx.header('x-ms-source-range')
  if (range !== undefined && !/^bytes=\d+-\d+$/.test(range)) throw badHeader('x-ms-source-range', range)
  if (range !== undefined) headers.range = range
  return headers
}

/** @param {number} status of the source's answer */
function refusalOf(status) {
  if (status === 412) return new AzureError('SourceConditionNotMet')
  if (status === 416) return new AzureError('InvalidRange')
  // Its status is the source's.
  return new AzureError('CannotVerifyCopySource', { status: Math.max(status, 400) })
}

/**
 * Stores the bytes of a source as a segment.
 *
 * @param {Context} ctx
 * @returns {Promise<import('./payload').Received & { segments: import('../common/types').Segment[] }>}
 */
async function storeSource(ctx) {
  const response = await openSource(ctx)
  const declared = Number(response.headers['content-length'])
  return ctx.state.blobs.store(false, async write => {
    const crc64 = createCrc64()
    let bytes = 0
    try {
      for await (const piece of response) {
        crc64.update(piece)
        bytes += piece.length
        await write(piece)
      }
    } catch (cause) {
      throw new AzureError('OperationTimedOut', { cause })
    }
    if (!Number.isNaN(declared) && bytes !== declared) throw new AzureError('OperationTimedOut')
    return { bytes, crc64: crc64.digest() }
  })
}

module.exports = { storeSource }

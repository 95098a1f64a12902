'use strict'

const { createHash } = require('node:crypto')
const { ALGORITHMS } = require('../common/checksums')
const { flipped, pump } = require('../common/content')
const { AzureError, badHeader } = require('./errors')

/**
 * Reads request bodies, and checks what the request says of them: length, Content-MD5, CRC-64.
 *
 * @typedef {import('./types').Context} Context
 */

const MAX_TEXT_BYTES = 8 * 1024 * 1024

/**
 * @typedef {object} Received
 * @property {number} bytes
 * @property {string} crc64 base64, little-endian
 * @property {string} [md5] base64
 */

/**
 * The CRC-64 of Azure is S3's CRC64NVME, written with its lowest byte first.
 *
 * @returns {{ update(bytes: Buffer): void, digest(): string }} digest: base64
 */
function createCrc64() {
  const hasher = ALGORITHMS.CRC64NVME.create()
  return { update: bytes => hasher.update(bytes), digest: () => hasher.digest().reverse().toString('base64') }
}

/** @param {Context} ctx @returns {number} the length of the body @throws {AzureError} MissingContentLengthHeader */
function declaredBytes(ctx) {
  const declared = ctx.header('content-length')
  if (declared === undefined) throw new AzureError('MissingContentLengthHeader')
  if (!/^\d{1,15}$/.test(declared)) throw badHeader('Content-Length', declared)
  return Number(declared)
}

/**
 * Reads the body to its end into `write`. Throws if it is not what the request says; the caller then discards what was
 * written.
 *
 * @param {Context} ctx
 * @param {{ write(bytes: Buffer): Promise<unknown> | undefined, md5?: boolean }} sink md5: wanted even if none was sent
 * @returns {Promise<Received>}
 */
async function receive(ctx, sink) {
  const declared = declaredBytes(ctx)
  const claimed = claimsOf(ctx)
  const md5 = sink.md5 || claimed.md5 !== undefined ? createHash('md5') : undefined
  const crc64 = createCrc64()
  let bytes = 0
  await pump(ctx, raw => {
    const { flipAt } = ctx.effects.request
    const { flipStored } = ctx.effects
    const data = flipped(raw, flipAt, bytes)
    md5?.update(data)
    crc64.update(data)
    const stored = flipped(data, flipStored, bytes)
    bytes += data.length
    if (bytes > declared) throw new AzureError('InvalidInput')
    return sink.write(stored)
  })
  if (bytes !== declared)
    throw new AzureError('InvalidInput', { message: 'The body is shorter than its Content-Length.' })
  const found = { md5: md5?.digest('base64'), crc64: crc64.digest() }
  if (claimed.md5 !== undefined && claimed.md5 !== found.md5) throw new AzureError('Md5Mismatch')
  if (claimed.crc64 !== undefined && claimed.crc64 !== found.crc64) throw new AzureError('Crc64Mismatch')
  return { bytes, ...found }
}

/** The sums that a request states. @param {Context} ctx @throws {AzureError} */
function claimsOf(ctx) {
  const [md5, crc64] = [ctx.header('content-md5'), ctx.header('x-ms-content-crc64')]
  if (md5 !== undefined && Buffer.from(md5, 'base64').length !== 16) throw new AzureError('InvalidMd5')
  if (crc64 !== undefined && Buffer.from(crc64, 'base64').length !== 8) throw badHeader('x-ms-content-crc64', crc64)
  return { md5, crc64 }
}

/**
 * What the answer to a write says of the bytes: the MD5 if one was sent, else the CRC-64.
 *
 * @param {Context} ctx
 * @param {Received} received
 * @returns {Record<string, string>}
 */
function sumHeaders(ctx, { md5, crc64 }) {
  if (ctx.headers.has('content-md5') && md5 !== undefined) return { 'Content-MD5': md5 }
  return ctx.effects.crc === 'none' ? {} : { 'x-ms-content-crc64': crc64 }
}

/**
 * Stores the body of a request.
 *
 * @param {Context} ctx
 * @param {{ md5?: boolean }} [wanted]
 */
function storeBody(ctx, { md5 } = {}) {
  return ctx.state.blobs.store(false, write => receive(ctx, { write, md5 }))
}

/** A small body as text, the XML of an operation, with what was found of it. @param {Context} ctx @returns {Promise<Received & { text: string }>} */
async function receiveDocument(ctx) {
  if (declaredBytes(ctx) > MAX_TEXT_BYTES) throw new AzureError('RequestBodyTooLarge')
  /** @type {Buffer[]} */
  const pieces = []
  const received = await receive(ctx, { write: bytes => void pieces.push(bytes) })
  return { ...received, text: Buffer.concat(pieces).toString('utf8') }
}

module.exports = { createCrc64, declaredBytes, receiveDocument, storeBody, sumHeaders }

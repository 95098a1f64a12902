'use strict'

/** Builds the requests of control calls. Pure. */

const zlib = require('node:zlib')
const { writeDocument } = require('./documents')
const { OPERATIONS } = require('./operations')

/** As Node.js 20.15 and later have it; the types are older. @type {(data: Buffer) => number} */
const crc32 = /** @type {any} */ (zlib).crc32

/**
 * @param {string} name of an operation
 * @param {Record<string, any>} input members by S3's names; undefined ones are left out. Body: bytes
 * @param {{ requestPayer?: boolean }} [how] requestPayer: the caller pays
 * @returns {{ method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE', account: boolean, query: Record<string, string>,
 *   headers: Record<string, string>, body: Buffer | undefined }} account: it concerns no bucket; query: not encoded; headers: names in
 *   lower case
 */
function buildCall(name, input, { requestPayer = false } = {}) {
  const { method, fixed, query = {}, headers = {}, document, summed, account = false, unpaid } = OPERATIONS[name]
  const [parameter, value = ''] = fixed?.split('=') ?? []
  const written = document?.(input)
  const body = written ? writeDocument(written.root, written.content) : input.Body
  const sends = method === 'PUT' || method === 'POST'
  return {
    method,
    account,
    query: { ...(parameter && { [parameter]: value }), ...textsOf(input, query) },
    headers: {
      ...(written && { 'content-type': 'application/xml' }),
      ...(sends && { 'content-length': String(body?.length ?? 0) }),
      ...(summed && body && { 'x-amz-checksum-crc32': sumOf(body) }),
      ...((requestPayer || input.RequestPayer) && !unpaid && { 'x-amz-request-payer': 'requester' }),
      ...textsOf(input, headers),
    },
    body,
  }
}

/** @param {Record<string, any>} input @param {Record<string, string>} names by members @returns {Record<string, string>} */
function textsOf(input, names) {
  /** @type {Record<string, string>} */
  const texts = {}
  for (const [member, name] of Object.entries(names)) {
    if (input[member] !== undefined) texts[name] = String(input[member])
  }
  return texts
}

/** @param {Buffer} body */
function sumOf(body) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return sum.toString('base64')
}

module.exports = { buildCall }

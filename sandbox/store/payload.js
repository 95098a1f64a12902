'use strict'

const crypto = require('node:crypto')
const { S3Error } = require('./errors')
const { ALGORITHMS, isAlgorithm } = require('../common/checksums')
const { flipped } = require('../common/content')
const { createChunkedDecoder } = require('./aws-chunked')
const { pump } = require('../common/pump')
const { keepsFraming } = require('./quirks')

/**
 * Reads request bodies in all their forms, and checks everything that the request states about them: length, SHA-256, chunk
 * signatures, Content-MD5, checksum in a header or a trailer.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredChecksum} StoredChecksum
 * @typedef {import('../common/checksums').Algorithm} Algorithm
 */

const FORMS = /** @type {Record<string, { chunked: boolean, signed: boolean, trailers: boolean }>} */ ({
  'UNSIGNED-PAYLOAD': { chunked: false, signed: false, trailers: false },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { chunked: true, signed: false, trailers: true },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { chunked: true, signed: true, trailers: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { chunked: true, signed: true, trailers: true },
})
const MAX_XML_BYTES = 2 * 1024 * 1024

/**
 * What a request states about its body, checked as far as possible before the first byte.
 *
 * @typedef {object} Claims
 * @property {{ chunked: boolean, signed: boolean, trailers: boolean }} form
 * @property {string | undefined} sha256 hex
 * @property {string | undefined} md5 base64
 * @property {{ algorithm: Algorithm, value?: string } | undefined} checksum without a value: it comes in the trailer
 * @property {number} bytes of the decoded body
 */

/**
 * @param {Context} ctx
 * @returns {Claims}
 * @throws {S3Error} 400s, 411, 501
 */
function readClaims(ctx) {
  const payloadHash = ctx.identity?.payloadHash ?? 'UNSIGNED-PAYLOAD'
  const form = (!keepsFraming(ctx) && FORMS[payloadHash]) || FORMS['UNSIGNED-PAYLOAD']
  const sha256 = !Object.hasOwn(FORMS, payloadHash) ? payloadHash : undefined
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new S3Error('InvalidArgument', {
      message: `x-amz-content-sha256 must be UNSIGNED-PAYLOAD, ${Object.keys(FORMS).slice(1).join(', ')}, or a valid sha256 value.`,
      ArgumentName: 'x-amz-content-sha256',
      ArgumentValue: payloadHash,
    })
  }
  if (form.trailers && !ctx.state.options.checksums) {
    throw new S3Error(ctx.state.options.trailerStatus === 411 ? 'MissingContentLength' : 'NotImplemented')
  }
  const md5 = ctx.header('content-md5')
  if (md5 !== undefined && Buffer.from(md5, 'base64').length !== 16) throw new S3Error('InvalidDigest')
  return { form, sha256, md5, checksum: readChecksumClaim(ctx, form), bytes: declaredBytes(ctx, form.chunked) }
}

/** @param {Context} ctx @param {boolean} chunked */
function declaredBytes(ctx, chunked) {
  const name = chunked ? 'x-amz-decoded-content-length' : 'content-length'
  const declared = ctx.header(name)
  if (declared === undefined) throw new S3Error('MissingContentLength')
  if (!/^\d{1,15}$/.test(declared)) {
    throw new S3Error('InvalidArgument', { ArgumentName: name, ArgumentValue: declared })
  }
  return Number(declared)
}

/** @param {Context} ctx @param {{ trailers: boolean }} form @returns {Claims['checksum']} */
function readChecksumClaim(ctx, form) {
  if (!ctx.state.options.checksums || keepsFraming(ctx)) return undefined
  // In these requests the header describes the future object, not this request's body.
  if (ctx.operation === 'CompleteMultipartUpload') return undefined
  const found = Object.keys(ALGORITHMS)
    .filter(isAlgorithm)
    .filter(name => ctx.headers.has(headerOf(name)))
  const trailer = form.trailers ? (ctx.header('x-amz-trailer') ?? '').trim().toLowerCase() : ''
  const inTrailer = Object.keys(ALGORITHMS)
    .filter(isAlgorithm)
    .find(name => headerOf(name) === trailer)
  if (trailer !== '' && !inTrailer) {
    throw new S3Error('InvalidRequest', { message: 'The value specified in the x-amz-trailer header is not supported' })
  }
  if (found.length + (inTrailer ? 1 : 0) > 1) {
    throw new S3Error('InvalidRequest', {
      message: 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    })
  }
  const algorithm = found[0] ?? inTrailer
  const named = ctx.header('x-amz-sdk-checksum-algorithm')
  if (named !== undefined && algorithm === undefined) {
    throw new S3Error('InvalidRequest', {
      message:
        'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    })
  }
  if (named !== undefined && named.toUpperCase() !== algorithm) {
    throw new S3Error('InvalidRequest', { message: 'Value for x-amz-sdk-checksum-algorithm header is invalid.' })
  }
  if (algorithm === undefined) return undefined
  return { algorithm, value: found[0] && checkForm(algorithm, ctx.header(headerOf(algorithm)) ?? '') }
}

/** @param {Algorithm} algorithm @param {string} value base64 */
function checkForm(algorithm, value) {
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length === ALGORITHMS[algorithm].bytes && bytes.toString('base64') === value) return value
  throw new S3Error('InvalidRequest', { message: `Value for ${headerOf(algorithm)} header is invalid.` })
}

/** @param {Algorithm} algorithm */
function headerOf(algorithm) {
  return `x-amz-checksum-${algorithm.toLowerCase()}`
}

/**
 * Reads the body to its end into `write`. Throws if it is not what the request stated; the caller then discards what was
 * written.
 *
 * @param {Context} ctx
 * @param {Claims} claims
 * @param {{ write: (bytes: Buffer) => Promise<void> | undefined, md5?: boolean, checksum?: Algorithm }} sink whether an
 *   MD5 or a checksum is wanted even if none was sent
 * @returns {Promise<{ bytes: number, md5?: string, checksum?: StoredChecksum, damaged?: boolean }>} MD5 in hex
 * @throws {S3Error}
 */
async function receive(ctx, claims, sink) {
  const algorithm = claims.checksum?.algorithm ?? sink.checksum
  const checksum = algorithm && ALGORITHMS[algorithm].create()
  const md5 = sink.md5 || claims.md5 !== undefined ? crypto.createHash('md5') : undefined
  const sha256 = claims.sha256 === undefined ? undefined : crypto.createHash('sha256')
  let bytes = 0
  /** @type {Promise<void> | undefined} */
  let wait

  /** @param {Buffer} data */
  function take(data) {
    const { flipAt } = ctx.effects.request
    const { flipStored } = ctx.effects
    if (flipAt !== undefined) data = flipped(data, flipAt - bytes)
    checksum?.update(data)
    md5?.update(data)
    sha256?.update(data)
    wait = sink.write(flipStored === undefined ? data : flipped(data, flipStored - bytes)) ?? wait
    bytes += data.length
  }

  const decoder = claims.form.chunked
    ? createChunkedDecoder({
        onData: take,
        signed: claims.form.signed ? ctx.identity : undefined,
        trailers: claims.form.trailers,
      })
    : undefined
  await pump(ctx, raw => {
    wait = undefined
    if (decoder) decoder.push(raw)
    else take(raw)
    if (bytes > claims.bytes) throw new S3Error('IncompleteBody')
    return wait
  })
  const trailers = decoder?.end()
  if (bytes !== claims.bytes) {
    throw new S3Error('IncompleteBody', {
      message: 'You did not provide the number of bytes specified by the Content-Length HTTP header.',
      NumberBytesExpected: claims.bytes,
      NumberBytesProvided: bytes,
    })
  }
  const found = algorithm && checksum ? { algorithm, value: checksum.digest().toString('base64') } : undefined
  const md5Bytes = md5?.digest()
  checkSha256(claims, sha256?.digest('hex'))
  const outcome = checkChecksum(ctx, claims, found, trailers)
  const checked = ctx.state.options.checksumCheck !== false
  if (checked && claims.md5 !== undefined && md5Bytes?.toString('base64') !== claims.md5) {
    throw new S3Error('BadDigest', { ExpectedDigest: claims.md5, CalculatedDigest: md5Bytes?.toString('base64') })
  }
  return { bytes, md5: md5Bytes?.toString('hex'), ...outcome }
}

/** @param {Claims} claims @param {string | undefined} found */
function checkSha256({ sha256 }, found) {
  if (sha256 === found) return
  throw new S3Error('XAmzContentSHA256Mismatch', {
    ClientComputedContentSHA256: sha256,
    S3ComputedContentSHA256: found,
  })
}

/**
 * @param {Context} ctx
 * @param {Claims} claims
 * @param {StoredChecksum | undefined} found
 * @param {Map<string, string> | undefined} trailers
 * @returns {{ checksum?: StoredChecksum, damaged?: boolean }} what is stored and reported
 */
function checkChecksum(ctx, { checksum }, found, trailers) {
  const { checksumCheck, checksumEcho } = ctx.state.options
  if (checksumCheck === false && checksumEcho !== 'sent') return {}
  if (!checksum || !found) return { checksum: found }
  const { algorithm } = checksum
  const trailer = trailers?.get(headerOf(algorithm))
  if (checksum.value === undefined && trailer === undefined) throw new S3Error('MalformedTrailerError')
  const claimed = checksum.value ?? checkForm(algorithm, trailer ?? '')
  if (claimed === found.value) return { checksum: found }
  const late = checksumCheck === 'completion' && ctx.operation === 'UploadPart'
  if (checksumCheck === false || late) return { checksum: { algorithm, value: claimed }, damaged: late }
  throw new S3Error(ctx.state.options.digestCode, {
    message: `The ${algorithm} you specified did not match the calculated checksum.`,
  })
}

/**
 * A small body as text: the XML of an operation.
 *
 * @param {Context} ctx
 * @returns {Promise<string>}
 * @throws {S3Error} MaxMessageLengthExceeded, and what `receive` throws
 */
async function receiveText(ctx) {
  if (ctx.header('content-length') === undefined && ctx.header('transfer-encoding') === undefined) {
    ctx.headers.set('content-length', ['0'])
  }
  const claims = readClaims(ctx)
  if (claims.bytes > MAX_XML_BYTES) throw new S3Error('MaxMessageLengthExceeded')
  /** @type {Buffer[]} */
  const pieces = []
  await receive(ctx, claims, {
    write(bytes) {
      pieces.push(bytes)
      return undefined
    },
  })
  return Buffer.concat(pieces).toString('utf8')
}

module.exports = { readClaims, receive, receiveText }

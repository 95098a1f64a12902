'use strict'

/**
 * Reads request bodies in all their forms, and checks everything that the request states about them: length, SHA-256,
 * Content-MD5, checksum in a header or a trailer.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredChecksum} StoredChecksum
 * @typedef {import('../common/checksums').Algorithm} Algorithm
 */

const crypto = require('node:crypto')
const { S3Error, badArgument, badRequest } = require('./errors')
const { ALGORITHMS, isAlgorithm } = require('../common/checksums')
const { flipped, pump } = require('../common/content')
const { keepsFraming } = require('./quirks')

const UNSIGNED = 'UNSIGNED-PAYLOAD'
const CHUNKED = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
/** Of a part, and of what one request writes or copies. */
const MAX_PART_BYTES = 5 * 1024 ** 3
const MAX_XML_BYTES = 2 * 1024 * 1024
const NAMES = Object.keys(ALGORITHMS).filter(isAlgorithm)

/**
 * What a request states about its body, checked as far as possible before the first byte.
 *
 * @typedef {object} Claims
 * @property {boolean} chunked with a trailer
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
  const { checksums, trailerStatus } = ctx.state.options
  const hash = ctx.identity?.payloadHash ?? UNSIGNED
  const chunked = hash === CHUNKED && !keepsFraming(ctx)
  const sha256 = hash === UNSIGNED || hash === CHUNKED ? undefined : hash
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw badArgument('x-amz-content-sha256', hash)
  if (chunked && !checksums) throw new S3Error(trailerStatus === 411 ? 'MissingContentLength' : 'NotImplemented')
  const md5 = ctx.header('content-md5')
  if (md5 !== undefined && Buffer.from(md5, 'base64').length !== 16) throw new S3Error('InvalidDigest')
  const name = chunked ? 'x-amz-decoded-content-length' : 'content-length'
  const declared = ctx.header(name)
  if (declared === undefined) throw new S3Error('MissingContentLength')
  if (!/^\d{1,15}$/.test(declared)) throw badArgument(name, declared)
  return { chunked, sha256, md5, checksum: readChecksumClaim(ctx, chunked), bytes: Number(declared) }
}

/** @param {Context} ctx @param {boolean} chunked @returns {Claims['checksum']} */
function readChecksumClaim(ctx, chunked) {
  if (!ctx.state.options.checksums || keepsFraming(ctx)) return undefined
  // In these requests the header describes the future object, not this request's body.
  if (ctx.operation === 'CompleteMultipartUpload') return undefined
  const trailer = chunked ? (ctx.header('x-amz-trailer') ?? '').trim().toLowerCase() : ''
  const found = NAMES.filter(name => ctx.headers.has(headerOf(name)) || headerOf(name) === trailer)
  if (trailer !== '' && !NAMES.some(name => headerOf(name) === trailer)) {
    throw badRequest('The value specified in the x-amz-trailer header is not supported')
  }
  if (found.length > 1) {
    throw badRequest('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.')
  }
  const [algorithm] = found
  if (algorithm === undefined) return undefined
  const value = ctx.header(headerOf(algorithm))
  return { algorithm, value: value === undefined ? undefined : checkForm(algorithm, value) }
}

/** @param {Algorithm} algorithm @param {string} value base64 */
function checkForm(algorithm, value) {
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length === ALGORITHMS[algorithm].bytes && bytes.toString('base64') === value) return value
  throw badRequest(`Value for ${headerOf(algorithm)} header is invalid.`)
}

/** @param {string} algorithm */
function headerOf(algorithm) {
  return `x-amz-checksum-${algorithm.toLowerCase()}`
}

/**
 * Reads the body to its end into `write`. Throws if it is not what the request stated; the caller then discards what was
 * written.
 *
 * @param {Context} ctx
 * @param {Claims} claims
 * @param {{ write: (bytes: Buffer) => Promise<unknown> | undefined, md5?: boolean, checksum?: Algorithm }} sink whether an
 *   MD5 or a checksum is wanted even if none was sent
 * @returns {Promise<{ bytes: number, md5?: string, checksum?: StoredChecksum, damaged?: boolean }>} MD5 in hex
 * @throws {S3Error}
 */
async function receive(ctx, claims, sink) {
  const algorithm = claims.checksum?.algorithm ?? sink.checksum
  const checksum = algorithm && ALGORITHMS[algorithm].create()
  const md5 = sink.md5 || claims.md5 !== undefined ? crypto.createHash('md5') : undefined
  const sha256 = claims.sha256 === undefined ? undefined : crypto.createHash('sha256')
  const { flipStored, request } = ctx.effects
  let bytes = 0
  /** @type {Promise<unknown> | undefined} */
  let wait

  /** @param {Buffer} sent */
  function take(sent) {
    const data = flipped(sent, request.flipAt, bytes)
    checksum?.update(data)
    md5?.update(data)
    sha256?.update(data)
    wait = sink.write(flipped(data, flipStored, bytes)) ?? wait
    bytes += data.length
  }

  const decoder = claims.chunked ? createChunkedDecoder(take) : undefined
  await pump(ctx, raw => {
    wait = undefined
    if (decoder) decoder.push(raw)
    else take(raw)
    if (bytes > claims.bytes) throw new S3Error('IncompleteBody')
    return wait
  })
  const trailers = decoder?.end()
  if (bytes !== claims.bytes) throw new S3Error('IncompleteBody')
  const found = algorithm && checksum ? { algorithm, value: checksum.digest().toString('base64') } : undefined
  const md5Bytes = md5?.digest()
  if (claims.sha256 !== sha256?.digest('hex')) throw new S3Error('XAmzContentSHA256Mismatch')
  const outcome = checkChecksum(ctx, claims, found, trailers)
  const checked = ctx.state.options.checksumCheck !== false
  if (checked && claims.md5 !== undefined && md5Bytes?.toString('base64') !== claims.md5) throw new S3Error('BadDigest')
  return { bytes, md5: md5Bytes?.toString('hex'), ...outcome }
}

/**
 * @param {Context} ctx
 * @param {Claims} claims
 * @param {StoredChecksum | undefined} found
 * @param {Map<string, string> | undefined} trailers
 * @returns {{ checksum?: StoredChecksum, damaged?: boolean }} what is stored and reported
 */
function checkChecksum(ctx, { checksum }, found, trailers) {
  const { checksumCheck, checksumEcho, digestCode } = ctx.state.options
  if (checksumCheck === false && checksumEcho !== 'sent') return {}
  if (!checksum || !found) return { checksum: found }
  const { algorithm } = checksum
  const trailer = trailers?.get(headerOf(algorithm))
  if (checksum.value === undefined && trailer === undefined) throw new S3Error('MalformedTrailerError')
  const claimed = checksum.value ?? checkForm(algorithm, trailer ?? '')
  if (claimed === found.value) return { checksum: found }
  const late = checksumCheck === 'completion' && ctx.operation === 'UploadPart'
  if (checksumCheck === false || late) return { checksum: { algorithm, value: claimed }, damaged: late }
  throw new S3Error(digestCode, { message: `The ${algorithm} you specified did not match the calculated checksum.` })
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
  await receive(ctx, claims, { write: bytes => void pieces.push(bytes) })
  return Buffer.concat(pieces).toString('utf8')
}

/**
 * Decodes the `aws-chunked` framing: chunks that each begin with a head line, a last chunk of size 0, then trailers. Signed
 * chunks are not known.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** Every chunk but the last has at least this many bytes. */
const MIN_CHUNK_BYTES = 8192

/**
 * @param {(data: Buffer) => void} onData gets each piece of data, not copied
 * @returns both functions throw S3Error
 */
function createChunkedDecoder(onData) {
  /** @type {'head' | 'data' | 'dataEnd' | 'trailer' | 'done'} */
  let state = 'head'
  /** The beginning of a line whose rest has not come yet. */
  let line = ''
  let left = 0
  /** Whether a chunk below the minimum has come: only the last chunk may follow. */
  let wasShort = false
  /** @type {Map<string, string>} */
  const trailers = new Map()

  /** @param {string} head */
  function startChunk(head) {
    if (!/^[0-9a-fA-F]{1,12}$/.test(head)) {
      throw new S3Error('InvalidRequest', { message: 'The chunk header is not well-formed.' })
    }
    left = Number.parseInt(head, 16)
    if (left > 0 && wasShort) throw new S3Error('InvalidChunkSizeError')
    wasShort = left < MIN_CHUNK_BYTES
    state = left > 0 ? 'data' : 'trailer'
  }

  /** @param {string} text one line of the trailers, empty at their end */
  function takeTrailer(text) {
    if (text === '') {
      state = 'done'
      return
    }
    const colon = text.indexOf(':')
    if (colon < 1) throw new S3Error('MalformedTrailerError')
    trailers.set(text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim())
  }

  /** @param {Buffer} raw @param {number} at @returns {number} where the rest starts; the line is complete or all is taken */
  function takeLine(raw, at) {
    const end = raw.indexOf(10, at)
    line += raw.toString('latin1', at, end === -1 ? raw.length : end)
    if (end === -1) return raw.length
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    line = ''
    if (state === 'head') startChunk(text)
    else if (state === 'trailer') takeTrailer(text)
    else if (text === '') state = 'head'
    else throw new S3Error('IncompleteBody', { message: 'A chunk is longer than its header says.' })
    return end + 1
  }

  return {
    /** @param {Buffer} raw */
    push(raw) {
      let at = 0
      while (at < raw.length) {
        if (state === 'done') throw new S3Error('InvalidRequest', { message: 'There are bytes after the last chunk.' })
        if (state !== 'data') {
          at = takeLine(raw, at)
          continue
        }
        const data = raw.subarray(at, at + left)
        at += data.length
        left -= data.length
        onData(data)
        if (left === 0) state = 'dataEnd'
      }
    },
    /** @returns {Map<string, string>} the trailers, names in lower case */
    end() {
      if (state !== 'done') throw new S3Error('IncompleteBody')
      return trailers
    },
  }
}

module.exports = { MAX_PART_BYTES, headerOf, readClaims, receive, receiveText }

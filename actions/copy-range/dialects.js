'use strict'

/**
 * How stores and platforms differ. The rest of the action treats all of them alike. Lambda:
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 */

const { isObject } = require('./answers')
const { SUM_BYTES } = require('./sums')

/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').Sums} Sums */
/** @typedef {import('./slab').Slab} Slab */
/**
 * The body of a write, piece by piece. `write` answers as a stream's does; `end` is what follows the last piece, of the
 * checksums of all of them.
 * @typedef {{
 *   write: (sink: { write: (piece: Buffer, slab?: Slab) => boolean }, piece: Buffer, slab?: Slab) => boolean,
 *   end: (sums: Sums) => string,
 * }} Frame
 *
 * What is sent behind the bytes: a checksum, under the name of a header in lower case.
 * @typedef {{ trailer: string, sum: Sum }} Trailer
 *
 * A way to send it. Lengths in bytes.
 * @typedef {{
 *   framedLength: (bytes: number, behind: Trailer) => number, frameBody: (bytes: number, behind: Trailer) => Frame
 * }} Framing
 */

/**
 * The body of a write that carries its checksum behind the bytes: aws-chunked with a trailer, unsigned.
 * S3 API reference, "Signature calculations: trailing headers" (sigv4-streaming-trailers).
 *
 * The bytes go in chunks of at most 8 MiB: MinIO refuses a chunk above 16 MiB, and one costs a dozen bytes.
 */
const CHUNK_BYTES = 8 * 1024 * 1024

/** Its name; some stores keep it in Content-Encoding, as if it were the object's. */
const FRAMING = 'aws-chunked'

/**
 * How many bytes a write's body has: the chunks, and the checksum after them.
 * @param {number} bytes of the data
 * @param {Trailer} behind
 * @returns {number}
 */
function framedLength(bytes, { trailer, sum }) {
  const whole = Math.floor(bytes / CHUNK_BYTES)
  const rest = bytes % CHUNK_BYTES
  const chunks = whole * chunkLength(CHUNK_BYTES) + (rest > 0 ? chunkLength(rest) : 0)
  const inBase64 = 4 * Math.ceil(SUM_BYTES[sum] / 3)
  return chunks + `0\r\n${trailer}:`.length + inBase64 + '\r\n\r\n'.length
}

/** @param {number} bytes */
function chunkLength(bytes) {
  return bytes.toString(16).length + bytes + 2 * '\r\n'.length
}

/**
 * Writes a body as pieces of it come, whatever their size.
 * @param {number} bytes of the data
 * @param {Trailer} behind
 * @returns {Frame}
 */
function frameBody(bytes, { trailer, sum }) {
  let ahead = bytes
  let inChunk = 0
  return {
    write(sink, piece, slab) {
      let more = true
      for (let at = 0; at < piece.length; ) {
        if (inChunk === 0) {
          inChunk = Math.min(ahead, CHUNK_BYTES)
          sink.write(Buffer.from(`${ahead === bytes ? '' : '\r\n'}${inChunk.toString(16)}\r\n`))
          ahead -= inChunk
        }
        const end = Math.min(piece.length, at + inChunk)
        more = sink.write(at === 0 && end === piece.length ? piece : piece.subarray(at, end), slab)
        inChunk -= end - at
        at = end
      }
      return more
    },
    end(sums) {
      const checksum = Buffer.from(sums[sum] ?? '', 'hex').toString('base64')
      return `${bytes > 0 ? '\r\n' : ''}0\r\n${trailer}:${checksum}\r\n\r\n`
    },
  }
}

/** By name. @type {Record<string, Framing>} */
const FRAMINGS = { [FRAMING]: { framedLength, frameBody } }

/** The function's environment variable with the access rules, as JSON: `{"hosts":["*"],"metadata":false}`. */
const ACCESS = 'XFER_ACCESS'

/**
 * The function's handler. Lambda has no parameters that callers cannot change, so the access rules are in the environment of
 * the function, and those of the event never hold. Without the variable the usual rules hold; what cannot be read as rules refuses everything.
 *
 * @param {(params: unknown, options: { deadlineMs: number }) => Promise<any>} main the action
 * @param {Record<string, string | undefined>} env
 * @param {() => number} now the clock, in milliseconds since the epoch
 * @returns {(event: any, context?: { getRemainingTimeInMillis?: () => number }) => Promise<any>}
 */
function createHandler(main, env, now) {
  return async (event, context) => {
    const left = context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY
    const { access, error } = accessOf(env)
    if (error) return { error }
    return await main(isObject(event) ? { ...event, access } : event, { deadlineMs: now() + left })
  }
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {{ access?: unknown, error?: string }} access: not checked yet, except that it is an object; absent without the variable
 */
function accessOf({ [ACCESS]: text }) {
  if (text === undefined) return {}
  try {
    const access = JSON.parse(text)
    if (isObject(access)) return { access }
  } catch {}
  return { error: `The function's environment variable ${ACCESS} is no JSON object, so nothing is allowed.` }
}

/**
 * The end of the invocation, as OpenWhisk tells it.
 * https://github.com/apache/openwhisk/blob/master/docs/actions.md, "Accessing action metadata within the action body"
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number} milliseconds since the epoch; Infinity if the platform does not say it
 */
function deadlineOf({ __OW_DEADLINE: text }) {
  return text && /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
}

module.exports = { CHUNK_BYTES, FRAMING, FRAMINGS, createHandler, deadlineOf, frameBody, framedLength }

'use strict'

/** What becomes of an answer between the socket and the SDK: none is waited for in vain, and none is taken for another. */

const { XferError } = require('../../errors')

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/**
 * A body that is silent for longer is given up; the handler's own deadlines end with the head of the answer.
 *
 * @param {IncomingMessage} body
 * @param {number} silenceMs it may be up to twice as long
 */
function watchSilence(body, silenceMs) {
  let seen = body.socket?.bytesRead
  const timer = setInterval(() => {
    const read = body.socket?.bytesRead
    if (read === seen) body.destroy(Object.assign(new Error('the answer stopped'), { code: 'ETIMEDOUT' }))
    seen = read
  }, silenceMs)
  body.once('close', () => clearInterval(timer))
}

/**
 * A handler that gives up on answers which stop in the middle.
 *
 * @param {any} handler of `@smithy/node-http-handler`
 * @param {{ silenceMs: number, onServer: (name: string | undefined) => void }} how onServer: told what the server calls itself
 * @returns {any} the same
 */
function watched(handler, { silenceMs, onServer }) {
  const handle = handler.handle.bind(handler)
  handler.handle = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const output = await handle(request, options)
    watchSilence(output.response.body, silenceMs)
    onServer(output.response.headers.server)
    return output
  }
  return handler
}

const COMPLETION = { result: 'CompleteMultipartUploadResult', what: 'a completion' }

/**
 * CompleteMultipartUpload begins its answer, with 200, before it knows how it will end: what the body says counts. The
 * SDK finds an error there only where nothing stands behind it, and takes any other document for a success without an
 * ETag. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @param {Record<string, any>} facts of the store
 * @param {{ result: string, what: string }} [of] result: the document of a success; what: is answered, for people
 * @returns {(next: any) => any} a middleware, to stand between the SDK's and the handler
 */
function completionReader(facts, { result, what } = COMPLETION) {
  return next => async (/** @type {any} */ args) => {
    const output = await next(args)
    const { response } = output
    if (response.statusCode < 200 || response.statusCode >= 300) return output
    const text = (await readBody(response.body)).toString().trim()
    const [, root] = /^(?:<\?[^>]*\?>\s*)?<(?:[\w.-]+:)?(\w+)[\s/>]/.exec(text) ?? []
    const whole = new RegExp(`</(?:[\\w.-]+:)?${root}\\s*>$`).test(text)
    const known = root === 'Error' || root === result
    if (!known || !whole) {
      const reason = text === '' ? `it ends ${what} with nothing` : `it ends ${what} with no result`
      throw new XferError('BAD_ANSWER', { ...facts, status: response.statusCode, reason })
    }
    response.body = Buffer.from(text)
    return output
  }
}

/**
 * Copies likewise. A store that knows none takes the request for the upload of nothing, and says nothing.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
 *
 * @param {string} result the document of a success
 * @returns {(facts: Record<string, any>) => (next: any) => any}
 */
function copyReader(result) {
  return facts => completionReader(facts, { result, what: 'a copy' })
}

/** Ten tags at most, of 384 characters each, in whatever way they are written. */
const MOST_TAGGING_BYTES = 256 * 1024

/**
 * A store that knows no tags may answer with the object itself, however large, when it is asked for them.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html
 *
 * @param {Record<string, any>} facts of the store
 * @returns {(next: any) => any} a middleware, to stand between the SDK's and the handler
 */
function taggingReader(facts) {
  return next => async (/** @type {any} */ args) => {
    const output = await next(args)
    const { response } = output
    if (response.statusCode < 200 || response.statusCode >= 300) return output
    const bytes = await readUpTo(response.body, MOST_TAGGING_BYTES)
    const text = bytes?.toString()
    if (text === undefined || !/^\s*(?:<\?[^>]*\?>\s*)?<(?:[\w.-]+:)?Tagging[\s/>]/.test(text)) {
      throw new XferError('NOT_A_STORE', { ...facts, reason: 'it answers the question for tags with something else' })
    }
    response.body = bytes
    return output
  }
}

/** @param {IncomingMessage} body @param {number} most bytes @returns {Promise<Buffer | undefined>} undefined where it is longer: the rest is not read */
async function readUpTo(body, most) {
  const chunks = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) return undefined
  }
  return Buffer.concat(chunks)
}

/** @param {IncomingMessage} body @throws {Error} with the code of what happened to the connection */
async function readBody(body) {
  const chunks = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (cause) {
    const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw Object.assign(new Error('the answer broke off', { cause }), { code })
  }
  return Buffer.concat(chunks)
}

module.exports = { watched, completionReader, copyReader, readBody, taggingReader }

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

/**
 * CompleteMultipartUpload begins its answer, with 200, before it knows how it will end: what the body says counts. The
 * SDK finds an error there only where nothing stands behind it, and takes any other document for a success without an
 * ETag. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @param {Record<string, any>} facts of the store
 * @returns {(next: any) => any} a middleware, to stand between the SDK's and the handler
 */
function completionReader(facts) {
  return next => async (/** @type {any} */ args) => {
    const output = await next(args)
    const { response } = output
    if (response.statusCode < 200 || response.statusCode >= 300) return output
    const text = (await read(response.body)).trim()
    const [, root] = /^(?:<\?[^>]*\?>\s*)?<(?:[\w.-]+:)?(\w+)[\s/>]/.exec(text) ?? []
    const whole = new RegExp(`</(?:[\\w.-]+:)?${root}\\s*>$`).test(text)
    const known = root === 'Error' || root === 'CompleteMultipartUploadResult'
    if (!known || !whole) {
      const reason = text === '' ? 'it ends a completion with nothing' : 'it ends a completion with no result'
      throw new XferError('BAD_ANSWER', { ...facts, status: response.statusCode, reason })
    }
    response.body = Buffer.from(text)
    return output
  }
}

/** @param {IncomingMessage} body @throws {Error} with the code of what happened to the connection */
async function read(body) {
  const chunks = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (cause) {
    const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw Object.assign(new Error('the answer broke off', { cause }), { code })
  }
  return Buffer.concat(chunks).toString()
}

module.exports = { watched, completionReader }

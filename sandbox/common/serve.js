'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { ServiceError, receive, send } = require('./send')

/**
 * A request to one of the stores, from its first byte to its event, whatever the store's protocol.
 *
 * @template {import('./types').Context} C
 * @typedef {object} Protocol
 * @property {(received: import('./types').Received) => C} open
 * @property {(ctx: C) => void} read sets what the request is about, and its operation
 * @property {(ctx: C) => Promise<import('./types').Answer>} handle checks who asks, and does the work
 * @property {(code: string, facts?: import('./send').ErrorFacts) => InstanceType<typeof ServiceError>} failure
 * @property {string} malformed the code for XML that cannot be read
 * @property {Record<number, string>} usual the code of a status, for fault rules
 * @property {(ctx: C, error: InstanceType<typeof ServiceError>) => string} document of an error
 * @property {(ctx: C, answer: import('./types').Answer) => Promise<import('./types').Answer> | import('./types').Answer} [finish]
 *   changes an answer before it is sent
 * @property {(ctx: C) => Record<string, string>} head headers of every answer
 * @property {(ctx: C) => object} facts of its event
 */

/**
 * @template {import('./types').Context} C
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @param {Protocol<C>} protocol
 */
async function serve(req, res, protocol) {
  // Errors of the connection are handled where the bytes are read and written.
  req.on('error', () => {})
  res.on('error', () => {})
  res.sendDate = false
  const ctx = protocol.open(receive(req, res))
  /** @type {number | undefined} */
  let status
  /** @type {string | undefined} */
  let code
  try {
    const said = await answerTo(ctx, protocol).catch(error => {
      if (ctx.signal.aborted) throw error
      const known = error instanceof ServiceError ? error : failureOf(error, protocol)
      code = known.code
      return { status: known.status, headers: known.headers, body: protocol.document(ctx, known) }
    })
    const answer = protocol.finish ? await protocol.finish(ctx, said) : said
    await send(ctx, { ...answer, headers: headersOf(ctx, answer, protocol) })
    status = answer.status
  } catch {
    // The connection is broken, by the client or by a fault rule: no answer can be sent.
    req.socket.destroy()
  }
  ctx.state.events.emit('request', { ...eventOf(ctx, protocol), status, code })
}

/** @template {import('./types').Context} C @param {C} ctx @param {Protocol<C>} protocol @returns {Promise<import('./types').Answer>} */
async function answerTo(ctx, protocol) {
  protocol.read(ctx)
  ctx.effects = ctx.state.faults.strike(ctx)
  ctx.state.events.emit('begin', eventOf(ctx, protocol))
  const { delayMs, refuse, afterWork } = ctx.effects
  if (delayMs !== undefined) await delay(delayMs, undefined, { signal: ctx.signal })
  const answer = refuse && !afterWork ? undefined : await protocol.handle(ctx)
  if (refuse) throw refusal(refuse, protocol)
  return /** @type {import('./types').Answer} */ (answer)
}

/** @param {import('./types').Context} ctx @param {import('./types').Answer} answer @param {Protocol<any>} protocol */
function headersOf(ctx, answer, { head }) {
  const { serverName } = ctx.state.options
  /** @type {Record<string, string>} */
  const headers = { ...head(ctx), Date: new Date(ctx.state.now()).toUTCString(), ...answer.headers }
  if (serverName !== '') headers.Server = serverName
  if (ctx.effects.etag !== undefined && 'ETag' in headers) headers.ETag = ctx.effects.etag
  return headers
}

/**
 * The answer to a fault rule's `status`.
 *
 * @param {NonNullable<import('./faults').Effects['refuse']>} refuse
 * @param {Pick<Protocol<any>, 'failure' | 'usual'>} protocol
 */
function refusal({ status, code }, { failure, usual }) {
  return failure(code ?? usual[status] ?? 'InternalError', { status })
}

/**
 * XML of the client, or a defect of the store: printed on standard error, and answered as the service would.
 *
 * @param {unknown} cause
 * @param {Protocol<any>} protocol
 */
function failureOf(cause, { failure, malformed }) {
  if (cause instanceof SyntaxError) return failure(malformed, { cause })
  console.error(cause)
  return failure('InternalError', { cause })
}

/** @param {import('./types').Context} ctx @param {Protocol<any>} protocol */
function eventOf(ctx, { facts }) {
  const { operation, method, bucketName: bucket, key, bytesReceived, bytesSent } = ctx
  return { operation, method, bucket, key, ...facts(ctx), bytesReceived, bytesSent }
}

module.exports = { refusal, serve }

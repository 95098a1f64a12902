'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { send } = require('../common/send')
const { serve } = require('../common/serve')
const { createStoreServer } = require('../common/server')
const { authenticate, authorise } = require('./auth')
const { giveToken } = require('./auth/tokens')
const { AzureError } = require('./errors')
const { operationOf } = require('./operations')
const { createContext, readPath } = require('./request')
const { writeXml } = require('./xml')

/**
 * Handles a request: parses it, applies the fault rules, authenticates, handles, answers, and emits events.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').State} State
 */

const TOKEN_PATH = /^\/[^/]+\/oauth2\/v2\.0\/token$/

/**
 * @param {State} state
 * @param {{ key: string, cert: string } | undefined} tls
 * @returns {import('node:http').Server} not listening yet
 */
function createServer(state, tls) {
  /** @type {import('../common/serve').Protocol<Context, Answer>} */
  const protocol = {
    open: (req, res) => createContext(state, req, res),
    answerTo,
    explain,
    respond,
    tell: (ctx, result) =>
      void state.events.emit('request', { ...eventOf(ctx), identity: ctx.identity?.kind, ...result }),
  }
  /** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
  const listener = (req, res) => void serve(req, res, protocol)
  return createStoreServer(listener, { tls })
}

/** @param {Context} ctx @param {unknown} error */
function explain(ctx, error) {
  const known = error instanceof AzureError ? error : unexpected(error)
  return { answer: errorAnswer(ctx, known), code: known.code }
}

/** @param {Context} ctx @returns {Promise<Answer>} */
async function answerTo(ctx) {
  readPath(ctx)
  const asksForToken = ctx.method === 'POST' && TOKEN_PATH.test(ctx.rawPath)
  const operation = operationOf(ctx)
  ctx.operation = asksForToken ? 'GetToken' : operation.operation
  ctx.effects = ctx.state.faults.strike(ctx)
  ctx.state.events.emit('begin', eventOf(ctx))
  const { delayMs, refuse, afterWork, twice } = ctx.effects
  if (delayMs !== undefined) await delay(delayMs, undefined, { signal: ctx.signal })
  if (refuse && !afterWork) throw refusal(refuse)
  if (asksForToken) return giveToken(ctx)
  if (ctx.account !== ctx.state.options.account) throw new AzureError('ResourceNotFound')
  ctx.identity = authenticate(ctx)
  authorise(ctx, operation)
  const answer = await operation.handle(ctx)
  if (refuse) {
    answer.content?.release()
    throw refusal(refuse)
  }
  return twice ? operation.handle(ctx) : answer
}

/** @param {Context} ctx @param {Answer} answer @returns {Promise<void>} rejects when the connection breaks */
function respond(ctx, answer) {
  /** @type {Record<string, string>} */
  const headers = {
    'x-ms-request-id': ctx.requestId,
    ...(ctx.version !== '' && { 'x-ms-version': ctx.version }),
    Date: new Date(ctx.state.now()).toUTCString(),
    ...answer.headers,
  }
  const clientId = ctx.header('x-ms-client-request-id')
  if (clientId !== undefined) headers['x-ms-client-request-id'] = clientId
  if (ctx.state.options.serverName !== '') headers.Server = ctx.state.options.serverName
  if (ctx.effects.etag !== undefined && 'ETag' in headers) headers.ETag = ctx.effects.etag
  return send(ctx, { ...answer, headers })
}

/**
 * Makes an answer of an error. https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2
 *
 * @param {Context} ctx
 * @param {InstanceType<typeof AzureError>} error
 * @returns {Answer}
 */
function errorAnswer(ctx, { code, status, message, details, headers }) {
  const told = { 'x-ms-error-code': code, ...headers }
  if (status === 304) return { status, headers: told }
  const time = new Date(ctx.state.now()).toISOString()
  const Message = `${message}\nRequestId:${ctx.requestId}\nTime:${time}`
  return { status, headers: told, body: writeXml('Error', { Code: code, Message, ...details }) }
}

/** The answer to a fault rule's `status`. @param {NonNullable<import('./types').Effects['refuse']>} refuse */
function refusal({ status, code, retryAfter }) {
  /** @type {Record<number, string>} */
  const usual = {
    403: 'AuthorizationFailure',
    404: 'BlobNotFound',
    409: 'BlobAlreadyExists',
    412: 'ConditionNotMet',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServerBusy',
  }
  /** @type {Record<string, string>} */
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  return new AzureError(code ?? usual[status] ?? 'InternalError', { status, headers })
}

/** A defect of the store: printed on standard error, and answered as Azure would. @param {unknown} error */
function unexpected(error) {
  console.error(error)
  return new AzureError('InternalError', { cause: error })
}

/** @param {Context} ctx @returns {import('./types').RequestEvent} */
function eventOf(ctx) {
  return {
    operation: ctx.operation,
    method: ctx.method,
    bucket: ctx.bucketName,
    key: ctx.key,
    blockId: ctx.query.get('blockid'),
    range: ctx.header('x-ms-range') ?? ctx.header('range') ?? ctx.header('x-ms-source-range'),
    bytesReceived: ctx.bytesReceived,
    bytesSent: ctx.bytesSent,
  }
}

module.exports = { createServer }

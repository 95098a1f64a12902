'use strict'

const { send } = require('../common/send')
const { AzureError } = require('./errors')
const { writeXml } = require('./xml')

/**
 * The heads of all answers, and errors as documents.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

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

module.exports = { errorAnswer, refusal, respond }

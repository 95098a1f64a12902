'use strict'

const { send } = require('../common/send')
const { S3Error } = require('./errors')
const { errorTold } = require('./quirks')
const { writeXml } = require('./xml')

/**
 * The heads of all answers, and errors as documents.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/**
 * @param {Context} ctx
 * @param {Answer} answer
 * @returns {Promise<void>} rejects when the connection breaks
 */
function respond(ctx, answer) {
  const { effects } = ctx
  /** @type {Record<string, string>} */
  const headers = {
    ...(ctx.state.options.mode === 'google'
      ? { 'x-guploader-uploadid': ctx.hostId }
      : { 'x-amz-id-2': ctx.hostId, 'x-amz-request-id': ctx.requestId }),
    Date: new Date(ctx.state.now()).toUTCString(),
    ...answer.headers,
  }
  if (ctx.state.options.serverName !== '') headers.Server = ctx.state.options.serverName
  if (effects.etag !== undefined && 'ETag' in headers) headers.ETag = effects.etag
  return send(ctx, { ...answer, headers })
}

/**
 * Makes an answer of an error. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 *
 * @param {Context} ctx
 * @param {InstanceType<typeof S3Error>} error
 * @returns {Answer}
 */
function errorAnswer(ctx, error) {
  if (error.status === 304) return { status: 304, headers: error.headers }
  return { status: error.status, headers: error.headers, body: errorDocument(ctx, error) }
}

/** @param {Context} ctx @param {InstanceType<typeof S3Error>} error */
function errorDocument(ctx, error) {
  const resource = ctx.bucketName ? `/${ctx.bucketName}${ctx.key ? `/${ctx.key}` : ''}` : '/'
  const document = {
    ...errorTold(ctx, { Code: error.code, Message: error.message }),
    ...error.details,
    Resource: resource,
    RequestId: ctx.requestId,
    HostId: ctx.hostId,
  }
  return writeXml('Error', document, { namespace: false })
}

/** The answer to a fault rule's `status`. @param {NonNullable<import('./faults').Effects['refuse']>} refuse */
function refusal({ status, code, retryAfter }) {
  /** @type {Record<number, string>} */
  const usual = {
    403: 'AccessDenied',
    404: 'NoSuchKey',
    409: 'ConditionalRequestConflict',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'SlowDown',
  }
  /** @type {Record<string, string>} */
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  return new S3Error(code ?? usual[status] ?? 'InternalError', { status, headers })
}

module.exports = { respond, errorAnswer, errorDocument, refusal }

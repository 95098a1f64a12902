'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { serve } = require('../common/serve')
const { createStoreServer } = require('../common/server')
const { S3Error } = require('./errors')
const { authenticate } = require('./auth')
const google = require('./google')
const { operationOf } = require('./operations')
const { isPermitted, mayMiss } = require('./permissions')
const { foldedName, noteWrite } = require('./quirks')
const { createContext, decodeKey } = require('./request')
const { errorAnswer, errorDocument, refusal, respond } = require('./respond')

/**
 * Handles a request: parses it, applies the fault rules, authenticates, handles, answers, and emits events.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').State} State
 */

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
    finish: (ctx, answer) => (state.options.mode === 'google' ? google.answerLikeGoogle(ctx, answer) : answer),
    respond,
    tell: (ctx, result) => void state.events.emit('request', { ...eventOf(ctx), ...result }),
  }
  /** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
  const listener = (req, res) => void serve(req, res, protocol)
  return createStoreServer(listener, { tls })
}

/** @param {Context} ctx @param {unknown} error */
function explain(ctx, error) {
  const known = error instanceof S3Error ? error : unexpected(error)
  return { answer: errorAnswer(ctx, known), code: known.code }
}

/** @param {Context} ctx @returns {Promise<Answer>} */
async function answerTo(ctx) {
  decodeKey(ctx)
  if (ctx.key) ctx.key = foldedName(ctx, ctx.key)
  if (ctx.state.options.tagging === 'ignored') ctx.query.delete('tagging')
  const { operation, handle, anonymous } = operationOf(ctx)
  ctx.operation = operation
  ctx.effects = ctx.state.faults.strike(ctx)
  ctx.state.events.emit('begin', eventOf(ctx))
  const { delayMs, refuse, errorInBody, afterWork } = ctx.effects
  if (delayMs !== undefined) await delay(delayMs, undefined, { signal: ctx.signal })
  if (refuse && !afterWork) throw refusal(refuse)
  const isGoogle = ctx.state.options.mode === 'google'
  if (isGoogle) google.checkRequest(ctx)
  authorise(ctx, anonymous === true)
  if (isGoogle) {
    google.checkAuthenticated(ctx)
    google.translateRequest(ctx)
  }
  const spoiled = errorInBody && { status: 200, body: errorDocument(ctx, new S3Error(errorInBody)) }
  if (spoiled && !afterWork) return spoiled
  try {
    const answer = await handle(ctx)
    noteWrite(ctx)
    if (refuse) {
      answer.content?.release()
      throw refusal(refuse)
    }
    return spoiled || answer
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey' && !mayMiss(ctx)) throw new S3Error('AccessDenied')
    const region = ctx.state.catalog.buckets.get(ctx.bucketName ?? '')?.region
    if (error instanceof S3Error && region && operation === 'HeadBucket') error.headers['x-amz-bucket-region'] = region
    throw error
  }
}

/**
 * @param {Context} ctx
 * @param {boolean} anonymous whether the operation is allowed without a signature if the bucket is public
 * @throws {S3Error}
 */
function authorise(ctx, anonymous) {
  const bucket = ctx.state.catalog.buckets.get(ctx.bucketName ?? '')
  ctx.identity = authenticate(ctx, {
    expectedRegion: bucket?.region ?? ctx.state.options.region,
    otherRegions: otherRegions(ctx, bucket !== undefined),
  })
  if (!ctx.identity) {
    if (ctx.bucketName !== undefined && anonymous && !bucket) ctx.bucket()
    if (!anonymous || !bucket?.publicRead) throw new S3Error('AccessDenied')
    return
  }
  const { buckets } = ctx.identity.account
  const foreign = buckets !== undefined && ctx.bucketName !== undefined && !buckets.includes(ctx.bucketName)
  if (foreign || !isPermitted(ctx)) throw new S3Error('AccessDenied')
}

/**
 * The regions that are accepted in a signature besides the bucket's own. The region of a new bucket is only in the body.
 *
 * @param {Context} ctx
 * @param {boolean} exists
 * @returns {string[] | 'any'}
 */
function otherRegions({ operation, state }, exists) {
  if (state.options.mode === 'google') return 'any'
  return operation === 'CreateBucket' && !exists ? 'any' : []
}

/** A defect of the store: printed on standard error, and answered as S3 would. @param {unknown} error */
function unexpected(error) {
  console.error(error)
  return new S3Error('InternalError', { cause: error })
}

/** The event of a request that has not been handled yet. @param {Context} ctx */
function claimedKey({ header }) {
  return /Credential=([^/,\s]+)/.exec(header('authorization') ?? '')?.[1]
}

/** @param {Context} ctx @returns {import('./types').RequestEvent} */
function eventOf(ctx) {
  const partNumber = ctx.query.get('partNumber')
  return {
    operation: ctx.operation,
    method: ctx.method,
    bucket: ctx.bucketName,
    key: ctx.key,
    partNumber: partNumber === undefined ? undefined : Number(partNumber),
    uploadId: ctx.query.get('uploadId'),
    range: ctx.header('range') ?? ctx.header('x-amz-copy-source-range'),
    accessKeyId: ctx.identity?.account.accessKeyId ?? claimedKey(ctx),
    bytesReceived: ctx.bytesReceived,
    bytesSent: ctx.bytesSent,
  }
}

module.exports = { createServer }

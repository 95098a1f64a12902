'use strict'

const { randomUUID } = require('node:crypto')
const { createCallServer, readBody, sendAnswer } = require('../common/calls')
const { collectHeaders, readQuery, splitTarget } = require('../common/request')
const { authenticate } = require('./auth')
const { LambdaError, errorOfFault } = require('./errors')

/** @import { Answer, Call, Settings } from './types' */

/**
 * The HTTP server of the API: reads and authenticates calls, writes answers, and applies the effects of a call's faults.
 *
 * @param {object} options
 * @param {ReturnType<typeof import('./router').createRouter>} options.router
 * @param {ReturnType<typeof import('./settings').createFaults>} options.faults
 * @param {Settings} options.settings
 * @param {(facts: object) => void} options.onRequest what was answered
 * @returns {import('node:http').Server} not listening yet
 */
function createServer({ router, faults, settings, onRequest }) {
  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function handle(request, response) {
    const call = callOf(request)
    response.setHeader('Date', new Date(settings.clock()).toUTCString())
    /** @type {InstanceType<typeof LambdaError> | undefined} */
    let failure
    const answer = await answerTo(call, request).catch(error => {
      failure = error instanceof LambdaError ? error : unexpected(error)
      return failure.answer()
    })
    const { operation, requestId } = call
    onRequest({ operation, requestId, status: answer.status, code: failure?.code, reason: failure?.reason })
    const headers = { 'x-amzn-RequestId': call.requestId, ...answer.headers }
    sendAnswer(request, response, { ...answer, headers }, call.fault)
  }

  /** @param {Call & { signed: any }} call @param {import('node:http').IncomingMessage} request @returns {Promise<Answer>} */
  async function answerTo(call, request) {
    const { operation, parameters } = router.find(call)
    call.operation = operation
    call.parameters = parameters
    call.fault = faults.strike(operation)
    if (call.fault.cut) throw new LambdaError('ServiceException')
    if (call.fault.status !== undefined) throw errorOfFault(call.fault)
    const limit = router.bodyLimit(call)
    const { bytes, length } = await readBody(request, limit.bytes)
    if (length > limit.bytes) throw new LambdaError('RequestTooLargeException', { message: limit.message })
    call.body = bytes
    authenticate({ ...call.signed, body: call.body }, settings)
    return router.handle(call)
  }

  return createCallServer(handle)
}

/** @param {import('node:http').IncomingMessage} request @returns {Call & { signed: any }} without its body */
function callOf(request) {
  const headers = collectHeaders(request.rawHeaders)
  const [rawPath, rawQuery] = splitTarget(request.url ?? '/')
  const queryList = readQuery(rawQuery)
  const method = request.method ?? 'GET'
  return {
    method,
    path: rawPath,
    query: new Map(queryList),
    queryList,
    header: name => headers.get(name)?.join(','),
    body: Buffer.alloc(0),
    requestId: randomUUID(),
    operation: undefined,
    parameters: [],
    fault: {},
    signed: { method, rawPath, queryList, headers },
  }
}

/** A defect of the service: printed on standard error, and answered as AWS would. @param {unknown} error */
function unexpected(error) {
  console.error(error)
  return new LambdaError('ServiceException')
}

module.exports = { createServer }

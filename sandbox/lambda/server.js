'use strict'

const http = require('node:http')
const { randomUUID } = require('node:crypto')
const { setTimeout: delay } = require('node:timers/promises')
const { collectHeaders, readQuery, splitTarget } = require('../common/request')
const { authenticate } = require('./auth')
const { LambdaError, errorOfFault } = require('./errors')

/** @import { Answer, Call, Settings } from './types' */

/** How much of a body that is refused is still read, so that the client can read the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024

/**
 * The HTTP server of the API: reads and authenticates calls, writes answers, and applies the effects of a call's faults.
 *
 * @param {object} options
 * @param {ReturnType<typeof import('./router').createRouter>} options.router
 * @param {ReturnType<typeof import('./faults').createFaults>} options.faults
 * @param {Settings} options.settings
 * @param {(facts: object) => void} options.onRequest what was answered
 * @returns {http.Server} not listening yet
 */
function createServer({ router, faults, settings, onRequest }) {
  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  async function handle(request, response) {
    const call = callOf(request)
    response.setHeader('Date', new Date(settings.clock()).toUTCString())
    /** @type {InstanceType<typeof LambdaError> | undefined} */
    let failure
    const answer = await answerTo(call, request).catch(error => {
      failure = error instanceof LambdaError ? error : unexpected(error)
      return failure.answer()
    })
    const { delayMs, cut, lose, silent } = call.fault
    if (delayMs) await delay(delayMs)
    const facts = { operation: call.operation, function: router.nameOf(call), requestId: call.requestId }
    onRequest({ ...facts, status: answer.status, code: failure?.code, reason: failure?.reason })
    if (cut || lose) return request.socket.destroy()
    if (silent) return
    send(call, response, answer)
    drain(request)
  }

  /** @param {Call & { signed: any }} call @param {http.IncomingMessage} request @returns {Promise<Answer>} */
  async function answerTo(call, request) {
    const { operation, parameters } = router.find(call)
    call.operation = operation
    call.parameters = parameters
    call.fault = faults.strike({ operation, name: router.nameOf(call) })
    if (call.fault.cut) throw new LambdaError('ServiceException')
    if (call.fault.status !== undefined) throw errorOfFault(call.fault)
    call.body = await readBody(request, router.bodyLimit(call))
    authenticate({ ...call.signed, body: call.body }, settings)
    return router.handle(call)
  }

  const server = http.createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    handle(request, response).catch(() => request.socket.destroy())
  })
  // An invocation may be silent for a quarter of an hour.
  server.requestTimeout = 0
  server.timeout = 0
  server.keepAliveTimeout = settings.keepAliveMs
  return server
}

/** @param {http.IncomingMessage} request @returns {Call & { signed: any }} without its body */
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

/**
 * @param {http.IncomingMessage} request
 * @param {{ bytes: number, message: string }} limit
 * @returns {Promise<Buffer>}
 * @throws {LambdaError} RequestTooLargeException
 */
async function readBody(request, { bytes, message }) {
  const tooLarge = () => new LambdaError('RequestTooLargeException', { message })
  if (Number(request.headers['content-length']) > bytes) throw tooLarge()
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  return new Promise((resolve, reject) => {
    request.on('data', chunk => {
      length += chunk.length
      if (length > bytes) return reject(tooLarge())
      chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('close', () => reject(new Error('the connection was closed')))
  })
}

/** Reads what is left of a body, within bounds: the rest must not block the connection. @param {http.IncomingMessage} request */
function drain(request) {
  let left = DRAIN_BYTES
  request.removeAllListeners('data')
  request.on('data', chunk => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
  request.resume()
}

/** @param {Call} call @param {http.ServerResponse} response @param {Answer} answer */
function send({ requestId, fault }, response, { status, headers, body }) {
  const whole = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const bytes = fault.truncate ? whole.subarray(0, whole.length >> 1) : whole
  response.writeHead(status, {
    ...(status !== 204 && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
    Connection: 'keep-alive',
    'x-amzn-RequestId': requestId,
    ...headers,
  })
  if (!fault.cutAnswer) return response.end(bytes)
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
}

/** A defect of the service: printed on standard error, and answered as AWS would. @param {unknown} error */
function unexpected(error) {
  console.error(error)
  return new LambdaError('ServiceException')
}

module.exports = { createServer }

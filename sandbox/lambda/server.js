'use strict'

/** @import { Answer, Call, Operation, Settings } from './types' */

const { randomUUID } = require('node:crypto')
const crypto = require('node:crypto')
const { createCallServer, readBody, sendAnswer } = require('../common/calls')
const { headersOf, splitTarget } = require('../common/send')
const { LambdaError, errorOfFault } = require('./errors')
const sigv4 = require('../common/sigv4')

/** `{}` is a function's name, an ARN or another name. @type {Array<[method: string, path: string, operation: Operation]>} */
const ROUTES = [
  ['POST', '/2015-03-31/functions/{}/invocations', 'Invoke'],
  ['POST', '/2015-03-31/functions', 'CreateFunction'],
  ['DELETE', '/2015-03-31/functions/{}', 'DeleteFunction'],
  ['GET', '/2015-03-31/functions/{}/configuration', 'GetFunctionConfiguration'],
  ['PUT', '/2015-03-31/functions/{}/configuration', 'UpdateFunctionConfiguration'],
  ['PUT', '/2015-03-31/functions/{}/code', 'UpdateFunctionCode'],
  ['GET', '/2019-09-30/functions/{}/concurrency', 'GetFunctionConcurrency'],
  ['GET', '/2016-08-19/account-settings', 'GetAccountSettings'],
]

const PATTERNS = ROUTES.map(([method, path, operation]) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('{}', '([^/]+)')}/?$`),
  operation,
}))

const MIB = 1024 ** 2
/** Of an invocation; and of other requests: an archive of 50 MiB in base64, and some room. */
const [INVOKE_BYTES, REQUEST_BYTES] = [6 * MIB, 68 * MIB]

/**
 * The HTTP server of the API: reads and authenticates calls, writes answers, and applies the effects of a call's faults.
 *
 * @param {object} options
 * @param {Record<Operation, (call: Call) => Answer | Promise<Answer>>} options.handlers
 * @param {ReturnType<typeof import('../common/rules').createCallFaults<import('./types').Fault>>} options.faults
 * @param {Settings} options.settings
 * @param {(facts: object) => void} options.onRequest what was answered
 * @returns {import('node:http').Server} not listening yet
 */
function createServer({ handlers, faults, settings, onRequest }) {
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

  /** @param {Call} call @param {import('node:http').IncomingMessage} request @returns {Promise<Answer>} */
  async function answerTo(call, request) {
    const operation = route(call)
    call.fault = faults.strike(operation)
    if (call.fault.cut) throw new LambdaError('ServiceException')
    if (call.fault.status !== undefined) throw errorOfFault(call.fault)
    const [limit, name] = operation === 'Invoke' ? [INVOKE_BYTES, 'InvokeFunction'] : [REQUEST_BYTES, operation]
    const { bytes, length } = await readBody(request, limit)
    if (length > limit) {
      const message = `Request must be smaller than ${limit} bytes for the ${name} operation`
      throw new LambdaError('RequestTooLargeException', { message })
    }
    call.body = bytes
    authenticate(call, settings)
    return handlers[operation](call)
  }

  return createCallServer(handle)
}

/** Finds what a call is for, and notes it. @param {Call} call @returns {Operation} @throws {LambdaError} */
function route(call) {
  for (const { method, pattern, operation } of PATTERNS) {
    const found = method === call.method ? pattern.exec(call.rawPath) : null
    if (!found) continue
    call.operation = operation
    call.parameters = found.slice(1).map(decodeURIComponent)
    return operation
  }
  throw new LambdaError('UnknownOperationException')
}

/** @param {import('node:http').IncomingMessage} request @returns {Call} without its body */
function callOf(request) {
  const headers = headersOf(request)
  const { rawPath, queryList } = splitTarget(request.url ?? '/')
  return {
    method: request.method ?? 'GET',
    rawPath,
    queryList,
    headers,
    query: new Map(queryList),
    header: name => headers.get(name)?.join(','),
    body: Buffer.alloc(0),
    requestId: randomUUID(),
    operation: undefined,
    parameters: [],
    fault: {},
  }
}

/** A defect of the service: printed on standard error, and answered as AWS would. @param {unknown} error */
function unexpected(error) {
  console.error(error)
  return new LambdaError('ServiceException')
}

/**
 * Checks the signature of a request.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

const MAX_SKEW_MS = 5 * 60_000

/** @param {string} [message] */
const invalid = message => new LambdaError('InvalidSignatureException', { message })

/**
 * @param {import('./types').Call} request
 * @param {import('./types').Settings} settings
 * @throws {LambdaError} 400s and 403s
 */
function authenticate({ body, ...request }, { accessKeyId, secretAccessKey, region, clock }) {
  const header = (/** @type {string} */ name) => request.headers.get(name)?.join(',')
  const authorization = header('authorization')
  if (authorization === undefined) throw new LambdaError('MissingAuthenticationTokenException')
  const { algorithm, fields } = sigv4.readAuthorization(authorization)
  const { Credential, Signature, SignedHeaders } = fields
  const amzDate = header('x-amz-date') ?? ''
  const ageMs = clock() - sigv4.fromAmzDate(amzDate)
  const isWhole = algorithm === sigv4.AMAZON.algorithm && Credential && Signature && SignedHeaders
  if (!isWhole || Number.isNaN(ageMs)) throw new LambdaError('IncompleteSignatureException')
  const [keyId, ...scope] = Credential.split('/')
  if (keyId !== accessKeyId || header('x-amz-security-token') !== undefined) {
    throw new LambdaError('UnrecognizedClientException')
  }
  const wanted = `${region}/lambda/${sigv4.AMAZON.terminator}`
  if (scope.slice(1).join('/') !== wanted) throw invalid(`Credential should be scoped to ${wanted}.`)
  if (Math.abs(ageMs) > MAX_SKEW_MS) {
    const now = sigv4.toAmzDate(clock())
    throw invalid(`Signature ${ageMs > 0 ? 'expired' : 'not yet current'}: ${amzDate} is over 5 min. from ${now}`)
  }
  const signedHeaders = SignedHeaders.split(';')
  const [unsigned] = sigv4.unsignedOf(request.headers, signedHeaders, 'x-amz-')
  if (unsigned !== undefined) throw invalid(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`)
  const payloadHash = crypto.createHash('sha256').update(body).digest('hex')
  const { signature } = sigv4.signatureOf(
    { ...request, query: request.queryList, signedHeaders, payloadHash },
    { secret: secretAccessKey, scope, amzDate, uri: sigv4.encodedAgain },
  )
  if (signature !== Signature) throw invalid()
}

module.exports = { createServer }

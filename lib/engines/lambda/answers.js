'use strict'

/**
 * Errors of AWS Lambda and of its functions: what to do about them, the row that no other engine has, and what the answers of the
 * API mean. Pure.
 */

const { EXIT, failuresWith, withRows } = require('../../errors')
const { OF_GATEWAYS, clauseOf, lostFacts, retryAfterMs } = require('../common')

/** The command that deploys the function under its name. @param {string} [name] */
function deployCommand(name) {
  const named = name !== undefined && /^[\w:-]+$/.test(name) && name !== 'xfer-copy-range' ? ` --function ${name}` : ''
  return `xfer deploy --engine lambda${named}`
}

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: () => 'Name it with --function or XFER_LAMBDA_FUNCTION.',
  PLATFORM_UNREACHABLE: () => 'Check the region, the endpoint and the network.',
  NOT_A_PLATFORM: () => 'Check AWS_ENDPOINT_URL_LAMBDA and AWS_ENDPOINT_URL, and the endpoints of the profile.',
  PLATFORM_KEY_REFUSED: f => {
    if (f.status === undefined) {
      return 'Run aws configure, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.'
    }
    if (f.type !== 'AccessDeniedException') return `Check the credentials, which came from ${f.keyFrom}.`
    return f.whenRefused ?? 'Allow lambda:InvokeFunction on the function to the user or role of these credentials.'
  },
  PLATFORM_THROTTLED: () => 'Lower --concurrency, or ask AWS for a higher quota of concurrent executions.',
  PLATFORM_ERROR: () => 'Repeat the command; if it fails again, look at the state of AWS in that region.',
  PLATFORM_REFUSED: f => f.whenRefused ?? 'Check the function and its settings.',
  ACTIVATION_OUT_OF_MEMORY: f => `Deploy it with more memory: ${f.deployCommand} --memory 1G.`,
  ACTION_NOT_LOADED: f =>
    f.given
      ? 'Check the network, the keys and the file systems that the function was given; it needs none of them.'
      : 'Repeat the command in a minute.',
}

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  LAMBDA_FOREIGN: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} on ${f.where} was not deployed by xfer, so it is left alone.`,
    hint: () => 'Choose another name with --function, or change it with the tool that has made it.',
  },
}

/** The class with these rows in its table. */
const XferError = withRows(ROWS)

/** Makes an error with the advice for this engine. */
const failure = failuresWith(ADVICE)

/**
 * Translates what the Lambda API answers in place of a result, and what it answers of a function that failed.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 */

/** @typedef {import('../../types').XferError} XferError */

/**
 * A failed answer.
 *
 * @typedef {object} LambdaRefusal
 * @property {number} status
 * @property {Record<string, string | undefined>} headers
 * @property {string} [type] the error's name; absent: the answer is not of an AWS service
 * @property {string} [message]
 * @property {string} [reason] of 429
 */

/** By the error's name, without `Exception`. */
const BY_TYPE = /** @type {const} */ ({
  ResourceNotFound: 'ACTION_NOT_DEPLOYED',
  RequestTooLarge: 'PAYLOAD_TOO_LARGE',
  ResourceConflict: 'ACTION_NOT_LOADED',
  ResourceNotReady: 'ACTION_NOT_LOADED',
  // It passes: the network of new functions is made at a limited rate.
  EC2Throttled: 'ACTION_NOT_LOADED',
  SnapStartNotReady: 'ACTION_NOT_LOADED',
  SnapStartTimeout: 'ACTION_NOT_LOADED',
  InvalidRuntime: 'ACTION_BROKEN',
  InvalidZipFile: 'ACTION_BROKEN',
})

/** Of what the function was given, before it runs: network, keys, file systems. */
const ENVIRONMENT = /^(?:EC2|ENI|EFS|KMS|S3Files|SubnetIPAddress|InvalidSubnet|InvalidSecurityGroup)/

/** Of credentials and signatures: common errors of AWS APIs. */
const KEYS =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|InvalidClientTokenId|MissingAuthenticationToken|SignatureDoesNotMatch|ExpiredToken|RequestExpired|AccessDenied|NotAuthorized|OptInRequired)/

/** There may be new credentials. */
const EXPIRED = /^(?:ExpiredToken|RequestExpired)/

/**
 * The failure of a connection.
 *
 * @param {import('../../http/send').Lost} error
 * @param {Record<string, any>} facts
 * @param {number} [waitedMs] how long an invocation was waited for, in vain
 * @returns {XferError}
 */
function fromConnection(error, facts, waitedMs) {
  const options = { cause: error }
  if (waitedMs !== undefined && error.code === 'ETIMEDOUT' && error.syscall === undefined) {
    return failure('ACTIVATION_LOST', { ...facts, afterMs: waitedMs }, options)
  }
  const { code, ...why } = lostFacts(error)
  return failure(code, { ...facts, ...why }, options)
}

/**
 * @param {LambdaRefusal} refusal
 * @param {Record<string, any>} facts
 * @returns {XferError}
 */
function fromRefusal(refusal, facts) {
  const { status, type, message, headers } = refusal
  const known = { ...facts, status, type, reason: clauseOf(message) }
  /** @param {string} code @param {object} [more] */
  const failed = (code, more) => failure(code, { ...known, ...more })
  const name = type?.replace(/(?:Exception|Error|Fault)$/, '') ?? ''
  if (type === undefined && status < 500 && !OF_GATEWAYS.includes(status)) {
    return failed('NOT_A_PLATFORM', { reason: `HTTP ${status} with a body that is not Lambda's` })
  }
  if (Object.hasOwn(BY_TYPE, name)) {
    // The function has not run.
    return failed(BY_TYPE[/** @type {keyof typeof BY_TYPE} */ (name)], { uncertain: false })
  }
  if (status === 429 || name === 'TooManyRequests' || name === 'Throttling') {
    return failed('PLATFORM_THROTTLED', throttleOf(refusal))
  }
  if (status === 413) return failed('PAYLOAD_TOO_LARGE', { uncertain: false })
  if (ENVIRONMENT.test(name)) return failed('ACTION_NOT_LOADED', { uncertain: false, given: true })
  if (KEYS.test(name) || status === 401) return failed('PLATFORM_KEY_REFUSED')
  if (status >= 500 || status === 408) return failed('PLATFORM_ERROR', { retryAfterMs: retryAfterMs(headers) })
  return failed(status === 403 ? 'PLATFORM_KEY_REFUSED' : 'PLATFORM_REFUSED')
}

/**
 * The reasons of 429. Rates are per second, so the scheduler need not wait for a minute: only fewer at once help.
 *
 * @param {LambdaRefusal} refusal
 */
function throttleOf({ reason = '', message, headers }) {
  const throttle = /Rate/.test(reason) ? 'requests' : 'concurrent'
  return { throttle, reason: /^\w+$/.test(reason) ? reason : clauseOf(message), retryAfterMs: retryAfterMs(headers) }
}

/**
 * Function errors: answers with status 200 and the header `x-amz-function-error`. Which failure it is stands in `errorType` and,
 * for failures that Lambda itself reports, in its text. The first that matches `errorType errorMessage` counts.
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html
 *
 * @type {Array<[RegExp, string]>}
 */
const BY_TEXT = [
  [/^Function\.ResponseSizeTooLarge|payload size exceeded/i, 'PAYLOAD_TOO_LARGE'],
  [/^Sandbox\.Timedout|Task timed out after/, 'ACTIVATION_TIMED_OUT'],
  // The kernel's killer, and the heap's limit.
  [/^Runtime\.OutOfMemory|signal: killed/, 'ACTIVATION_OUT_OF_MEMORY'],
  [
    /^Runtime\.(?:ImportModuleError|UserCodeSyntaxError|HandlerNotFound|MalformedHandlerName|InvalidEntrypoint|InvalidWorkingDir)/,
    'ACTION_BROKEN',
  ],
  [/^Runtime\.ExitError|Runtime exited/, 'ACTIVATION_EXITED'],
]

/**
 * The result of a function.
 *
 * @param {import('./client').LambdaAnswer} answer to Invoke
 * @param {Record<string, any>} facts
 * @returns {any} JSON
 * @throws {XferError} if it failed
 */
function resultOf({ output, headers }, facts) {
  if (headers['x-amz-function-error'] === undefined) {
    if (output === undefined) throw failure('ACTIVATION_FAILED', { ...facts, reason: 'its answer is no JSON' })
    return output
  }
  const type = typeof output?.errorType === 'string' ? output.errorType : ''
  const words = typeof output?.errorMessage === 'string' ? output.errorMessage : ''
  const [, code = 'ACTIVATION_FAILED'] = BY_TEXT.find(([pattern]) => pattern.test(`${type} ${words}`)) ?? []
  // Lambda puts the request's id or the time in front.
  const text = words.replace(/^(?:RequestId: \S+ )?(?:Error: )?/, '').replace(/^\d{4}-\d\d-\d\dT\S+ [\w-]+ /, '')
  throw failure(code, { ...facts, type, reason: clauseOf(text || type) })
}

module.exports = { ROWS, XferError, deployCommand, failure, fromConnection, fromRefusal, resultOf, EXPIRED }

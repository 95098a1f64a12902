'use strict'

/**
 * Translates function errors: answers with status 200 and the header `x-amz-function-error`. Which failure it is stands in
 * `errorType` and, for failures that Lambda itself reports, in its text.
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html
 */

const { XferError } = require('./errors')
const { clause } = require('./refusals')

/** The first that matches `errorType errorMessage`. @type {Array<[RegExp, string]>} */
const BY_TEXT = [
  [/^Function\.ResponseSizeTooLarge|payload size exceeded/i, 'LAMBDA_PAYLOAD_TOO_LARGE'],
  [/^Sandbox\.Timedout|Task timed out after/, 'LAMBDA_TIMED_OUT'],
  // The kernel's killer, and the heap's limit.
  [/^Runtime\.OutOfMemory|signal: killed/, 'LAMBDA_OUT_OF_MEMORY'],
  [
    /^Runtime\.(?:ImportModuleError|UserCodeSyntaxError|HandlerNotFound|MalformedHandlerName|InvalidEntrypoint|InvalidWorkingDir)/,
    'LAMBDA_BROKEN',
  ],
  [/^Runtime\.ExitError|Runtime exited/, 'LAMBDA_EXITED'],
]

/**
 * @param {any} payload what the function, or Lambda in its place, answered; undefined if it is not JSON
 * @param {Record<string, any>} facts
 * @returns {import('../../../types').XferError}
 */
function fromFunctionError(payload, facts) {
  const type = typeof payload?.errorType === 'string' ? payload.errorType : ''
  const words = typeof payload?.errorMessage === 'string' ? payload.errorMessage : ''
  const [, code = 'LAMBDA_FAILED'] = BY_TEXT.find(([pattern]) => pattern.test(`${type} ${words}`)) ?? []
  // Lambda puts the request's id or the time in front.
  const text = words.replace(/^(?:RequestId: \S+ )?(?:Error: )?/, '').replace(/^\d{4}-\d\d-\d\dT\S+ [\w-]+ /, '')
  return new XferError(code, { ...facts, type, reason: clause(text || type) })
}

module.exports = { fromFunctionError }

'use strict'

const { LambdaError } = require('./errors')

/** @import { Answer, Call, Operation } from './types' */

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
 * @param {Record<Operation, (call: Call) => Answer | Promise<Answer>>} handlers
 */
function createRouter(handlers) {
  return {
    /** @param {Call} call @returns {{ operation: Operation, parameters: string[] }} @throws {LambdaError} */
    find({ method, path }) {
      for (const route of PATTERNS) {
        const found = route.method === method ? route.pattern.exec(path) : null
        if (found) return { operation: route.operation, parameters: found.slice(1).map(decode) }
      }
      throw new LambdaError('UnknownOperationException')
    },
    /** @param {Call} call */
    bodyLimit({ operation }) {
      const [bytes, name] = operation === 'Invoke' ? [INVOKE_BYTES, 'InvokeFunction'] : [REQUEST_BYTES, operation]
      return { bytes, message: `Request must be smaller than ${bytes} bytes for the ${name} operation` }
    },
    /** @param {Call} call with its operation */
    async handle(call) {
      return handlers[/** @type {Operation} */ (call.operation)](call)
    },
  }
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

module.exports = { createRouter }

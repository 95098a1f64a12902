'use strict'

/**
 * The runtime of one environment, in place of AWS's: loads the function, asks the Runtime API for events, and says what came
 * of each. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */

const http = require('node:http')
const { createRequire } = require('node:module')
const path = require('node:path')

const BASE = '/2018-06-01/runtime'
const [host, port] = String(process.env.AWS_LAMBDA_RUNTIME_API).split(':')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

/** The exit statuses of AWS's runtime after what nobody caught. */
const UNCAUGHT_STATUS = 129
const UNHANDLED_STATUS = 128

/** The event that is being handled. @type {string | undefined} */
let requestId

/**
 * @param {'GET' | 'POST'} method
 * @param {string} route
 * @param {string} [body]
 * @returns {Promise<{ headers: http.IncomingHttpHeaders, text: string }>}
 */
function call(method, route, body) {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const request = http.request({ host, port, method, path: BASE + route, agent, headers }, response => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** @param {any} error @param {string} [type] @returns {string} an error as the service tells it to callers */
function reportOf(error, type) {
  return JSON.stringify({
    errorType: type ?? error?.name ?? typeof error,
    errorMessage: String(error?.message ?? error),
    trace: String(error?.stack ?? '').split('\n'),
  })
}

/** An error of the function's code, under the name that AWS gives it. @param {string} name @param {string} message */
function loadError(name, message) {
  return Object.assign(new Error(message), { name })
}

/**
 * The handler of a function's code, which is CommonJS. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html
 *
 * @param {string} root
 * @param {string} text `module.function`, the module with its folders
 * @returns {(event: unknown, context: object) => unknown}
 * @throws {Error} with AWS's name as its `name`
 */
function loadHandler(root, text) {
  const [, file, name] = /^(.+)\.([^./]+)$/.exec(text) ?? []
  if (file === undefined) throw loadError('Runtime.MalformedHandlerName', 'Bad handler')
  const handler = loadModule(root, path.join(root, file))[name]
  if (typeof handler === 'function') return handler
  throw loadError('Runtime.HandlerNotFound', `${text} is undefined or not exported`)
}

/** @param {string} root @param {string} file without its ending @returns {any} */
function loadModule(root, file) {
  try {
    return createRequire(path.join(root, 'index.js'))(file)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (error instanceof SyntaxError) throw loadError('Runtime.UserCodeSyntaxError', `SyntaxError: ${message}`)
    if (code === 'MODULE_NOT_FOUND') throw loadError('Runtime.ImportModuleError', `Error: ${message}`)
    throw error
  }
}

/**
 * What a handler is told of its invocation. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 *
 * @param {import('node:http').IncomingHttpHeaders} headers of the event
 * @param {NodeJS.ProcessEnv} env
 */
function createContext(headers, env) {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms'])
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  }
}

/** @param {(event: unknown, context: object) => unknown} handler */
async function serve(handler) {
  for (;;) {
    const { headers, text } = await call('GET', '/invocation/next')
    const id = String(headers['lambda-runtime-aws-request-id'])
    requestId = id
    try {
      const result = await handler(JSON.parse(text), createContext(headers, process.env))
      await call('POST', `/invocation/${id}/response`, JSON.stringify(result ?? null))
    } catch (error) {
      console.error(error)
      await call('POST', `/invocation/${id}/error`, reportOf(error))
    }
    requestId = undefined
  }
}

/** Says what nobody caught, and ends, as AWS's runtime does. @param {unknown} error @param {string | undefined} type @param {number} status */
async function give(error, type, status) {
  console.error(error)
  const route = requestId === undefined ? '/init/error' : `/invocation/${requestId}/error`
  await call('POST', route, reportOf(error, type)).catch(() => {})
  process.exit(status)
}

process.on('uncaughtException', error => give(error, undefined, UNCAUGHT_STATUS))
process.on('unhandledRejection', error => give(error, 'Runtime.UnhandledPromiseRejection', UNHANDLED_STATUS))

async function main() {
  let handler
  try {
    handler = loadHandler(String(process.env.LAMBDA_TASK_ROOT), String(process.env._HANDLER))
  } catch (error) {
    console.error(error)
    await call('POST', '/init/error', reportOf(error))
    process.exit(1)
  }
  // The service is gone when it does not answer.
  await serve(handler).catch(() => process.exit(1))
}

main()

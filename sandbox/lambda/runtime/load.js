'use strict'

const { createRequire } = require('node:module')
const path = require('node:path')

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
  const base = path.basename(text)
  const dot = base.indexOf('.')
  if (dot < 1 || dot === base.length - 1) throw loadError('Runtime.MalformedHandlerName', 'Bad handler')
  const file = path.join(root, path.dirname(text), base.slice(0, dot))
  const steps = base.slice(dot + 1).split('.')
  const exported = loadModule(root, file)
  const handler = steps.reduce((value, step) => value?.[step], exported)
  if (handler === undefined) throw loadError('Runtime.HandlerNotFound', `${text} is undefined or not exported`)
  if (typeof handler !== 'function') throw loadError('Runtime.HandlerNotFound', `${text} is not a function`)
  return handler
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

module.exports = { loadHandler }

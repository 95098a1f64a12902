'use strict'

const { LambdaError } = require('../errors')

/** @import { Configuration } from '../types' */

/** @param {string} message */
const invalid = message => new LambdaError('InvalidParameterValueException', { message })

/** @param {unknown} value @param {string} name @param {string} constraint */
const violated = (value, name, constraint) =>
  new LambdaError('ValidationException', {
    message: `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: ${constraint}`,
  })

const RUNTIMES = ['nodejs20.x', 'nodejs22.x', 'nodejs24.x']
const DEFAULTS = { Description: '', Timeout: 3, MemorySize: 128, Architectures: ['x86_64'] }
const FIELDS = ['Runtime', 'Role', 'Handler', 'Environment', ...Object.keys(DEFAULTS)]
const ROLE = /^arn:(aws[a-zA-Z-]*)?:iam::\d{12}:role\/?[a-zA-Z_0-9+=,.@\-_/]+$/

/** Variables that functions cannot set. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const RESERVED = /^(_HANDLER|_X_AMZN_TRACE_ID|AWS_(?:DEFAULT_)?REGION|AWS_LAMBDA_.*|AWS_(?:ACCESS|SECRET|SESSION)_.*)$/

/**
 * The configuration that a request asks for, over what was there.
 *
 * @param {Record<string, any>} given of the request
 * @param {Configuration} [before] absent: a new function
 * @returns {Configuration}
 * @throws {LambdaError}
 */
function configurationOf(given, before) {
  const asked = Object.entries(given).filter(([name, value]) => FIELDS.includes(name) && value !== undefined)
  /** @type {any} */
  const whole = { ...DEFAULTS, ...before, ...Object.fromEntries(asked) }
  const { Environment, ...rest } = whole
  /** @type {Configuration} */
  const configuration = { ...rest, ...variablesOf(Environment) }
  const { Runtime, Role, Timeout, MemorySize } = configuration
  if (!(Timeout >= 1 && Timeout <= 900)) throw violated(Timeout, 'timeout', 'Member must have value from 1 to 900')
  if (!(MemorySize >= 128 && MemorySize <= 10_240)) {
    throw violated(MemorySize, 'memorySize', 'Member must have value from 128 to 10240')
  }
  if (!RUNTIMES.includes(Runtime)) throw violated(Runtime, 'runtime', `Member must be one of [${RUNTIMES.join(', ')}]`)
  if (!ROLE.test(Role ?? '')) {
    throw violated(Role, 'role', `Member must satisfy regular expression pattern: ${ROLE.source}`)
  }
  return configuration
}

/** @param {{ Variables?: Record<string, string> } | undefined} environment */
function variablesOf(environment) {
  const variables = environment?.Variables ?? {}
  const names = Object.keys(variables)
  if (names.length === 0) return {}
  const reserved = names.filter(name => RESERVED.test(name))
  if (reserved.length > 0) throw invalid(`Reserved keys used in this request: ${reserved.join(', ')}`)
  return { Environment: { Variables: variables } }
}

/** @param {Record<string, any>} given with the archive, of CreateFunction or UpdateFunctionCode @returns {Buffer} */
function archiveOf(given) {
  if (typeof given.ZipFile === 'string') return Buffer.from(given.ZipFile, 'base64')
  throw invalid('Please provide a source for function code.')
}

module.exports = { archiveOf, configurationOf, invalid }

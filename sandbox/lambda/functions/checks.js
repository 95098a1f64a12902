'use strict'

const { LambdaError } = require('../errors')

/** @import { Configuration, Settings } from '../types' */

/** @param {string} message */
const invalid = message => new LambdaError('InvalidParameterValueException', { message })

/** @param {unknown} value @param {string} name @param {string} constraint */
const violated = (value, name, constraint) =>
  new LambdaError('ValidationException', {
    message: `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: ${constraint}`,
  })

const ROLE = /^arn:(aws[a-zA-Z-]*)?:iam::\d{12}:role\/?[a-zA-Z_0-9+=,.@\-_/]+$/
const ARCHITECTURES = ['x86_64', 'arm64']

/** Variables that functions cannot set. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const RESERVED =
  /^(_HANDLER|_X_AMZN_TRACE_ID|AWS_DEFAULT_REGION|AWS_REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_.*|AWS_ACCESS_KEY(_ID)?|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|LAMBDA_TASK_ROOT|LAMBDA_RUNTIME_DIR)$/

/** @type {Array<[field: keyof Configuration, least: number, most: number]>} */
const NUMBERS = [
  ['Timeout', 1, 900],
  ['MemorySize', 128, 10_240],
]

/**
 * The configuration that a request asks for, over what was there.
 *
 * @param {Record<string, any>} given of the request
 * @param {Configuration | undefined} before undefined: a new function
 * @param {Settings} settings
 * @returns {Configuration}
 * @throws {LambdaError}
 */
function configurationOf(given, before, { runtimes, limits }) {
  for (const [field, least, most] of NUMBERS) {
    const value = given[field]
    if (value === undefined) continue
    const name = field[0].toLowerCase() + field.slice(1)
    if (!Number.isInteger(value) || value < least) {
      throw violated(value, name, `Member must have value greater than or equal to ${least}`)
    }
    if (value > most) throw violated(value, name, `Member must have value less than or equal to ${most}`)
  }
  const configuration = {
    Runtime: given.Runtime ?? before?.Runtime,
    Role: given.Role ?? before?.Role,
    Handler: given.Handler ?? before?.Handler,
    Description: given.Description ?? before?.Description ?? '',
    Timeout: given.Timeout ?? before?.Timeout ?? 3,
    MemorySize: given.MemorySize ?? before?.MemorySize ?? 128,
    Architectures: given.Architectures ?? before?.Architectures ?? ['x86_64'],
    EphemeralStorage: given.EphemeralStorage ?? before?.EphemeralStorage ?? { Size: 512 },
    ...variablesOf(given.Environment ?? before?.Environment, limits.variableBytes),
  }
  if (configuration.Handler === undefined || configuration.Runtime === undefined) {
    throw invalid('Runtime and Handler are mandatory parameters for functions created with deployment packages.')
  }
  if (!runtimes.includes(configuration.Runtime)) {
    throw violated(
      configuration.Runtime,
      'runtime',
      `Member must satisfy enum value set: [${runtimes.join(', ')}] or be a valid ARN`,
    )
  }
  if (!ROLE.test(configuration.Role ?? '')) {
    throw violated(configuration.Role, 'role', `Member must satisfy regular expression pattern: ${ROLE.source}`)
  }
  checkArchitectures(configuration.Architectures)
  return configuration
}

/** @param {unknown} architectures */
function checkArchitectures(architectures) {
  const one = Array.isArray(architectures) && architectures.length === 1 ? architectures[0] : undefined
  if (ARCHITECTURES.includes(one)) return
  throw violated(
    architectures,
    'architectures',
    `Member must satisfy constraint: [Member must satisfy enum value set: [${ARCHITECTURES.join(', ')}]]`,
  )
}

/** @param {{ Variables?: Record<string, string> } | undefined} environment @param {number} mostBytes */
function variablesOf(environment, mostBytes) {
  const variables = environment?.Variables ?? {}
  const names = Object.keys(variables)
  if (names.length === 0) return {}
  const wrong =
    'Lambda was unable to configure your environment variables because the environment variables you have provided'
  const reserved = names.filter(name => RESERVED.test(name))
  if (reserved.length > 0) {
    throw invalid(
      `${wrong} contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ${reserved.join(', ')}`,
    )
  }
  const measured = JSON.stringify(variables)
  if (Buffer.byteLength(measured) > mostBytes) {
    throw invalid(`${wrong} exceeded the 4KB limit. String measured: ${measured}`)
  }
  return { Environment: { Variables: variables } }
}

/** @param {Record<string, any>} given with the archive, of CreateFunction or UpdateFunctionCode @returns {Buffer} */
function archiveOf(given) {
  if (typeof given.ZipFile === 'string') return Buffer.from(given.ZipFile, 'base64')
  throw invalid('Please provide a source for function code.')
}

module.exports = { archiveOf, checkArchitectures, configurationOf, invalid }

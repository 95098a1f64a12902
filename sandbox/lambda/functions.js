'use strict'

/** @import { Code, Configuration, LambdaFunction, Settings, Version } from './types' */

const { createHash } = require('node:crypto')
const path = require('node:path')
const { unzip } = require('../common/unzip')
const { LambdaError } = require('./errors')

/** @param {{ region: string }} where @param {string} name @param {string} [qualifier] */
function arnOf({ region }, name, qualifier) {
  return `arn:aws:lambda:${region}:123456789012:function:${name}${qualifier ? `:${qualifier}` : ''}`
}

/**
 * The functions of the account, with their code unpacked.
 *
 * @param {{ settings: Settings, root: () => string }} options root: the directory that code is unpacked below
 */
function createFunctions({ settings, root }) {
  /** @type {Map<string, LambdaFunction>} */
  const functions = new Map()
  let revisions = 0
  let archives = 0

  /** @param {Buffer} zip @returns {Code} @throws {LambdaError} InvalidParameterValueException */
  function unpack(zip) {
    archives += 1
    const directory = path.join(root(), `code-${archives}`)
    try {
      unzip(zip, directory)
    } catch {
      throw invalid('Could not unzip uploaded file. Please check your file, then try to upload again.')
    }
    return { sha256: createHash('sha256').update(zip).digest('base64'), directory }
  }

  /** @param {string} name @param {Configuration} configuration @param {Code} code @returns {Version} */
  function latestOf(name, configuration, code) {
    return { name, arn: arnOf(settings, name), revision: ++revisions, configuration, code }
  }

  return {
    /** @param {string} name */
    has: name => functions.has(name),
    /** @param {string} name @param {string} [qualifier] @throws {LambdaError} ResourceNotFoundException */
    get(name, qualifier = '$LATEST') {
      const found = qualifier === '$LATEST' ? functions.get(name) : undefined
      if (found) return found
      throw new LambdaError('ResourceNotFoundException', {
        message: `Function not found: ${arnOf(settings, name, qualifier === '$LATEST' ? undefined : qualifier)}`,
      })
    },
    /**
     * @param {string} name
     * @param {{ configuration: Configuration, zip: Buffer }} what
     * @returns {LambdaFunction}
     */
    create(name, { configuration, zip }) {
      const activeAtMs = settings.clock() + settings.pendingMs
      const latest = latestOf(name, configuration, unpack(zip))
      const created = { name, latest, activeAtMs, updatedAtMs: activeAtMs }
      functions.set(name, created)
      return created
    },
    /**
     * @param {LambdaFunction} fn
     * @param {{ configuration?: Configuration, zip?: Buffer }} what
     */
    update(fn, { configuration = fn.latest.configuration, zip }) {
      fn.latest = latestOf(fn.name, configuration, zip ? unpack(zip) : fn.latest.code)
      fn.updatedAtMs = settings.clock() + settings.pendingMs
    },
    /** @param {LambdaFunction} fn */
    remove: fn => functions.delete(fn.name),
  }
}

/**
 * A function as the API tells it. https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 * @returns {Record<string, unknown>}
 */
function describe(fn, now) {
  const { arn, code, configuration, name } = fn.latest
  return {
    FunctionName: name,
    FunctionArn: arn,
    ...configuration,
    CodeSha256: code.sha256,
    Version: '$LATEST',
    ...stateOf(fn, now),
  }
}

/**
 * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 */
function stateOf({ activeAtMs, updatedAtMs }, now) {
  if (now < activeAtMs) return { State: 'Pending' }
  return { State: 'Active', LastUpdateStatus: now < updatedAtMs ? 'InProgress' : 'Successful' }
}

/** @typedef {ReturnType<typeof createFunctions>} Functions */

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

module.exports = { createFunctions, describe, stateOf, archiveOf, configurationOf }

'use strict'

const { createHash } = require('node:crypto')
const path = require('node:path')
const { unzip } = require('../../common/unzip')
const { LambdaError } = require('../errors')
const { invalid } = require('./checks')

/** @import { Code, Configuration, LambdaFunction, Settings, Version } from '../types' */

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

module.exports = { createFunctions, describe, stateOf }

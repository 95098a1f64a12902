'use strict'

const { LambdaError } = require('../errors')
const { archiveOf, checkArchitectures, configurationOf, invalid } = require('../functions/checks')
const { describe, stateOf } = require('../functions')
const { parseFunctionName } = require('../names')

/** @import { Answer, Call, LambdaFunction, Settings } from '../types' */

/**
 * The API by which functions are made, changed and read. https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {import('../functions').Functions} options.functions
 * @param {(fn: LambdaFunction) => void} options.retire ends the idle environments of what is no longer there
 */
function createControlApi({ settings, functions, retire }) {
  const { clock } = settings
  /** @param {LambdaFunction} fn */
  const described = fn => describe(fn, clock())

  /** @param {Call} call @returns {LambdaFunction} */
  function target({ parameters: [text], query }) {
    const { name, qualifier = query.get('Qualifier') } = parseFunctionName(text, settings)
    return functions.get(name, qualifier)
  }

  /** A function that is to be changed. @param {Call} call @throws {LambdaError} */
  function changeable(call) {
    const fn = target(call)
    const { State, LastUpdateStatus } = stateOf(fn, clock())
    if (State === 'Pending') {
      throw new LambdaError('ResourceConflictException', {
        message: `The operation cannot be performed at this time. The function is currently in the following state: ${State}`,
      })
    }
    if (LastUpdateStatus === 'InProgress') {
      throw new LambdaError('ResourceConflictException', {
        message: `The operation cannot be performed at this time. An update is in progress for resource: ${fn.latest.arn}`,
      })
    }
    return fn
  }

  return {
    /** @param {Call} call @returns {Answer} */
    createFunction(call) {
      const given = jsonOf(call)
      const { name } = parseFunctionName(String(given.FunctionName), settings)
      const configuration = configurationOf(given, undefined, settings)
      const zip = archiveOf(given.Code ?? {})
      if (functions.find(name)) {
        throw new LambdaError('ResourceConflictException', { message: `Function already exist: ${name}` })
      }
      return { status: 201, body: described(functions.create(name, { configuration, zip })) }
    },
    /** @param {Call} call @returns {Answer} */
    updateFunctionCode(call) {
      const given = jsonOf(call)
      const fn = changeable(call)
      const zip = archiveOf(given)
      const { Architectures } = given
      if (Architectures !== undefined) checkArchitectures(Architectures)
      const configuration = Architectures ? { ...fn.latest.configuration, Architectures } : undefined
      functions.update(fn, { zip, configuration })
      retire(fn)
      return { status: 200, body: described(fn) }
    },
    /** @param {Call} call @returns {Answer} */
    updateFunctionConfiguration(call) {
      const given = jsonOf(call)
      const fn = changeable(call)
      functions.update(fn, { configuration: configurationOf(given, fn.latest.configuration, settings) })
      retire(fn)
      return { status: 200, body: described(fn) }
    },
    /** @param {Call} call @returns {Answer} */
    getFunctionConfiguration(call) {
      return { status: 200, body: described(target(call)) }
    },
    /** @param {Call} call @returns {Answer} */
    deleteFunction(call) {
      const fn = target(call)
      functions.remove(fn)
      retire(fn)
      return { status: 204 }
    },
    /** @param {Call} call @returns {Answer} */
    putConcurrency(call) {
      const fn = target(call)
      const reserved = jsonOf(call).ReservedConcurrentExecutions
      if (!Number.isInteger(reserved) || reserved < 0)
        throw invalid('ReservedConcurrentExecutions must be zero or more.')
      const { concurrent, unreserved } = settings.limits
      const left = concurrent - (functions.reservedInAll() - (fn.reserved ?? 0)) - reserved
      if (left < Math.min(unreserved, concurrent)) {
        throw invalid(
          `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${unreserved}].`,
        )
      }
      fn.reserved = reserved
      functions.save()
      return { status: 200, body: { ReservedConcurrentExecutions: reserved } }
    },
    /** @param {Call} call @returns {Answer} */
    getConcurrency(call) {
      const { reserved } = target(call)
      return { status: 200, body: reserved === undefined ? {} : { ReservedConcurrentExecutions: reserved } }
    },
    /** @param {Call} call @returns {Answer} */
    deleteConcurrency(call) {
      target(call).reserved = undefined
      functions.save()
      return { status: 204 }
    },
    /** @returns {Answer} */
    accountSettings() {
      const { concurrent, unzippedBytes, zipBytes } = settings.limits
      const all = functions.list()
      return {
        status: 200,
        body: {
          AccountLimit: {
            TotalCodeSize: 80_530_636_800,
            CodeSizeUnzipped: unzippedBytes,
            CodeSizeZipped: zipBytes,
            ConcurrentExecutions: concurrent,
            UnreservedConcurrentExecutions: concurrent - functions.reservedInAll(),
          },
          AccountUsage: {
            TotalCodeSize: all.reduce((sum, { latest }) => sum + latest.code.zip.length, 0),
            FunctionCount: all.length,
          },
        },
      }
    },
  }
}

/** @param {Call} call @returns {Record<string, any>} @throws {LambdaError} */
function jsonOf({ body }) {
  try {
    const value = body.length > 0 ? JSON.parse(body.toString()) : {}
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // answered below
  }
  throw new LambdaError('InvalidRequestContentException', { message: 'Could not parse request body into json.' })
}

module.exports = { createControlApi }

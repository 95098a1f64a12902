'use strict'

const { LambdaError } = require('../errors')
const { archiveOf, configurationOf, describe, stateOf } = require('../functions')

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
  function target({ parameters: [name], query }) {
    return functions.get(name, query.get('Qualifier'))
  }

  /** A function that is to be changed. @param {Call} call @throws {LambdaError} */
  function changeable(call) {
    const fn = target(call)
    const { State, LastUpdateStatus } = stateOf(fn, clock())
    if (State === 'Active' && LastUpdateStatus === 'Successful') return fn
    throw new LambdaError('ResourceConflictException', {
      message: `The operation cannot be performed at this time. The function is ${LastUpdateStatus ?? State}: ${fn.latest.arn}`,
    })
  }

  /** @param {LambdaFunction} fn @param {Parameters<typeof functions.update>[1]} what @returns {Answer} */
  function update(fn, what) {
    retire(fn)
    functions.update(fn, what)
    return { status: 200, body: described(fn) }
  }

  // By operation.
  return {
    /** @param {Call} call @returns {Answer} */
    CreateFunction(call) {
      const given = jsonOf(call)
      const name = String(given.FunctionName)
      const configuration = configurationOf(given)
      const zip = archiveOf(given.Code ?? {})
      if (functions.has(name)) {
        throw new LambdaError('ResourceConflictException', { message: `Function already exist: ${name}` })
      }
      return { status: 201, body: described(functions.create(name, { configuration, zip })) }
    },
    /** @param {Call} call @returns {Answer} */
    UpdateFunctionCode(call) {
      const given = jsonOf(call)
      const fn = changeable(call)
      const { configuration } = fn.latest
      const { Architectures = configuration.Architectures } = given
      return update(fn, { zip: archiveOf(given), configuration: { ...configuration, Architectures } })
    },
    /** @param {Call} call @returns {Answer} */
    UpdateFunctionConfiguration(call) {
      const fn = changeable(call)
      return update(fn, { configuration: configurationOf(jsonOf(call), fn.latest.configuration) })
    },
    /** @param {Call} call @returns {Answer} */
    GetFunctionConfiguration(call) {
      return { status: 200, body: described(target(call)) }
    },
    /** @param {Call} call @returns {Answer} */
    DeleteFunction(call) {
      const fn = target(call)
      functions.remove(fn)
      retire(fn)
      return { status: 204 }
    },
    /** Nothing is reserved for a function. @param {Call} call @returns {Answer} */
    GetFunctionConcurrency(call) {
      target(call)
      return { status: 200, body: {} }
    },
    /** @returns {Answer} */
    GetAccountSettings() {
      const { concurrent } = settings
      const AccountLimit = { ConcurrentExecutions: concurrent, UnreservedConcurrentExecutions: concurrent }
      return { status: 200, body: { AccountLimit } }
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
  throw new LambdaError('InvalidRequestContentException')
}

module.exports = { createControlApi }

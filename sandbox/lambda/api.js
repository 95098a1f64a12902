'use strict'

/** @import { Answer, Call, Environment, Fault, LambdaFunction, Outcome, Settings, Version } from './types' */

const { LambdaError } = require('./errors')
const { stateOf, archiveOf, configurationOf, describe } = require('./functions')
const { runWithDeath } = require('../common/processes/pool')
const { RESPONSE_BYTES } = require('./environments/process-environment')

/** How an invocation seems to have ended. @type {Record<NonNullable<Fault['death']>, Outcome>} */
const DEATHS = {
  exit: { kind: 'ended', code: 1, signal: null, outOfMemory: false },
  memory: { kind: 'ended', code: null, signal: 'SIGKILL', outOfMemory: true },
}

/**
 * What the client gets for an invocation that was run. Status 200 whatever the function did: errors of the function are told
 * by a header. https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-invocation.html
 *
 * @param {Outcome} outcome
 * @param {{ requestId: string, version: Version }} facts
 * @returns {Answer}
 */
function answerOf(outcome, { requestId, version }) {
  if (outcome.kind === 'answer') return { status: 200, headers: outcome.isError ? UNHANDLED : {}, body: outcome.body }
  if (outcome.kind === 'tooLarge') {
    return failed(
      'Function.ResponseSizeTooLarge',
      `Response payload size exceeded maximum allowed payload size (${RESPONSE_BYTES} bytes).`,
    )
  }
  if (outcome.kind === 'timeout') {
    const seconds = version.configuration.Timeout.toFixed(2)
    return failed('Sandbox.Timedout', `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`)
  }
  const type = outcome.outOfMemory ? 'Runtime.OutOfMemory' : 'Runtime.ExitError'
  return failed(type, `RequestId: ${requestId} Error: ${endOf(outcome)}`)
}

const UNHANDLED = { 'x-amz-function-error': 'Unhandled' }

/** @param {string} errorType @param {string} errorMessage @returns {Answer} */
const failed = (errorType, errorMessage) => ({ status: 200, headers: UNHANDLED, body: { errorType, errorMessage } })

/** @param {Extract<Outcome, { kind: 'ended' }>} outcome */
function endOf({ code, signal, outOfMemory }) {
  if (outOfMemory || signal) return 'Runtime exited with error: signal: killed'
  return code ? `Runtime exited with error: exit status ${code}` : 'Runtime exited without providing a reason'
}

/** Which environments an invocation may use. @param {Version} version */
const keyOf = ({ name, revision }) => `${name}@${revision}`

/**
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {import('./functions').Functions} options.functions
 * @param {ReturnType<typeof import('../common/processes/pool').createPool<Environment, Version>>} options.pool
 * @param {(event: 'start' | 'run' | 'end', facts: object) => void} options.notify
 */
function createInvokeApi({ settings, functions, pool, notify }) {
  let inFlight = 0

  /** @param {Call} call @returns {Promise<Answer>} */
  return async function invoke(call) {
    const fn = functions.get(call.parameters[0], call.query.get('Qualifier'))
    checkRequest(call)
    if (stateOf(fn, settings.clock()).State === 'Pending') {
      throw new LambdaError('ResourceConflictException', {
        message:
          'The operation cannot be performed at this time. The function is currently in the following state: Pending',
      })
    }
    if (call.header('x-amz-invocation-type') !== 'Event') return run(call, fn.latest)
    // The service runs it again if it fails; this one does not.
    run(call, fn.latest).catch(() => {})
    return { status: 202, headers: {}, body: Buffer.alloc(0) }
  }

  /**
   * @param {Call} call
   * @param {Version} version
   * @returns {Promise<Answer>}
   * @throws {LambdaError} 429
   */
  async function run(call, version) {
    const { requestId, fault } = call
    if (inFlight >= settings.concurrent) {
      throw new LambdaError('TooManyRequestsException', { reason: 'ConcurrentInvocationLimitExceeded' })
    }
    inFlight += 1
    const leave = () => {
      inFlight -= 1
    }
    const facts = { requestId, function: version.name }
    return new Promise((resolve, reject) => {
      pool.submit({
        kind: version,
        async execute(environment) {
          notify('start', { ...facts, pid: environment.pid, cold: !environment.warm })
          const { killed, outcome: own } = await runWithDeath(environment, fault, onTimed =>
            environment.invoke({
              requestId,
              event: call.body.length > 0 ? call.body : Buffer.from('{}'),
              onSent() {
                notify('run', { ...facts, pid: environment.pid })
                onTimed()
              },
            }),
          )
          const outcome = killed ? DEATHS[fault.death ?? 'exit'] : own
          leave()
          notify('end', { ...facts, outcome: outcome.kind })
          const { status, headers, body } = answerOf(outcome, { requestId, version })
          resolve({ status, headers: { ...EXECUTED, ...headers }, body })
          const lives = outcome.kind === 'answer' || outcome.kind === 'tooLarge'
          return lives && !environment.spent ? 'keep' : 'destroy'
        },
        fail() {
          leave()
          reject(new LambdaError('ServiceException'))
        },
      })
    })
  }
}

/** @param {Call} call @throws {LambdaError} 400 */
function checkRequest({ body }) {
  try {
    if (body.length > 0) JSON.parse(body.toString())
  } catch {
    throw new LambdaError('InvalidRequestContentException')
  }
}

const EXECUTED = { 'x-amz-executed-version': '$LATEST' }

/**
 * The API by which functions are made, changed and read. https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {import('./functions').Functions} options.functions
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

module.exports = { createInvokeApi, keyOf, createControlApi }

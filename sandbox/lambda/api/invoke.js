'use strict'

const { LambdaError } = require('../errors')
const { stateOf } = require('../functions')
const { parseFunctionName } = require('../names')
const { answerOf, runWithFault } = require('../environments/outcome')

/** @import { Answer, Call, Environment, Settings, Version } from '../types' */

/** Which environments an invocation may use. @param {Version} version */
const keyOf = ({ name, revision }) => `${name}@${revision}`

/**
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {import('../functions').Functions} options.functions
 * @param {ReturnType<typeof import('../../common/processes/pool').createPool<Environment, Version>>} options.pool
 * @param {(event: 'start' | 'run' | 'end', facts: object) => void} options.notify
 */
function createInvokeApi({ settings, functions, pool, notify }) {
  let inFlight = 0

  /** @param {Call} call @returns {Promise<Answer>} */
  return async function invoke(call) {
    const { name, qualifier = call.query.get('Qualifier') } = parseFunctionName(call.parameters[0], settings)
    const fn = functions.get(name, qualifier)
    checkRequest(call)
    if (stateOf(fn, settings.clock()).State === 'Pending') {
      throw new LambdaError('ResourceConflictException', {
        message:
          'The operation cannot be performed at this time. The function is currently in the following state: Pending',
      })
    }
    return run(call, fn.latest)
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
          const cold = !environment.warm
          if (fault.dieLoading && !cold) return 'reschedule'
          notify('start', { ...facts, pid: environment.pid, cold })
          const outcome = await runWithFault(
            environment,
            {
              requestId,
              event: call.body.length > 0 ? call.body : Buffer.from('{}'),
              onSent: () => notify('run', { ...facts, pid: environment.pid }),
            },
            fault,
          )
          const logs = environment.takeLogs()
          leave()
          notify('end', { ...facts, outcome: outcome.kind, logs })
          const { status, headers, body } = answerOf(outcome, { requestId, fault, version })
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
function checkRequest({ body, header, requestId }) {
  const type = header('x-amz-invocation-type') ?? 'RequestResponse'
  if (type !== 'RequestResponse') {
    throw new LambdaError('InvalidParameterValueException', { message: `Unsupported invocation type: ${type}` })
  }
  if (body.length === 0) return
  try {
    JSON.parse(body.toString())
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new LambdaError('InvalidRequestContentException', {
      message: `Could not parse request body into json: Could not parse payload into json: ${message} (${requestId})`,
    })
  }
}

const EXECUTED = { 'x-amz-executed-version': '$LATEST' }

module.exports = { createInvokeApi, keyOf }

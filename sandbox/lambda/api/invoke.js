'use strict'

const { LambdaError } = require('../errors')
const { stateOf } = require('../functions')
const { runWithDeath } = require('../../common/processes/within')
const { DEATHS, answerOf } = require('../environments/outcome')

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
    const fn = functions.get(call.parameters[0], call.query.get('Qualifier'))
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
          notify('start', { ...facts, pid: environment.pid, cold: !environment.warm })
          const invocation = { requestId, event: call.body.length > 0 ? call.body : Buffer.from('{}') }
          const { killed, outcome: own } = await runWithDeath(environment, fault, onTimed =>
            environment.invoke({
              ...invocation,
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
function checkRequest({ body, header }) {
  const type = header('x-amz-invocation-type') ?? 'RequestResponse'
  if (type !== 'RequestResponse') {
    throw new LambdaError('InvalidParameterValueException', { message: `Unsupported invocation type: ${type}` })
  }
  try {
    if (body.length > 0) JSON.parse(body.toString())
  } catch {
    throw new LambdaError('InvalidRequestContentException')
  }
}

const EXECUTED = { 'x-amz-executed-version': '$LATEST' }

module.exports = { createInvokeApi, keyOf }

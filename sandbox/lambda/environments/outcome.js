'use strict'

const { RESPONSE_BYTES } = require('./runtime-api')

/** @import { Answer, Fault, Outcome, Version } from '../types' */

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

module.exports = { DEATHS, answerOf }

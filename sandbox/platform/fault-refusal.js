'use strict'

const { ApiFailure } = require('./failure')
const { messages } = require('./messages')

/** @import { Fault, Limits } from './types' */

/** @type {Record<number, string>} */
const TEXTS = {
  404: messages.noSuchResource,
  409: messages.concurrentModification,
  500: messages.internal,
  502: 'The server received an invalid response from an upstream server.',
  503: messages.overloaded,
}

/**
 * Refuses a call as its fault says, before any work is done, with the platform's own texts.
 *
 * @param {Fault} fault
 * @param {Limits} limits
 * @throws {ApiFailure} if the fault has a status, or cuts the connection
 */
function refuseByFault(fault, { concurrent, perMinute }) {
  // the server cuts the connection; this error only prevents the work
  if (fault.cut) throw new ApiFailure(500, messages.internal)
  if (fault.status === undefined) return
  const throttled =
    fault.throttle === 'rate'
      ? messages.tooManyRequests(perMinute + 1, perMinute)
      : messages.tooManyConcurrent(concurrent, concurrent)
  const text = fault.message ?? (fault.status === 429 ? throttled : (TEXTS[fault.status] ?? messages.internal))
  throw new ApiFailure(
    fault.status,
    text,
    fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) },
  )
}

module.exports = { refuseByFault }

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
 * The refusal that a fault asks for in place of doing anything, in the platform's own words.
 *
 * @param {Fault} fault
 * @param {Limits} limits
 * @throws {ApiFailure} with the fault's status, where it has one, or where the connection is to be cut
 */
function refuseByFault(fault, { concurrent, perMinute }) {
  // the server cuts the connection; all that matters here is that nothing is done
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

'use strict'

const { messages } = require('./errors')

/** @import { ActivationResponse, ContainerAnswer, StatusCode } from './types' */

const STATUS_TEXTS = ['success', 'application error', 'action developer error', 'whisk internal error']

/**
 * @param {StatusCode} statusCode
 * @param {unknown} error
 * @param {number} [size] of the answer, in bytes
 * @returns {ActivationResponse}
 */
function errorResponse(statusCode, error, size) {
  return { statusCode, result: { error }, ...(size === undefined ? {} : { size }) }
}

/** @param {string} text @returns {unknown} undefined for what is no JSON */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The activation's response after a container's answer to /init; undefined if it succeeded. Upstream: entity/ActivationResult.scala processInitResponseContent.
 *
 * @param {ContainerAnswer} answer
 * @param {{ timeoutMs: number, outOfMemory: boolean }} facts
 * @returns {ActivationResponse | undefined}
 */
function initOutcome(answer, { timeoutMs, outOfMemory }) {
  if (answer.kind === 'gone' && outOfMemory) return errorResponse(2, messages.outOfMemory)
  // a container that is gone is retried until the time limit, so it looks like one that is slow
  if (answer.kind !== 'answer') return errorResponse(2, messages.timedOut(timeoutMs, true))
  if (answer.status === 200) return undefined
  const body = parseJson(answer.text)
  return errorResponse(2, isObject(body) && 'error' in body ? body.error : messages.initInvalid(answer.text))
}

/**
 * The activation's response after a container's answer to /run. Upstream: entity/ActivationResult.scala processRunResponseContent.
 *
 * @param {ContainerAnswer} answer
 * @param {{ timeoutMs: number, maxBytes: number, outOfMemory: boolean }} facts
 * @returns {ActivationResponse}
 */
function runOutcome(answer, { timeoutMs, maxBytes, outOfMemory }) {
  if (answer.kind === 'timeout') return errorResponse(2, messages.timedOut(timeoutMs, false))
  if (answer.kind === 'gone') return errorResponse(2, outOfMemory ? messages.outOfMemory : messages.runAbnormal)
  if (answer.truncated) return errorResponse(1, messages.responseTooLarge(answer.text, answer.bytes, maxBytes))

  const ok = answer.status === 200
  const size = answer.bytes
  const body = parseJson(answer.text)
  // an error replaces the result: the keys beside it are dropped
  if (isObject(body) && 'error' in body) return errorResponse(ok ? 1 : 2, body.error, size)
  if (ok && (isObject(body) || Array.isArray(body))) return { statusCode: 0, result: body, size }
  return errorResponse(2, messages.runInvalid(answer.text), size)
}

module.exports = { initOutcome, runOutcome, errorResponse, parseJson, isObject, STATUS_TEXTS }

'use strict'

const { keyValues, mergeKeyValues, nextVersion } = require('./entities')
const { ApiFailure } = require('./failure')
const { messages } = require('./messages')
const { isObject } = require('./outcome')

/** @import { Action, ActionLimits, Exec, Limits, Range } from './types' */

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Whether code is an archive: it is if it is base64. Upstream: entity/Exec.scala isBinaryCode.
 *
 * @param {string} code
 * @returns {boolean}
 */
function isBinaryCode(code) {
  const trimmed = code.trim()
  return trimmed.length % 4 === 0 && BASE64.test(trimmed)
}

/**
 * @param {unknown} given
 * @param {{ runtimes: string[], limits: Limits }} settings the first runtime is the default one
 * @returns {Exec}
 * @throws {ApiFailure} 400, or 413 for code that is too large
 */
function readExec(given, { runtimes, limits }) {
  if (!isObject(given)) throw new ApiFailure(400, messages.malformed("'exec' must be an object"))
  const { kind, code, main } = given
  if (typeof kind !== 'string')
    throw new ApiFailure(400, messages.malformed("'kind' must be a string defined in 'exec'"))
  const resolved = kind === 'nodejs' || kind === 'nodejs:default' ? runtimes[0] : kind
  if (!runtimes.includes(resolved)) {
    throw new ApiFailure(400, messages.malformed(messages.unknownRuntime(kind, runtimes)))
  }
  if (typeof code !== 'string') {
    throw new ApiFailure(400, messages.malformed(`'code' must be a string defined in 'exec' for '${resolved}' actions`))
  }
  if (main !== undefined && typeof main !== 'string') {
    throw new ApiFailure(400, messages.malformed("if defined, 'main' be a string in 'exec'"))
  }
  if (code.length > limits.codeBytes) {
    throw new ApiFailure(413, messages.tooLarge('exec', code.length, limits.codeBytes))
  }
  return { kind: resolved, code, binary: isBinaryCode(code), ...(main === undefined ? {} : { main }) }
}

/**
 * @param {string} what
 * @param {string} unit
 * @param {unknown} value
 * @param {{ min: number, max: number }} range
 * @returns {number}
 * @throws {ApiFailure} 400
 */
function checkRange(what, unit, value, { min, max }) {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new ApiFailure(400, messages.malformed(`${what} limit must be whole number`))
  }
  if (value > max)
    throw new ApiFailure(400, `requirement failed: ${what} ${value}${unit} exceeds allowed threshold of ${max}${unit}`)
  if (value < min)
    throw new ApiFailure(400, `requirement failed: ${what} ${value}${unit} below allowed threshold of ${min}${unit}`)
  return value
}

/**
 * @param {unknown} given
 * @param {ActionLimits | undefined} current
 * @param {Limits} limits
 * @returns {ActionLimits}
 * @throws {ApiFailure} 400 with upstream's sentence about the threshold
 */
function readLimits(given, current, limits) {
  if (given !== undefined && given !== null && !isObject(given)) {
    throw new ApiFailure(400, messages.malformed('limits malformed'))
  }
  const { timeout, memory, logs, concurrency } = given ?? {}
  /** @param {unknown} value @param {number | undefined} before @param {Range} range */
  const chosen = (value, before, range) => value ?? before ?? range.default
  return {
    timeout: checkRange(
      'duration',
      ' milliseconds',
      chosen(timeout, current?.timeout, limits.timeoutMs),
      limits.timeoutMs,
    ),
    memory: checkRange('memory size', ' MB', chosen(memory, current?.memory, limits.memoryMB), limits.memoryMB),
    logs: checkRange('log size', ' MB', chosen(logs, current?.logs, limits.logsMB), limits.logsMB),
    concurrency: checkRange(
      'concurrency',
      '',
      chosen(concurrency, current?.concurrency, limits.perContainer),
      limits.perContainer,
    ),
  }
}

/**
 * @param {unknown} value
 * @param {string} field
 * @param {number} allowed
 * @throws {ApiFailure} 413
 */
function checkSize(value, field, allowed) {
  const bytes = Buffer.byteLength(JSON.stringify(value ?? []))
  if (bytes > allowed) throw new ApiFailure(413, messages.tooLarge(field, bytes, allowed))
}

/**
 * Applies a PUT to an action. Fields that the body leaves out keep their values, annotations are merged, parameters replaced.
 * Upstream: core/controller Actions.scala make, update, amendAnnotations.
 *
 * @param {object} write
 * @param {Record<string, unknown>} write.body
 * @param {Action | undefined} write.current
 * @param {string | undefined} write.packageName
 * @param {string} write.name
 * @param {{ runtimes: string[], limits: Limits }} write.settings
 * @returns {Omit<Action, 'revision'>}
 * @throws {ApiFailure} 400, 413
 */
function buildAction({ body, current, packageName, name, settings }) {
  checkSize(body.parameters, 'parameters', settings.limits.payloadBytes)
  checkSize(body.annotations, 'annotations', settings.limits.payloadBytes)
  if (!current && !isObject(body.exec)) throw new ApiFailure(400, messages.execUndefined)
  const exec = current && !body.exec ? current.exec : readExec(body.exec, settings)
  const given = keyValues(body.annotations, 'annotations') ?? []
  const defaults = current ? current.annotations : [{ key: 'provide-api-key', value: false }]
  return {
    package: packageName,
    name,
    exec,
    limits: readLimits(body.limits, current?.limits, settings.limits),
    parameters: keyValues(body.parameters, 'parameters') ?? current?.parameters ?? [],
    annotations: mergeKeyValues(defaults, given, [{ key: 'exec', value: exec.kind }]),
    publish: typeof body.publish === 'boolean' ? body.publish : (current?.publish ?? false),
    version: nextVersion(body.version, current?.version),
    updated: Date.now(),
  }
}

/**
 * @param {Action} action
 * @param {{ namespace: string, code: boolean }} options
 */
function actionDocument(action, { namespace, code }) {
  const { annotations, exec, limits, name, parameters, publish, updated, version } = action
  const { code: text, ...rest } = exec
  const shown = code ? { ...rest, code: text } : rest
  const path = action.package ? `${namespace}/${action.package}` : namespace
  return { annotations, exec: shown, limits, name, namespace: path, parameters, publish, updated, version }
}

/**
 * @param {Action} action
 * @param {string} namespace
 */
function actionSummary(action, namespace) {
  const { exec, parameters, ...summary } = actionDocument(action, { namespace, code: false })
  return { ...summary, exec: { binary: exec.binary } }
}

module.exports = { actionDocument, actionSummary, buildAction, isBinaryCode }

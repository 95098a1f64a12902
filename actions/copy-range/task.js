'use strict'

const { NAME, isObject, ruleNamed } = require('./answers')
const { Failure } = require('./failure')
const { FRAMINGS } = require('./dialects')
const { isSumName, isSums } = require('./sums')
const { requestOf } = require('./transport')

/** @typedef {import('../../lib/types').Task} Task */
/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').AnswerRule} AnswerRule */
/** @typedef {import('./transport').WireRequest} WireRequest */

/**
 * A task that has passed all checks.
 * @typedef {{
 *   partNumber: number, bytes: number, sums: Sum[], tell: boolean, expect: Task['expect'],
 *   start: number, read: WireRequest, write?: WireRequest, frame?: () => import('./dialects').Frame
 * }} Work sums: to compute, with those that it expects and sends; `write` absent: the bytes go nowhere; `frame` absent: they go as they are
 */

/**
 * Headers of a connection, not of a request (RFC 9110 section 7.6.1), and those that say where a body ends. With them a task
 * could smuggle a second request behind its own, on a connection that other tasks use.
 */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** @param {string} detail */
const badTask = detail => new Failure('BAD_TASK', { detail })

/**
 * Reads a task, and refuses one that contradicts itself.
 * @param {unknown} given
 * @param {Record<string, AnswerRule>} [rules] that came with the invocation, by the names that requests give
 * @param {import('./transport').LocalTransports} [local]
 * @returns {Work}
 * @throws {Failure} BAD_TASK
 */
function readTask(given, rules, local) {
  const task = /** @type {Task} */ (object(given, 'it is no object'))
  const { partNumber, bytes } = task
  if (!isCount(partNumber)) throw badTask('its part number is no whole number')
  if (!isCount(bytes)) throw badTask('its number of bytes is no whole number')
  const expect = object(task.expect, 'it does not say what the read must answer')
  if (typeof expect.etag !== 'string') throw badTask('the ETag it expects is no text')
  if (!isCount(expect.totalBytes)) throw badTask('the size it expects is no whole number')
  if (expect.sums !== undefined && !isSums(expect.sums))
    throw badTask('the checksums it expects are not lower-case hex digits of the right number')
  if (!(Array.isArray(task.sums) && task.sums.every(isSumName)))
    throw badTask('it does not say which checksums to compute')
  if (expect.headers !== undefined && !isTexts(expect.headers)) throw badTask('the headers it expects are no texts')
  const read = wireRequest(task.read, 'GET', rules, local)
  const start = rangeStart(read.headers.range, bytes, expect.totalBytes)
  const sums = [...new Set([...task.sums, .../** @type {Sum[]} */ (Object.keys(expect.sums ?? {}))])]
  const work = { partNumber, bytes, sums, tell: task.tell === true, expect, start, read }
  return task.write === undefined ? work : { ...work, ...writeOf(task.write, work, rules, local) }
}

/**
 * @param {unknown} given the request of a write
 * @param {Pick<Work, 'bytes' | 'sums'>} work sums: to compute without it
 * @param {Record<string, AnswerRule>} [rules]
 * @param {import('./transport').LocalTransports} [local]
 * @returns {Pick<Work, 'write' | 'frame' | 'sums'>}
 * @throws {Failure} BAD_TASK
 */
function writeOf(given, { bytes, sums }, rules, local) {
  const write = wireRequest(given, 'PUT', rules, local)
  const framed = framingOf(/** @type {Record<string, any>} */ (given), bytes)
  if (write.headers['content-length'] !== String(framed?.length ?? bytes)) {
    throw badTask("the write's content-length is not the length of its body")
  }
  return { write, frame: framed?.frame, sums: framed ? [...new Set([...sums, framed.sum])] : sums }
}

/**
 * How the bytes of a write are framed.
 * @param {Record<string, any>} write
 * @param {number} bytes
 * @returns {{ length: number, sum: Sum, frame: () => import('./dialects').Frame } | undefined} undefined:
 *   they go as they are
 * @throws {Failure} BAD_TASK
 */
function framingOf({ framing }, bytes) {
  if (framing === undefined) return undefined
  const { type, trailer, sum } = object(framing, 'its framing is no object')
  const known = typeof type === 'string' && Object.hasOwn(FRAMINGS, type) && isSumName(sum)
  if (!known || typeof trailer !== 'string' || !NAME.test(trailer))
    throw badTask('its framing is not one that is known')
  const { framedLength, frameBody } = FRAMINGS[type]
  const behind = { trailer, sum }
  return { length: framedLength(bytes, behind), sum, frame: () => frameBody(bytes, behind) }
}

/**
 * @param {unknown} value
 * @param {string} otherwise
 */
function object(value, otherwise) {
  if (!isObject(value)) throw badTask(otherwise)
  return /** @type {any} */ (value)
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0
}

/** @param {unknown} value an object of nothing but texts */
function isTexts(value) {
  if (!isObject(value)) return false
  for (const text of Object.values(/** @type {object} */ (value))) if (typeof text !== 'string') return false
  return true
}

/**
 * @param {unknown} given
 * @param {'GET' | 'PUT'} method
 * @param {Record<string, AnswerRule>} [rules]
 * @param {import('./transport').LocalTransports} [local]
 * @returns {WireRequest}
 */
function wireRequest(given, method, rules, local) {
  const name = method === 'GET' ? 'read' : 'write'
  const request = object(given, `it has no ${name}`)
  if (request.method !== method) throw badTask(`its ${name} is no ${method}`)
  const headers = object(request.headers, `its ${name} has no headers`)
  if (!isTexts(headers)) throw badTask(`a header of its ${name} is no text`)
  const names = Object.keys(headers)
  // Of two that differ in nothing else, one would be checked, and both would be sent.
  for (const each of names)
    if (each !== each.toLowerCase()) throw badTask(`a header of its ${name} is not in lower case`)
  for (const each of names)
    if (OF_CONNECTION.includes(each)) throw badTask(`a header of its ${name} is of the connection`)
  if (method === 'GET' && names.includes('content-length')) throw badTask('its read has a content-length')
  const rule = ruleNamed(request.accepts, rules)
  if (!rule) throw badTask(`what its ${name} accepts is no rule of this invocation`)
  return requestOf({ ...request, headers: { ...headers } }, rule, local)
}

/**
 * Where in the object the read begins.
 * @param {string | undefined} range the header
 * @param {number} bytes
 * @param {number} totalBytes
 */
function rangeStart(range, bytes, totalBytes) {
  if (range === undefined) {
    if (bytes !== totalBytes) throw badTask('it has no range and is not the whole object')
    return 0
  }
  const [, from, to] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range) ?? []
  const start = Number(from)
  if (Number(to) - start + 1 !== bytes || bytes === 0) throw badTask('its range is not of as many bytes as it says')
  if (start + bytes > totalBytes) throw badTask('its range ends beyond the object')
  return start
}

module.exports = { readTask }

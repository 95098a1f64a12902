'use strict'

/** The read of a task: sends it, and believes the answer only if its status, range, ETag and size are those of the task. */

const { bareEtag, describing, headerIn, isAs, readBody, refusal, unlessLong } = require('../answers')
const { Exchange } = require('./exchange')
const { Failure } = require('../failure')

/** @typedef {import('../transport').Answer} Answer */
/** @typedef {import('../task').Work} Work */

/** A shorter body is read to its end, so that the connection can be used again. */
const SMALL_BYTES = 65_536

/**
 * Sends the read and checks the head of its answer.
 * @param {Work} work
 * @param {InstanceType<typeof import('./attempt').Attempt>} attempt
 * @returns {Promise<{ source: Answer, close: () => void }>} the answer, of whose body nothing was given on yet
 * @throws {Failure}
 */
async function openRead(work, attempt) {
  const exchange = new Exchange('read', work.read, attempt)
  const opened = exchange.opened()
  if (opened) await opened
  attempt.watch('read', attempt.stallMs)
  const source = await attempt.until((/** @type {(answer: Answer) => void} */ done) => {
    exchange.listen({ answer: done })
    exchange.call.end()
  })
  if (!work.read.rule.statuses.includes(source.status)) {
    const body = await readBody(source.body, attempt)
    exchange.close()
    throw refusal('read', source, body, work.read.rule)
  }
  checkHead(source, work)
  if (work.expect.headers) await checkDescription(source, work, exchange, attempt)
  return { source, close: () => exchange.close() }
}

/**
 * Checks that the object is described as the task expects; if it is not, the read is over.
 * @param {Answer} source
 * @param {Work} work
 * @param {InstanceType<typeof import('./exchange').Exchange>} exchange
 * @param {InstanceType<typeof import('./attempt').Attempt>} attempt
 * @throws {Failure} HEADERS_DIFFER
 */
async function checkDescription({ headers, body }, { bytes, expect, read }, exchange, attempt) {
  const found = describing(headers, read.rule.describes)
  if (expect.headers && isAs(found, expect.headers)) return
  if (bytes < SMALL_BYTES) await readBody(body, attempt)
  exchange.close()
  throw new Failure('HEADERS_DIFFER', { side: 'read', headers: unlessLong(found) })
}

/**
 * Checks that the answer is of the object and the range that were asked for (RFC 9110 sections 14.4 and 15.3.7).
 * @param {Answer} source
 * @param {Work} work
 * @throws {Failure}
 */
function checkHead({ status, headers }, { bytes, start, expect, read }) {
  checkEtag(headers, expect.etag, read.rule.etag)
  const asked = `bytes ${start}-${start + bytes - 1}/${expect.totalBytes}`
  const found = headerIn(headers, 'content-range')
  if (found !== undefined && found !== asked) checkRange(found, start, bytes, expect.totalBytes)
  // Without Content-Range, 200 is the whole object and 206 is several ranges at once.
  if (found === undefined && (status === 206 || bytes !== expect.totalBytes)) {
    throw new Failure('WRONG_RANGE', { side: 'read', expected: asked, found: `${status} without Content-Range` })
  }
  const length = headerIn(headers, 'content-length')
  if (length !== undefined && Number(length) !== bytes) {
    throw new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: Number(length) })
  }
}

/**
 * @param {Answer['headers']} headers
 * @param {string} expected empty where the store gave none when the copy was planned
 * @param {import('../../../lib/types').AnswerRule['etag']} rule
 */
function checkEtag(headers, expected, rule) {
  if (!expected || !rule) return
  const found = headerIn(headers, rule.header)
  if (!found && !rule.required) return
  // The object was pinned by an ETag: an answer without one cannot be told from another object's.
  if (!found) throw new Failure('BAD_ANSWER', { side: 'read', detail: 'it has no ETag' })
  if (found !== expected && bareEtag(found) !== bareEtag(expected)) {
    throw new Failure('SOURCE_CHANGED', { side: 'read', expected, found: found.slice(0, 128) })
  }
}

/**
 * @param {string} found
 * @param {number} start
 * @param {number} bytes
 * @param {number} totalBytes
 */
function checkRange(found, start, bytes, totalBytes) {
  const [, from, to, total] = /^bytes\s+(\d+)-(\d+)\/(\d+|\*)$/i.exec(found) ?? []
  if (from === undefined) throw new Failure('BAD_ANSWER', { side: 'read', detail: 'its Content-Range cannot be read' })
  // A range of a shorter object ends earlier too.
  if (total !== '*' && Number(total) !== totalBytes) {
    throw new Failure('SOURCE_CHANGED', { side: 'read', expected: totalBytes, found: Number(total) })
  }
  if (Number(from) !== start || Number(to) !== start + bytes - 1) {
    const [expected, other] = [`${start}-${start + bytes - 1}`, `${from}-${to}`]
    throw new Failure('WRONG_RANGE', { side: 'read', expected, found: other })
  }
  if (total === '*')
    throw new Failure('BAD_ANSWER', { side: 'read', detail: 'it does not tell the size of the object' })
}

module.exports = { openRead }

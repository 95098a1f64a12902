'use strict'

/**
 * The two requests of a task. The answer to the read is believed only if its status, range, ETag and size are those of the task;
 * the write opens its connection, sends its head, and reads its answer, or something stands in for it where there is none.
 */

const { isDeepStrictEqual } = require('node:util')
const { bareEtag, describing, headerIn, unlessLong } = require('./answers')
const { Exchange, readBody, refusal } = require('./exchange')
const { Failure } = require('./failure')

/** @typedef {import('./transport').Answer} Answer */
/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */
/** @typedef {import('./task').Work} Work */

/** A shorter body is read to its end, so that the connection can be used again. */
const SMALL_BYTES = 65_536

/**
 * Sends the read and checks the head of its answer.
 * @param {Work} work
 * @param {Attempt} attempt
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
    attempt.reads++
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
 * @param {InstanceType<typeof Exchange>} exchange
 * @param {Attempt} attempt
 * @throws {Failure} HEADERS_DIFFER
 */
async function checkDescription({ headers, body }, { bytes, expect, read }, exchange, attempt) {
  const found = describing(headers, read.rule.describes)
  if (isDeepStrictEqual({ ...expect.headers }, found)) return
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
 * @param {import('../../lib/types').AnswerRule['etag']} rule
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
    const expected = `${start}-${start + bytes - 1}`
    throw new Failure('WRONG_RANGE', { side: 'read', expected, found: `${from}-${to}` })
  }
  if (total === '*')
    throw new Failure('BAD_ANSWER', { side: 'read', detail: 'it does not tell the size of the object' })
}

/** How long to wait for a 100 before the body is sent anyway (RFC 9110 section 10.1.1). */
const CONTINUE_MS = 1_000

/** A store may assemble a large part after its last byte: its answer may take this many times the ordinary silence. */
const ANSWER_STALLS = 4

/**
 * Takes the bytes: a request, or what stands in for one. `listen` hears a store that answers before it has the whole body.
 * @typedef {Pick<import('./transport').Call, 'write' | 'end'> & Pick<InstanceType<typeof Exchange>, 'listen'>} Sink
 *
 * The result of a write; headers: of its answer, if there was one.
 * @typedef {{ etag: string, headers?: Answer['headers'] }} Written
 *
 * A write in progress. `answer` waits for the answer.
 * @typedef {{ sink: Sink, answered: () => boolean, answer: () => Promise<Written> }} Write
 */

/**
 * Opens the write's connection. If its head asks for a 100, sends the head and waits for the 100 for a while.
 * @param {import('./task').WireRequest} request
 * @param {Attempt} attempt
 * @param {import('./net').Reach} [reach] default: that of the attempt
 * @returns {Promise<Write>}
 * @throws {Failure}
 */
async function openWrite(request, attempt, reach) {
  attempt.rest()
  const exchange = new Exchange('write', request, attempt, reach)
  const { call } = exchange
  const opened = exchange.opened()
  if (opened) await opened
  call.answerFirst?.()
  attempt.watch('write', attempt.stallMs)
  // One without a body has nothing to hold back: its answer would come before its end.
  const { expect, 'content-length': length } = request.headers
  if (expect?.toLowerCase() === '100-continue' && length !== '0') await goAhead(exchange, attempt)
  let complete = false
  /** @returns {Promise<Answer>} */
  const nextAnswer = () => attempt.until(answer => exchange.listen({ answer }))
  return {
    sink: {
      write(piece, slab) {
        // The head goes with the first bytes.
        attempt.writes = 1
        return call.write(piece, slab)
      },
      end() {
        attempt.writes = 1
        complete = exchange.answered === undefined
        call.end()
      },
      listen: listener => exchange.listen(listener),
    },
    answered: () => exchange.answered !== undefined,
    async answer() {
      attempt.watch('write', attempt.stallMs * ANSWER_STALLS)
      const answer = exchange.answered ?? (await nextAnswer())
      const body = await readBody(answer.body, attempt)
      exchange.close()
      return { etag: acceptedEtag(answer, body, complete, request.rule), headers: answer.headers }
    },
  }
}

/**
 * A file may take its time from the answer to the read.
 * @param {import('./task').WireRequest} request
 * @param {Answer} source
 * @returns {import('./task').WireRequest}
 */
function withSource(request, { headers }) {
  return request.local ? { ...request, local: { ...request.local, source: headers } } : request
}

/**
 * Sends the head, and waits for a 100, for another answer, or until the wait is over.
 * @param {InstanceType<typeof Exchange>} exchange
 * @param {Attempt} attempt
 * @returns {Promise<void>}
 */
async function goAhead(exchange, attempt) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    await attempt.until((/** @type {(value: void) => void} */ done) => {
      timer = setTimeout(done, CONTINUE_MS)
      exchange.listen({ goOn: done, answer: () => done() })
      attempt.writes = 1
      exchange.call.flush()
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @param {Answer} answer
 * @param {string} body
 * @param {boolean} complete whether all of the body was sent before the answer
 * @param {import('../../lib/types').AnswerRule} rule
 * @returns {string} the ETag, as it stands; empty where the store gives none
 * @throws {Failure}
 */
function acceptedEtag(answer, body, complete, rule) {
  const { status, headers } = answer
  const side = 'write'
  if (status < 200 || status > 299) throw refusal(side, answer, body, rule)
  if (!complete) throw new Failure('BAD_ANSWER', { side, status, detail: 'it came before all of the part was sent' })
  if (!rule.statuses.includes(status)) {
    throw new Failure('BAD_ANSWER', { side, status, detail: `its status is not ${rule.statuses.join(' or ')}` })
  }
  const etag = rule.etag && headerIn(headers, rule.etag.header)
  if (etag && bareEtag(etag)) return etag
  if (rule.etag?.required) throw new Failure('BAD_ANSWER', { side, status, detail: 'it has no ETag' })
  return ''
}

/**
 * The write of a task that has none: takes everything at once, and answers with the ETag of what was read.
 * @param {Answer} source
 * @param {import('../../lib/types').AnswerRule} rule of the read
 * @returns {Write}
 */
function writeNowhere({ headers }, rule) {
  const sink = { write: () => true, end() {}, listen() {} }
  const etag = (rule.etag && headerIn(headers, rule.etag.header)) ?? ''
  return { sink, answered: () => false, answer: async () => ({ etag }) }
}

module.exports = { openRead, openWrite, withSource, writeNowhere }

'use strict'

const { EventEmitter } = require('node:events')
const { readBody, refusal } = require('./answer')
const { until } = require('./course')
const { bareEtag } = require('./etag')
const { openExchange } = require('./exchange')
const { Failure } = require('./failure')
const { answerBeforeError } = require('./grace')
const { headerOf } = require('./task')

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('./course').Course} Course */

/** How long a 100 is waited for; after that the body is sent all the same (RFC 9110 section 10.1.1). */
const CONTINUE_MS = 1_000

/** A store may assemble a large part after its last byte: its answer may take this many times the ordinary silence. */
const ANSWER_STALLS = 4

/**
 * What bytes are given to: a request, or what stands in for one.
 * @typedef {Pick<import('node:http').ClientRequest, 'write' | 'end' | 'on' | 'once' | 'off'>} Sink
 *
 * A write under way. `answer` waits for the answer and gives the ETag; a store that answers before it has all of the
 * body makes `sink` emit `response` early.
 * @typedef {{
 *   sink: Sink,
 *   answered: () => boolean,
 *   answer: () => Promise<string>,
 * }} Write
 */

/**
 * Opens the write's connection; where its head asks for a 100, sends the head and waits for that a while.
 * @param {import('./task').WireRequest} request
 * @param {Course} course
 * @returns {Promise<Write>}
 * @throws {Failure}
 */
async function openWrite(request, course) {
  course.rest()
  const exchange = openExchange('write', request, course)
  const sink = exchange.req
  answerBeforeError(sink, course.signal)
  let complete = false
  sink.once('response', () => {
    complete = sink.writableEnded
  })
  await exchange.opened
  course.watch('write', course.stallMs)
  if (headerOf(request, 'expect')?.toLowerCase() === '100-continue') await goAhead(sink, course)
  return {
    sink,
    answered: () => exchange.answer() !== undefined,
    async answer() {
      course.watch('write', course.stallMs * ANSWER_STALLS)
      const response = exchange.answer() ?? (await nextAnswer(sink, course))
      const body = await readBody(response, course.signal)
      exchange.close()
      return acceptedEtag(response, body, complete)
    },
  }
}

/**
 * Sends the head, and waits for a 100 or for whatever else ends the wait.
 * @param {import('node:http').ClientRequest} sink
 * @param {Course} course
 * @returns {Promise<void>}
 */
async function goAhead(sink, course) {
  sink.flushHeaders()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    await until(course.signal, (/** @type {(value: void) => void} */ done) => {
      timer = setTimeout(done, CONTINUE_MS)
      sink.once('continue', done).once('response', () => done())
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @param {import('node:http').ClientRequest} sink
 * @param {Course} course
 * @returns {Promise<IncomingMessage>}
 */
function nextAnswer(sink, course) {
  return until(course.signal, done => {
    sink.once('response', done)
  })
}

/**
 * @param {IncomingMessage} response
 * @param {string} body
 * @param {boolean} complete whether all of the body was sent before the answer
 * @returns {string} the ETag, as it stands
 * @throws {Failure}
 */
function acceptedEtag(response, body, complete) {
  const status = Number(response.statusCode)
  const side = 'write'
  if (status < 200 || status > 299) throw refusal(side, response, body)
  if (!complete) throw new Failure('BAD_ANSWER', { side, status, detail: 'it came before all of the part was sent' })
  if (status !== 200) throw new Failure('BAD_ANSWER', { side, status, detail: 'its status is not 200' })
  const { etag } = response.headers
  if (!etag || !bareEtag(etag)) throw new Failure('BAD_ANSWER', { side, status, detail: 'it has no ETag' })
  return etag
}

/**
 * The write of a task that has none: takes everything at once, and answers with the ETag of what was read.
 * @param {IncomingMessage} source
 * @returns {Write}
 */
function writeNowhere({ headers }) {
  const sink = /** @type {Sink} */ (/** @type {unknown} */ (new EventEmitter()))
  Object.assign(sink, { write: () => true, end: () => sink })
  return { sink, answered: () => false, answer: async () => headers.etag ?? '' }
}

module.exports = { openWrite, writeNowhere }

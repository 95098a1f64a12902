'use strict'

/**
 * The write of a task: opens its connection, sends its head, and reads its answer; and what stands in for a write where
 * there is none.
 */

const { bareEtag, headerIn, readBody, refusal } = require('../answers')
const { Exchange } = require('./exchange')
const { Failure } = require('../failure')
const { headerOf } = require('../task')

/** @typedef {import('../transport').Answer} Answer */
/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */

/** How long to wait for a 100 before the body is sent anyway (RFC 9110 section 10.1.1). */
const CONTINUE_MS = 1_000

/** A store may assemble a large part after its last byte: its answer may take this many times the ordinary silence. */
const ANSWER_STALLS = 4

/**
 * Takes the bytes: a request, or what stands in for one. `listen` hears a store that answers before it has the whole body.
 * @typedef {Pick<import('../transport').Call, 'write' | 'end'> & Pick<InstanceType<typeof Exchange>, 'listen'>} Sink
 *
 * The result of a write; headers: of its answer, if there was one.
 * @typedef {{ etag: string, headers?: Answer['headers'] }} Written
 *
 * A write in progress. `answer` waits for the answer.
 * @typedef {{ sink: Sink, answered: () => boolean, answer: () => Promise<Written> }} Write
 */

/**
 * Opens the write's connection. If its head asks for a 100, sends the head and waits for the 100 for a while.
 * @param {import('../task').WireRequest} request
 * @param {Attempt} attempt
 * @param {import('../net/routes').Reach} [reach] default: that of the attempt
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
  if (asksFirst(request)) await goAhead(exchange, attempt)
  let complete = false
  return {
    sink: {
      write: (piece, slab) => call.write(piece, slab),
      end() {
        complete = exchange.answered === undefined
        call.end()
      },
      listen: listener => exchange.listen(listener),
    },
    answered: () => exchange.answered !== undefined,
    async answer() {
      attempt.watch('write', attempt.stallMs * ANSWER_STALLS)
      const answer = exchange.answered ?? (await nextAnswer(exchange, attempt))
      const body = await readBody(answer.body, attempt)
      exchange.close()
      return { etag: acceptedEtag(answer, body, complete, request.rule), headers: answer.headers }
    },
  }
}

/**
 * A file may take its time from the answer to the read.
 * @param {import('../task').WireRequest} request
 * @param {Answer} source
 * @returns {import('../task').WireRequest}
 */
function withSource(request, { headers }) {
  return request.local ? { ...request, local: { ...request.local, source: headers } } : request
}

/**
 * Whether the write is to wait for a 100. One without a body has nothing to hold back: its answer would come before its end.
 * @param {import('../task').WireRequest} request
 */
function asksFirst(request) {
  return headerOf(request, 'expect')?.toLowerCase() === '100-continue' && headerOf(request, 'content-length') !== '0'
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
      exchange.call.flush()
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @param {InstanceType<typeof Exchange>} exchange
 * @param {Attempt} attempt
 * @returns {Promise<Answer>}
 */
function nextAnswer(exchange, attempt) {
  return attempt.until(done => exchange.listen({ answer: done }))
}

/**
 * @param {Answer} answer
 * @param {string} body
 * @param {boolean} complete whether all of the body was sent before the answer
 * @param {import('../../../lib/types').AnswerRule} rule
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
 * @param {import('../../../lib/types').AnswerRule} rule of the read
 * @returns {Write}
 */
function writeNowhere({ headers }, rule) {
  const sink = { write: () => true, end() {}, listen() {} }
  const etag = (rule.etag && headerIn(headers, rule.etag.header)) ?? ''
  return { sink, answered: () => false, answer: async () => ({ etag }) }
}

module.exports = { openWrite, withSource, writeNowhere }

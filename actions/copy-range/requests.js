'use strict'

/**
 * The two requests of a task. The answer to the read is believed only if its status, range, ETag and size are those of the task;
 * the write opens its connection, sends its head, and reads its answer, or something stands in for it where there is none. Below
 * them one exchange: it finds the route, opens the connection, and reports what goes wrong with it.
 */

const { isDeepStrictEqual } = require('node:util')
const { bareEtag, checkHead, describing, errorCodeIn, errorMessageIn, headerIn, unlessLong } = require('./answers')
const { Failure } = require('./failure')
const { REFUSED, isCertificateRefusal } = require('./net')
const { Misfit, SocketCall, routeTo } = require('./transport')

/** @typedef {import('./transport').Answer} Answer */
/** @typedef {import('./failure').Side} Side */
/** @typedef {import('./transport').Call} Call */
/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */
/** @typedef {import('./task').Work} Work */

/** A shorter body is read to its end, so that the connection can be used again. */
const SMALL_BYTES = 65_536

/**
 * Sends the read and checks the head of its answer.
 * @param {Work} work
 * @param {Attempt} attempt
 * @returns {Promise<{ source: Answer, exchange: Exchange }>} the answer, of whose body nothing was given on yet
 * @throws {Failure}
 */
async function openRead(work, attempt) {
  const exchange = await openExchange('read', work.read, attempt)
  const source = await exchange.nextAnswer()
  attempt.source = source.headers
  if (!work.read.rule.statuses.includes(source.status)) {
    const body = await readBody(source.body, attempt)
    exchange.close()
    throw refusal('read', source, body, work.read)
  }
  checkHead(source, work)
  if (work.expect.headers) await checkDescription(source, work, exchange, attempt)
  return { source, exchange }
}

/**
 * Checks that the object is described as the task expects; if it is not, the read is over.
 * @param {Answer} source
 * @param {Work} work
 * @param {Exchange} exchange
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

/** A store may assemble a large part after its last byte: its answer may take this many times the ordinary silence. */
const ANSWER_STALLS = 4

/**
 * Takes the bytes: a request, or what stands in for one. `listen` hears a store that answers before it has the whole body, as one
 * that has `answered` did already.
 * @typedef {Pick<Exchange, 'write' | 'end' | 'listen'> & { answered?: Answer }} Sink
 *
 * The result of a write; headers: of its answer, if there was one.
 * @typedef {{ etag: string, headers?: Answer['headers'] }} Written
 *
 * A write in progress. `written` waits for the answer.
 * @typedef {Sink & { written: () => Promise<Written> }} Write
 */

/**
 * The write of a task that has none: takes everything at once, and answers with the ETag of what was read.
 * @param {Answer} source
 * @param {import('../../lib/types').AnswerRule} rule of the read
 * @returns {Write}
 */
function writeNowhere({ headers }, rule) {
  const etag = (rule.etag && headerIn(headers, rule.etag.header)) ?? ''
  return { write: () => true, end() {}, listen() {}, written: async () => ({ etag }) }
}

/** How long a connection may take to open: name, TCP, proxy and TLS together. */
const OPEN_MS = 10_000

/**
 * Opens the connection for a request, and waits for that side from then on.
 * @param {Side} side
 * @param {import('./transport').WireRequest} request
 * @param {Attempt} attempt
 * @param {import('./net').Reach} [reach] default: that of the attempt
 * @throws {Failure}
 */
async function openExchange(side, request, attempt, reach) {
  attempt.rest()
  const exchange = new Exchange(side, request, attempt, reach)
  // A kept connection is.
  if (!exchange.isOpen) {
    await attempt.until((/** @type {(value: void) => void} */ done) => {
      exchange.whenOpen = done
    })
  }
  if (side === 'write') {
    exchange.call.answerFirst = true
    attempt.writer = exchange.call
  }
  attempt.watch(side, attempt.stallMs)
  return exchange
}

/** One request and its answer; nothing is sent, and nothing may be written, before it is open. */
class Exchange {
  /**
   * @param {Side} side
   * @param {import('./transport').WireRequest} request
   * @param {Attempt} attempt
   * @param {import('./net').Reach} [reach] default: that of the attempt
   * @throws {Failure} BAD_TASK for what HTTP cannot carry, ADDRESS_REFUSED, or what has ended the attempt already
   */
  constructor(side, request, attempt, reach = attempt.reach) {
    // The other side may have failed a moment ago, while no step was waiting for it.
    if (attempt.failure) throw attempt.failure
    this.side = side
    this.request = request
    this.attempt = attempt
    /** @type {Answer | undefined} */
    this.answered = undefined
    /** Whether all of the request was sent before the answer came. */
    this.complete = false
    this.isOpen = false
    this.closed = false
    /** @type {{ answer?: (answer: Answer) => void, drain?: () => void }} */
    this.listening = {}
    /** @type {(() => void) | undefined} */
    this.whenOpen = undefined
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    const { local } = request
    const route = local ? undefined : routeTo(request, side, reach)
    try {
      /** @type {Call} */
      this.call = local
        ? local.transport.begin({ ...request, local: { ...local, source: attempt.source } }, this)
        : new SocketCall(request, { route: /** @type {import('./net').Route} */ (route), fresh: attempt.fresh }, this)
    } catch (error) {
      const { code = 'unknown' } = /** @type {NodeJS.ErrnoException} */ (error)
      const what = local ? `the ${side} of this machine cannot be begun` : 'HTTP cannot carry it'
      throw new Failure('BAD_TASK', { side, detail: `${what} (${code})` })
    }
    if (this.call.reused) this.isOpen = true
    if (!this.isOpen) {
      const detail = `not within ${OPEN_MS / 1000} s`
      this.timer = setTimeout(() => attempt.fail(new Failure('UNREACHABLE', { side, detail })), OPEN_MS)
    }
    attempt.endings.add(this)
  }

  /** For an exchange that has no answer yet; a read, which has no body, is sent now. @returns {Promise<Answer>} */
  nextAnswer() {
    return this.attempt.until(answer => {
      this.listening = { answer }
      if (this.side === 'read') this.end()
    })
  }

  /** @param {Buffer} piece @param {import('./slab').Slab} [slab] @returns {boolean} false: no more until `drain` */
  write(piece, slab) {
    // The head goes with the first bytes.
    this.attempt.writes = 1
    return this.call.write(piece, slab)
  }

  /** Ends the request. */
  end() {
    if (this.side === 'read') this.attempt.reads++
    else this.attempt.writes = 1
    this.complete = this.answered === undefined
    this.call.end()
  }

  /**
   * Waits for the answer to a write.
   * @returns {Promise<Written>} etag: as it stands; empty where the store gives none
   * @throws {Failure}
   */
  async written() {
    const { attempt, request, side } = this
    const { rule } = request
    attempt.watch(side, attempt.stallMs * ANSWER_STALLS)
    const answer = this.answered ?? (await this.nextAnswer())
    const body = await readBody(answer.body, attempt)
    this.close()
    const { status, headers } = answer
    if (status < 200 || status > 299) throw refusal(side, answer, body, request)
    if (!this.complete)
      throw new Failure('BAD_ANSWER', { side, status, detail: 'it came before all of the part was sent' })
    if (!rule.statuses.includes(status)) {
      throw new Failure('BAD_ANSWER', { side, status, detail: `its status is not ${rule.statuses.join(' or ')}` })
    }
    const etag = rule.etag && headerIn(headers, rule.etag.header)
    if (etag && bareEtag(etag)) return { etag, headers }
    if (rule.etag?.required) throw new Failure('BAD_ANSWER', { side, status, detail: 'it has no ETag' })
    return { etag: '', headers }
  }

  /** There is one listener: the latest. @param {Exchange['listening']} listener */
  listen(listener) {
    this.listening = listener
  }

  /** The connection is destroyed unless the answer has ended, and what happens to it afterwards is ignored. */
  close() {
    if (this.closed) return
    this.closed = true
    clearTimeout(this.timer)
    this.attempt.endings.delete(this)
    this.call.destroy()
  }

  // What the transport calls.

  open() {
    this.isOpen = true
    clearTimeout(this.timer)
    this.whenOpen?.()
  }

  /** @param {Answer} found */
  answer(found) {
    this.answered = found
    this.listening.answer?.(found)
  }

  drain() {
    this.listening.drain?.()
  }

  /** @param {NodeJS.ErrnoException} [error] */
  lost(error) {
    // Once a write is answered, its answer counts, whatever becomes of the connection.
    if (this.closed || (this.answered && this.side === 'write')) return
    this.attempt.fail(lost(this, error))
  }
}

/**
 * The failure of a lost connection.
 * @param {Exchange} exchange
 * @param {NodeJS.ErrnoException} [error]
 */
function lost({ side, call, isOpen, complete, answered }, error) {
  // A transport of the caller knows better what became of its file.
  if (error instanceof Failure) return error
  const detail = error?.code
  if (error && detail === REFUSED) return new Failure('ADDRESS_REFUSED', { side, reason: error.message })
  if (isCertificateRefusal(detail)) return new Failure('CERTIFICATE_REFUSED', { side, reason: detail })
  // This machine has no file descriptors left, whichever store it was.
  const shortage = detail === 'EMFILE' || detail === 'ENFILE' ? detail : undefined
  if (!isOpen) return new Failure('UNREACHABLE', { side, detail, shortage })
  if (error instanceof Misfit) return new Failure('BAD_ANSWER', { side, detail: `it is no HTTP (${detail})` })
  if (error && detail === undefined) return Failure.from(error)
  const failure = new Failure('CONNECTION_CUT', { side, detail })
  // A write that was sent completely may have been carried out.
  failure.stale = call.reused === true && !answered && (side === 'read' || !complete)
  return failure
}

/** How much of an error's body is read. */
const MAX_BODY = 65_536

/** How long to wait for an error's body; its status is known already. */
const BODY_MS = 5_000

/**
 * Reads the body of an answer that is not data: at most 64 KiB, or what has arrived when it ends, breaks or takes too long.
 * @param {Answer['body']} body
 * @param {Attempt} attempt its end ends the wait
 * @returns {Promise<string>}
 */
function readBody(body, attempt) {
  return new Promise(resolve => {
    /** @type {Buffer[]} */
    const pieces = []
    let length = 0
    let finished = false
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    /** Where the body is waited for. @type {{ close: () => void } | undefined} */
    let waits
    const finish = () => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      if (waits) attempt.endings.delete(waits)
      resolve(pieces.length === 0 ? '' : Buffer.concat(pieces).toString('utf8', 0, MAX_BODY))
    }
    /** @param {Buffer} piece */
    const data = piece => {
      if (finished) return
      // The piece's memory is reused, so copy it.
      pieces.push(Buffer.from(piece))
      length += piece.length
      if (length >= MAX_BODY) finish()
    }
    // An empty one ends at once.
    body.start({ data, end: finish })
    if (finished) return
    timer = setTimeout(finish, BODY_MS)
    waits = { close: finish }
    attempt.endings.add(waits)
    if (attempt.failure) finish()
  })
}

/**
 * The failure for an answer whose status is not a success.
 * @param {Side} side
 * @param {Answer} answer
 * @param {string} body
 * @param {import('./transport').WireRequest} request
 */
function refusal(side, { status, headers }, body, request) {
  const { changed = [], errorCode, errorMessage } = request.rule
  const facts = {
    side,
    status,
    storeCode: errorCodeIn({ headers, body }, errorCode),
    storeMessage: errorMessageIn(body, errorMessage, request),
    retryAfterMs: retryAfter(headerIn(headers, 'retry-after')),
    dateMs: dateOf(headerIn(headers, 'date')),
  }
  const redirected = status >= 300 && status < 400
  return new Failure(redirected ? 'REDIRECTED' : changed.includes(status) ? 'SOURCE_CHANGED' : 'HTTP_STATUS', facts)
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date.
 * @param {string | undefined} value
 * @returns {number | undefined} milliseconds from now
 */
function retryAfter(value) {
  if (/^\s*\d{1,9}\s*$/.test(value ?? '')) return Number(value) * 1000
  const at = dateOf(value)
  return at === undefined ? undefined : Math.max(0, at - Date.now())
}

/**
 * RFC 9110 section 6.6.1.
 * @param {string | undefined} value
 * @returns {number | undefined} milliseconds since the epoch
 */
function dateOf(value) {
  const at = Date.parse(value ?? '')
  return Number.isNaN(at) ? undefined : at
}

module.exports = { openExchange, openRead, refusal, writeNowhere }

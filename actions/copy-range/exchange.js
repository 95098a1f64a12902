'use strict'

/** One HTTP request and its answer: finds the route, opens the connection, and reports what goes wrong with it. */

const { errorCodeIn, headerIn } = require('./answers')
const { Failure } = require('./failure')
const { REFUSED, isCertificateRefusal, routeTo } = require('./net')
const { Misfit, SocketCall } = require('./transport')

/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */
/** @typedef {import('./failure').Side} Side */
/** @typedef {import('./transport').Answer} Answer */
/** @typedef {import('./transport').Call} Call */

/** How long a connection may take to open: name, TCP, proxy and TLS together. */
const OPEN_MS = 10_000

/** @typedef {{ answer?: (answer: Answer) => void, goOn?: () => void, drain?: () => void }} Listener */

/** One request and its answer; nothing is sent, and nothing may be written, before `opened`. */
class Exchange {
  /**
   * @param {Side} side
   * @param {import('./task').WireRequest} request
   * @param {Attempt} attempt
   * @param {import('./net').Reach} [reach] default: that of the attempt
   * @throws {Failure} BAD_TASK for what HTTP cannot carry, ADDRESS_REFUSED, or what has ended the attempt already
   */
  constructor(side, request, attempt, reach = attempt.reach) {
    // The other side may have failed a moment ago, while no step was waiting for it.
    if (attempt.failure) throw attempt.failure
    this.side = side
    this.attempt = attempt
    /** @type {Answer | undefined} */
    this.answered = undefined
    this.isOpen = false
    this.closed = false
    /** @type {Listener} */
    this.listening = {}
    this.whenOpen = () => {}
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    this.onEnd = () => this.close()
    this.call = begin(side, request, { fresh: attempt.fresh, reach }, this)
    if (!this.isOpen) {
      const detail = `not within ${OPEN_MS / 1000} s`
      this.timer = setTimeout(() => attempt.fail(new Failure('UNREACHABLE', { side, detail })), OPEN_MS)
    }
    attempt.onEnd(this.onEnd)
  }

  /** @returns {Promise<void> | undefined} undefined: it is open already */
  opened() {
    if (this.isOpen) return undefined
    return this.attempt.until((/** @type {(value: void) => void} */ done) => {
      this.whenOpen = done
    })
  }

  /** There is one listener: the latest. @param {Listener} listener */
  listen(listener) {
    this.listening = listener
  }

  /** The connection is destroyed unless the answer has ended, and what happens to it afterwards is ignored. */
  close() {
    if (this.closed) return
    this.closed = true
    clearTimeout(this.timer)
    this.attempt.offEnd(this.onEnd)
    this.call.destroy()
  }

  // What the transport calls.

  open() {
    this.isOpen = true
    clearTimeout(this.timer)
    this.whenOpen()
  }

  /** @param {Answer} found */
  answer(found) {
    this.answered = found
    this.listening.answer?.(found)
  }

  goOn() {
    this.listening.goOn?.()
  }

  drain() {
    this.listening.drain?.()
  }

  /** @param {NodeJS.ErrnoException} [error] */
  lost(error) {
    const answered = this.answered !== undefined
    // Once a write is answered, its answer counts, whatever becomes of the connection.
    if (this.closed || (answered && this.side === 'write')) return
    this.attempt.fail(lost(this.side, this.call, { error, open: this.isOpen, answered }))
  }
}

/**
 * @param {Side} side
 * @param {import('./task').WireRequest} request
 * @param {Pick<Attempt, 'fresh' | 'reach'>} attempt
 * @param {import('./transport').Handlers} on
 */
function begin(side, request, { fresh, reach }, on) {
  const { local } = request
  const route = local ? undefined : routeTo(request, side, reach)
  try {
    if (local) return local.transport.begin({ ...request, local }, on)
    return new SocketCall(request, { route: /** @type {import('./net').Route} */ (route), fresh }, on)
  } catch (error) {
    const { code = 'unknown' } = /** @type {NodeJS.ErrnoException} */ (error)
    const what = local ? `the ${side} of this machine cannot be begun` : 'HTTP cannot carry it'
    throw new Failure('BAD_TASK', { side, detail: `${what} (${code})` })
  }
}

/**
 * The failure of a lost connection.
 * @param {Side} side
 * @param {Call} call
 * @param {{ error?: NodeJS.ErrnoException, open: boolean, answered: boolean }} state
 */
function lost(side, call, { error, open, answered }) {
  // A transport of the caller knows better what became of its file.
  if (error instanceof Failure) return error
  const detail = error?.code
  if (error && detail === REFUSED) return new Failure('ADDRESS_REFUSED', { side, reason: error.message })
  if (isCertificateRefusal(detail)) return new Failure('CERTIFICATE_REFUSED', { side, reason: detail })
  // This machine has no file descriptors left, whichever store it was.
  const shortage = detail === 'EMFILE' || detail === 'ENFILE' ? detail : undefined
  if (!open) return new Failure('UNREACHABLE', { side, detail, shortage })
  if (error instanceof Misfit) return new Failure('BAD_ANSWER', { side, detail: `it is no HTTP (${detail})` })
  if (error && detail === undefined) return Failure.from(error)
  const failure = new Failure('CONNECTION_CUT', { side, detail })
  // A write that was sent completely may have been carried out.
  failure.stale = call.reused && !answered && (side === 'read' || !call.ended())
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
    const finish = () => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      attempt.offEnd(finish)
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
    attempt.onEnd(finish)
    if (attempt.failure) finish()
  })
}

/**
 * The failure for an answer whose status is not a success.
 * @param {Side} side
 * @param {Answer} answer
 * @param {string} body
 * @param {import('../../lib/types').AnswerRule} rule
 */
function refusal(side, { status, headers }, body, { changed = [], errorCode }) {
  const facts = {
    side,
    status,
    storeCode: errorCodeIn({ headers, body }, errorCode),
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

module.exports = { Exchange, readBody, refusal }

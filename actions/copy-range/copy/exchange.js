'use strict'

/** One HTTP request and its answer: finds the route, opens the connection, and reports what goes wrong with it. */

const { routeTo, REFUSED, isCertificateRefusal } = require('../net')
const { until } = require('./attempt')
const { Failure } = require('../failure')
const { begin: beginRequest, Misfit } = require('../transport')

/** @typedef {import('./attempt').Attempt} Attempt */
/** @typedef {import('../failure').Side} Side */
/** @typedef {import('../transport').Answer} Answer */
/** @typedef {import('../transport').Call} Call */

/** How long a connection may take to open: name, TCP, proxy and TLS together. */
const OPEN_MS = 10_000

/**
 * One request and its answer. `close` ends it: the connection is destroyed unless the answer has ended, and what happens to
 * it afterwards is ignored.
 * @typedef {object} Exchange
 * @property {Side} side
 * @property {Call} call nothing may be written before `opened`
 * @property {Promise<void>} opened
 * @property {() => Answer | undefined} answer
 * @property {(listener: { answer?: (answer: Answer) => void, goOn?: () => void, drain?: () => void }) => void} listen there is one listener: the latest
 * @property {() => void} close
 */

/**
 * Makes a request ready and opens its connection; nothing is sent yet.
 * @param {Side} side
 * @param {import('../task').WireRequest} request
 * @param {Attempt} attempt
 * @returns {Exchange}
 * @throws {Failure} BAD_TASK for what HTTP cannot carry, ADDRESS_REFUSED, or what has ended the attempt already
 */
function openExchange(side, request, attempt) {
  // The other side may have failed a moment ago, while no step was waiting for it.
  if (attempt.signal.aborted) throw attempt.signal.reason
  /** @type {Answer | undefined} */
  let answer
  let open = false
  let closed = false
  /** @type {Parameters<Exchange['listen']>[0]} */
  let listening = {}
  let whenOpen = () => {}
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const call = begin(side, request, attempt, {
    open() {
      open = true
      clearTimeout(timer)
      whenOpen()
    },
    answer(found) {
      answer = found
      listening.answer?.(found)
    },
    goOn: () => listening.goOn?.(),
    drain: () => listening.drain?.(),
    lost(error) {
      // Once a write is answered, its answer counts, whatever becomes of the connection.
      if (!closed && !(answer && side === 'write')) {
        attempt.fail(lost(side, call, { error, open, answered: answer !== undefined }))
      }
    },
  })
  if (!open) {
    timer = setTimeout(() => {
      attempt.fail(new Failure('UNREACHABLE', { side, detail: `not within ${OPEN_MS / 1000} s` }))
    }, OPEN_MS)
  }
  const close = () => {
    closed = true
    clearTimeout(timer)
    attempt.signal.removeEventListener('abort', close)
    call.destroy()
  }
  const opened = until(attempt.signal, (/** @type {(value: void) => void} */ done) => {
    if (open) done()
    else whenOpen = done
  })
  // A rejection that nobody awaits is no loss: the attempt has failed already, and `signal` has the reason.
  opened.catch(() => {})
  attempt.signal.addEventListener('abort', close, { once: true })
  return {
    side,
    call,
    opened,
    answer: () => answer,
    listen(listener) {
      listening = listener
    },
    close,
  }
}

/**
 * @param {Side} side
 * @param {import('../task').WireRequest} request
 * @param {Pick<Attempt, 'fresh' | 'reach'>} attempt
 * @param {import('../transport').Handlers} on
 */
function begin(side, request, { fresh, reach }, on) {
  if (request.local) return beginLocal(side, { ...request, local: request.local }, on)
  const route = routeTo(request, side, reach)
  try {
    return beginRequest(request, { route, fresh }, on)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure('BAD_TASK', { side, detail: `HTTP cannot carry it (${code ?? 'unknown'})` })
  }
}

/**
 * @param {Side} side
 * @param {Parameters<import('../transport').LocalTransport['begin']>[0]} request
 * @param {import('../transport').Handlers} on
 */
function beginLocal(side, request, on) {
  try {
    return request.local.transport.begin(request, on)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure('BAD_TASK', {
      side,
      detail: `the ${side} of this machine cannot be begun (${code ?? 'unknown'})`,
    })
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
  if (error instanceof Misfit || detail?.startsWith('HPE_')) {
    return new Failure('BAD_ANSWER', { side, detail: `it is no HTTP (${detail})` })
  }
  if (error && detail === undefined) return Failure.from(error)
  const failure = new Failure('CONNECTION_CUT', { side, detail })
  // A write that was sent completely may have been carried out.
  failure.stale = call.reused && !answered && (side === 'read' || !call.ended())
  return failure
}

module.exports = { openExchange }

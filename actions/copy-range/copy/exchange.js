'use strict'

const { routeTo, REFUSED, isCertificateRefusal } = require('../net')
const { until } = require('./course')
const { Failure } = require('../failure')
const { transportNamed, Misfit } = require('../transport')

/** @typedef {import('./course').Course} Course */
/** @typedef {import('../failure').Side} Side */
/** @typedef {import('../transport').Answer} Answer */
/** @typedef {import('../transport').Call} Call */

/** How long a connection may take to open: name, TCP, proxy and TLS together. */
const OPEN_MS = 10_000

/**
 * One request and its answer. `close` forgets it: its connection is destroyed unless the answer has ended, and nothing
 * that happens to it afterwards counts.
 * @typedef {object} Exchange
 * @property {Side} side
 * @property {Call} call nothing may be written before `opened`
 * @property {Promise<void>} opened
 * @property {() => Answer | undefined} answer
 * @property {(told: { answer?: (answer: Answer) => void, goOn?: () => void, drain?: () => void }) => void} listen one listener, the latest
 * @property {() => void} close
 */

/**
 * Makes a request ready and opens its connection; nothing is sent yet.
 * @param {Side} side
 * @param {import('../task').WireRequest} request
 * @param {Course} course
 * @returns {Exchange}
 * @throws {Failure} BAD_TASK for what HTTP cannot carry, ADDRESS_REFUSED, or what has ended the attempt already
 */
function openExchange(side, request, course) {
  // The other side may have failed a moment ago, with nobody waiting for it.
  if (course.signal.aborted) throw course.signal.reason
  /** @type {Answer | undefined} */
  let answer
  let open = false
  let closed = false
  /** @type {Parameters<Exchange['listen']>[0]} */
  let told = {}
  let whenOpen = () => {}
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const call = begin(side, request, course, {
    open() {
      open = true
      clearTimeout(timer)
      whenOpen()
    },
    answer(found) {
      answer = found
      told.answer?.(found)
    },
    goOn: () => told.goOn?.(),
    drain: () => told.drain?.(),
    lost(error) {
      // A write that was answered cannot be lost any more: its answer is what counts.
      if (!closed && !(answer && side === 'write')) {
        course.fail(lost(side, call, { error, open, answered: answer !== undefined }))
      }
    },
  })
  if (!open) {
    timer = setTimeout(() => {
      course.fail(new Failure('UNREACHABLE', { side, detail: `not within ${OPEN_MS / 1000} s` }))
    }, OPEN_MS)
  }
  const close = () => {
    closed = true
    clearTimeout(timer)
    course.signal.removeEventListener('abort', close)
    call.destroy()
  }
  const opened = until(course.signal, (/** @type {(value: void) => void} */ done) => {
    if (open) done()
    else whenOpen = done
  })
  // Those who wait for it are told; where nobody waits yet the attempt has failed already, and all know.
  opened.catch(() => {})
  course.signal.addEventListener('abort', close, { once: true })
  return {
    side,
    call,
    opened,
    answer: () => answer,
    listen(listener) {
      told = listener
    },
    close,
  }
}

/**
 * @param {Side} side
 * @param {import('../task').WireRequest} request
 * @param {Pick<Course, 'fresh' | 'reach'>} course
 * @param {import('../transport').Told} on
 */
function begin(side, request, { fresh, reach }, on) {
  const route = routeTo(request, side, reach)
  try {
    return transportNamed(reach.transport).begin(request, { route, fresh }, on)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure('BAD_TASK', { side, detail: `HTTP cannot carry it (${code ?? 'unknown'})` })
  }
}

/**
 * Says what became of a connection that was lost.
 * @param {Side} side
 * @param {Call} call
 * @param {{ error?: NodeJS.ErrnoException, open: boolean, answered: boolean }} state
 */
function lost(side, call, { error, open, answered }) {
  const detail = error?.code
  if (error && detail === REFUSED) return new Failure('ADDRESS_REFUSED', { side, reason: error.message })
  if (isCertificateRefusal(detail)) return new Failure('CERTIFICATE_REFUSED', { side, reason: detail })
  // This machine is short of them, whoever was to be spoken to.
  const shortage = detail === 'EMFILE' || detail === 'ENFILE' ? detail : undefined
  if (!open) return new Failure('UNREACHABLE', { side, detail, shortage })
  if (error instanceof Misfit || detail?.startsWith('HPE_')) {
    return new Failure('BAD_ANSWER', { side, detail: `it is no HTTP (${detail})` })
  }
  if (error && detail === undefined) return Failure.from(error)
  const failure = new Failure('CONNECTION_CUT', { side, detail })
  // All of a write sent means that it may have been carried out.
  failure.stale = call.reused && !answered && (side === 'read' || !call.ended())
  return failure
}

module.exports = { openExchange }

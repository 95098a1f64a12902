'use strict'

/** The task of a part: how it is made (two requests, signed anew for each attempt), what its failure means, when a signature is renewed. */

const { setMaxListeners } = require('node:events')
const { untilAborted, waitAtMost } = require('../async')
const { XferError, asXferError, wordsOfRefusal } = require('../errors')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Transfer} Transfer */
/** @typedef {import('../types').Task} Task */

/**
 * @param {object} copy
 * @param {Pick<import('../job/open').Side, 'store' | 'key' | 'versionId'>} copy.source
 * @param {Pick<import('../types').ObjectHead, 'etag' | 'bytes'>} copy.object
 * @param {(part: Part) => Promise<Transfer>} [copy.write] absent: the bytes are only read and counted
 * @param {import('../types').Sums} [copy.known] checksums that the source keeps, for a part that is the whole object
 * @param {import('../types').Sum[]} copy.sums those to compute
 * @param {boolean} [copy.tell] whether the headers of the answers are needed
 * @returns {(part: Part) => Promise<Task>}
 */
function taskMaker({ source, object, write, known, sums, tell = false }) {
  const { key, versionId } = source
  const { etag, bytes: totalBytes } = object
  return async part => {
    const { partNumber, start, bytes } = part
    // An empty object has no valid range: it is read without one.
    const range = bytes === 0 ? undefined : { start, end: start + bytes - 1 }
    const { request: read, totalBytes: told } = await source.store.read({ key, etag, range, versionId })
    const expect = { etag, totalBytes: told ?? totalBytes, ...(known && { sums: known }) }
    const { request, tag } = (await write?.(part)) ?? {}
    const task = { partNumber, bytes, read, ...(request && { write: request, tag }), sums, expect }
    return { ...task, ...(tell && { tell }) }
  }
}

/**
 * Makes the tasks of a copy by the store itself.
 *
 * @param {object} copy
 * @param {import('../types').CopySource} copy.from
 * @param {number} copy.totalBytes of the source
 * @param {string} copy.key
 * @param {string} copy.uploadId
 * @returns {(part: Part) => Promise<Task>}
 */
function copyTaskMaker({ from, totalBytes, key, uploadId }) {
  return async ({ partNumber, start, bytes }) => {
    // Stores do not copy a range of a small object, and an empty object has none.
    const range = bytes < totalBytes && { range: { start, end: start + bytes - 1 } }
    const part = { from, key, uploadId, partNumber, ...range }
    return /** @type {any} */ ({ partNumber, bytes, copy: { part } })
  }
}

/** What the transport of memory answers. @type {import('../types').AnswerRule} */
const READ_MEMORY = { statuses: [200], errorCode: { header: 'x-error' } }

/**
 * The read of a task whose bytes come from the memory of this process.
 *
 * @param {SharedArrayBuffer} held all bytes of the object
 * @returns {Pick<Task, 'read' | 'expect'>} only for an engine of this machine
 */
function readOfMemory(held) {
  const headers = { 'x-start': '0', 'x-total': String(held.byteLength) }
  const read = { method: /** @type {const} */ ('GET'), url: 'memory:bytes', headers, held, accepts: READ_MEMORY }
  return { read, expect: { etag: '', totalBytes: held.byteLength } }
}

/** @typedef {import('../types').TaskError} TaskError */
/** @typedef {import('../types').Store} Store */

/** The action's codes that do not depend on an HTTP status, and ours for each. */
const BY_CODE = /** @type {Record<string, string>} */ ({
  UNREACHABLE: 'CONNECTION_FAILED',
  CONNECTION_CUT: 'CONNECTION_FAILED',
  WRONG_RANGE: 'BAD_ANSWER',
  BODY_LENGTH: 'BAD_ANSWER',
  SUM_MISMATCH: 'READ_CORRUPTED',
  CANCELLED: 'INTERRUPTED',
})
/** Codes of the action that are also codes of our table. */
const SAME = ['STALLED', 'BAD_ANSWER', 'SOURCE_CHANGED', 'HEADERS_DIFFER', 'NOT_STARTED', 'ADDRESS_REFUSED']

/** Codes of a failed write that mean that it has not reached the store. */
const NEVER_WRITTEN = new Set(['BAD_TASK', 'NOT_STARTED', 'UNREACHABLE', 'ADDRESS_REFUSED', 'CERTIFICATE_REFUSED'])

/**
 * @param {Record<'source' | 'destination', { store: Store, key?: string }>} ends
 * @returns {(error: TaskError) => import('../types').XferError}
 */
function explainWith({ source, destination }) {
  return error => {
    if (error.known) return error.known
    const { code, side, status, storeCode, storeMessage = '', message, shortage, sum } = error
    const { retryAfterMs, expected, found, headers, signedAnew, describedAnew } = error
    const { store, key } = side === 'write' ? destination : source
    // The action's message, a sentence, becomes a clause of ours.
    const reason = error.reason ?? message[0].toLowerCase() + message.slice(1).replace(/\.$/, '')
    const said = { retryAfterMs, expected, found, headers, reason, signedAnew, describedAnew }
    if (shortage === undefined && (code === 'HTTP_STATUS' || code === 'REDIRECTED')) {
      // Without the store's words, status and code say all that the action's sentence says.
      const words = wordsOfRefusal(storeMessage) ?? (code === 'REDIRECTED' ? reason : error.reason)
      const of = side === 'write' ? 'write' : 'read'
      const answer = store.explain({ of, status, storeCode, key, ...said, reason: words })
      // The source existed when the copy began: now it has changed.
      if (side !== 'write' && answer.code === 'NO_SUCH_KEY') return new XferError('SOURCE_CHANGED', answer.facts)
      return answer
    }
    const facts = { ...store.facts, status, storeCode, ...said }
    if (shortage !== undefined) return new XferError('TOO_MANY_FILES', { ...facts, reason: shortage })
    // Neither side was silent: the function's own time ran out.
    if (code === 'STALLED' && side === undefined) return new XferError('NOT_STARTED', facts)
    // This machine trusted the certificate in earlier calls; the function, on another machine, does not.
    if (code === 'CERTIFICATE_REFUSED') return new XferError(code, { ...facts, remote: true })
    // An MD5 proves less than a CRC: it may come from an ETag.
    if (code === 'SUM_MISMATCH' && sum === 'md5') return new XferError('MD5_DIFFERS', facts)
    if (SAME.includes(code)) return new XferError(code, facts)
    return new XferError(Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : 'INTERNAL', facts)
  }
}

/** Whether the write of a failed task may have been carried out. @param {TaskError} error */
function mayHaveWritten({ code, side, status = 500 }) {
  if (side === 'read' || NEVER_WRITTEN.has(code)) return false
  return status === 408 || (status >= 500 && status !== 501)
}

/**
 * Renews signatures. The requests of a task are signed some time before a function sends them. Meanwhile credentials may
 * expire, and this machine's clock or the store's may be set. If a store refuses a part for that reason, it is signed again,
 * with new credentials or by the store's clock. This does not count as an attempt.
 */

/** @typedef {import('../types').Outcome} Outcome */

/**
 * Wraps an engine: marks a part that the store refused for an old signature as `signedAnew` if a new signature may help. If
 * the renewal of the credentials fails, that is the error of the part.
 *
 * @param {import('../types').Engine} engine
 * @param {{ source: Store, destination: Store }} stores
 * @returns {import('../types').Engine}
 */
function withRenewal(engine, { source, destination }) {
  /** @param {Task} task @param {import('../types').TaskFailure} outcome @returns {Promise<Outcome>} */
  async function judge(task, outcome) {
    const { error } = outcome
    const request = error.side === 'read' ? task.read : task.write
    // A verification read reads the destination. Each store recognizes the requests that it signed.
    const stores = error.side === 'read' ? [source, destination] : [destination]
    for (const store of request ? stores : []) {
      try {
        const renewed = await signsAnew(store, /** @type {import('../types').DataRequest} */ (request), error)
        if (renewed) return { ...outcome, error: { ...error, signedAnew: renewed } }
      } catch (failure) {
        return { ...outcome, error: { ...error, known: asXferError(failure) } }
      }
    }
    return outcome
  }

  return {
    ...engine,
    async run(tasks, options) {
      const outcomes = await engine.run(tasks, options)
      /** @type {Array<Outcome | Promise<Outcome>>} */
      const judged = []
      let refused = false
      for (const [i, outcome] of outcomes.entries()) {
        const isRefused = 'error' in outcome && outcome.error.code === 'HTTP_STATUS'
        judged.push(isRefused ? judge(tasks[i], outcome) : outcome)
        refused ||= isRefused
      }
      return refused ? await untilAborted(Promise.all(judged), options?.signal) : outcomes
    },
  }
}

/**
 * @param {Store} store
 * @param {import('../types').DataRequest} request
 * @param {import('../types').TaskError} error
 * @returns {Promise<boolean>} whether the same request, signed again, may succeed; rejects if there are no new credentials
 */
async function signsAnew(store, request, { side, status, storeCode, dateMs }) {
  const { code } = store.explain({ of: side === 'write' ? 'write' : 'read', status, storeCode })
  if (code === 'CREDENTIALS_EXPIRED') return (await store.renew?.(request)) ?? false
  // Some stores have no error code for a signature that is too old.
  const denied = status === 403 || status === 401 || status === 400
  if (code !== 'SIGNATURE_TOO_OLD' && !(denied && dateMs !== undefined)) return false
  // An older action does not report the store's time. Any answer to this machine shows it.
  if (dateMs === undefined) await store.ping().catch(() => {})
  return store.signsAnew?.(request, dateMs) ?? false
}

/**
 * Detached invocations: functions that still run although the job no longer waits for them. An abort ends the wait for a
 * function on a platform, not the function. On stores that keep uploads as folders, a late write can recreate an upload that
 * was completed or aborted. So before ending an upload the job waits for its detached invocations.
 *
 * @param {Pick<import('../types').Engine, 'run' | 'can'>} engine
 */
function trackDetached({ run, can }) {
  /** @type {Set<Promise<unknown>>} */
  const left = new Set()
  const over = new AbortController()
  // Every invocation adds a listener.
  setMaxListeners(0, over.signal)

  /** Waits until all of them have ended, but at most for `limitMs`. @param {number} limitMs */
  async function settled(limitMs) {
    await waitAtMost(limitMs, Promise.allSettled([...left]))
  }

  /** @type {import('../types').Engine['run']} */
  async function runApart(tasks, options = {}) {
    const { signal } = options
    if (!signal) return await run(tasks, options)
    const own = new AbortController()
    const end = () => own.abort(over.signal.reason)
    over.signal.addEventListener('abort', end, { once: true })
    if (over.signal.aborted) end()
    const ended = run(tasks, { ...options, signal: own.signal }).finally(() => {
      over.signal.removeEventListener('abort', end)
    })
    try {
      return await untilAborted(ended, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      if (options.isShown?.()) {
        own.abort(signal.reason)
        await ended.catch(() => {})
        throw error
      }
      left.add(ended)
      const forget = () => left.delete(ended)
      ended.then(forget, forget)
      options.onDetached?.(ended)
      throw error
    }
  }

  return {
    /** An engine that can cancel leaves none behind. */
    run: can.cancel ? run : runApart,

    /** How many detached invocations still run. */
    count: () => left.size,

    settled,

    /** As `settled`; then aborts the calls that still wait for an answer. @param {number} limitMs */
    async ended(limitMs) {
      await settled(limitMs)
      over.abort()
    },
  }
}

module.exports = { copyTaskMaker, taskMaker, readOfMemory, explainWith, mayHaveWritten, trackDetached, withRenewal }

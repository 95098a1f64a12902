'use strict'

/**
 * The threads of this machine: some run the action for large tasks, others copy small objects (small-in-threads.js). All jobs of the
 * process share them: what a job starts is there for the next one, and many jobs at once start no more than the one that may have
 * most. Those of a job with a rate are its own.
 */

const { once } = require('node:events')
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { createShared, waitAtMost } = require('../../async')
const { messageOf, EXIT, withRows } = require('../../errors')

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  LOCAL_WORKER_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `A thread of the local engine failed (${f.reason}).`,
    hint: () => 'Repeat the command with --debug; lower --concurrency if memory was short.',
    retryable: true,
    // It may have written by then.
    uncertain: true,
  },
  LOCAL_WORKER_MISSING: {
    exit: EXIT.ENGINE,
    message: f => `The local engine's file ${f.path} is missing.`,
    hint: () =>
      'Leave xfer out of a bundle (esbuild: --external:xfer) and install it beside; without a bundle install it again.',
  },
}

const XferError = withRows(ROWS)

/**
 * The young generation of a thread's heap. A thread that copies parts makes little garbage, but V8 uses all the room it has. With
 * the default of 48 MB each thread would waste several megabytes.
 */
const YOUNG_MB = 2

/** What a thread runs. A bundle has not got it. */
const WORKER = join(__dirname, 'worker.js')

/**
 * @typedef {object} Pending
 * @property {(result: any) => void} resolve
 * @property {(error: import('../../types').XferError) => void} reject
 * @property {import('../../types').RunOptions['onBytes']} [onBytes]
 * @property {OnAsked} [onAsked]
 *
 * What a thread asks about the task of that index, and how it is answered: with any number of messages.
 * @typedef {(index: number, asked: any, answer: (answer: unknown) => void) => void} OnAsked
 *
 * @typedef {{ ca?: string, pace?: { bytesPerSecond: number, memory: SharedArrayBuffer } }} Data that each thread gets
 * @typedef {ReturnType<typeof createThreads>} Threads
 */

/**
 * @param {number} most
 * @param {Data} data
 * @param {number} youngMb
 */
function createThreads(most, data, youngMb) {
  /** @typedef {{ worker: Worker, pending: Map<number, Pending>, answers: unknown[] }} LocalThread answers: that will be sent together */
  /** @type {LocalThread[]} */
  const members = []
  let lastId = 0

  function start() {
    /** @type {Map<number, Pending>} */
    const pending = new Map()
    const worker = new Worker(WORKER, {
      name: 'xfer-copy',
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    })
    /** @type {LocalThread} */
    const member = { worker, pending, answers: [] }
    worker.on('message', ({ id, result, moved, asked }) => {
      if (asked) {
        for (const [of, index, what] of asked) {
          pending.get(of)?.onAsked?.(index, what, answer => sendSoon(member, [of, index, answer]))
        }
        return
      }
      if (moved) {
        for (const [partNumber, bytes] of moved) pending.get(id)?.onBytes?.(partNumber, bytes)
        return
      }
      pending.get(id)?.resolve(result)
      pending.delete(id)
      if (pending.size === 0) worker.unref()
    })
    /** @param {string} reason @param {unknown} [cause] */
    const gone = (reason, cause) => {
      const index = members.indexOf(member)
      if (index >= 0) members.splice(index, 1)
      for (const { reject } of pending.values()) reject(new XferError('LOCAL_WORKER_FAILED', { reason }, { cause }))
      pending.clear()
    }
    worker.on('error', error => gone(messageOf(error), error))
    worker.on('exit', code => gone(`it exited with ${code}`))
    worker.unref()
    members.push(member)
    return member
  }

  /** The least busy thread, or a new one if all are busy and more are allowed. @param {number} allowed */
  function choose(allowed) {
    let least = members[0]
    for (const member of members) if (member.pending.size < least.pending.size) least = member
    return least && (least.pending.size === 0 || members.length >= allowed) ? least : start()
  }

  /** Answers of one turn go in one message. @param {LocalThread} member @param {unknown} answer */
  function sendSoon({ worker, answers }, answer) {
    if (answers.push(answer) === 1) setImmediate(() => worker.postMessage({ answers: answers.splice(0) }))
  }

  return {
    /**
     * How much of its time the least busy thread works since it was asked last.
     *
     * @param {WeakMap<object, import('node:perf_hooks').EventLoopUtilization>} before of who asks; changed
     * @returns {number} 0 to 1; 1 if there is no thread
     */
    busy(before) {
      let least = 1
      for (const { worker } of members) {
        const { eventLoopUtilization } = worker.performance
        const now = eventLoopUtilization()
        least = Math.min(least, eventLoopUtilization(now, before.get(worker)).utilization)
        before.set(worker, now)
      }
      return least
    },

    /** @param {number} wanted threads that will be needed */
    warm(wanted) {
      while (members.length < Math.min(wanted, most)) start()
    },

    /**
     * @param {object} message as in worker.js
     * @param {{ signal: AbortSignal, onBytes?: Pending['onBytes'], onAsked?: OnAsked, allowed?: number }} how signal: of this
     *   invocation alone; allowed: threads, at most
     * @returns {Promise<any>} the result
     * @throws {import('../../types').XferError} LOCAL_WORKER_FAILED
     */
    run(message, { signal, onBytes, onAsked, allowed = most }) {
      const { worker, pending } = choose(Math.min(allowed, most))
      const id = ++lastId
      signal.addEventListener('abort', () => worker.postMessage({ id, cancel: true }), { once: true })
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, onBytes, onAsked })
        worker.ref()
        worker.postMessage({ id, ...message })
      })
    },

    /** What they have begun to clear away, as files that are not complete, they still do. */
    async close() {
      await Promise.all(members.splice(0).map(({ worker }) => end(worker)))
    },
  }
}

/** A thread that is to end is given so long. */
const END_MS = 2_000

/** @param {Worker} worker */
async function end(worker) {
  // It may fail on its way.
  const ended = once(worker, 'exit').catch(() => {})
  worker.ref()
  worker.postMessage({ end: true })
  await waitAtMost(END_MS, ended)
  await worker.terminate()
}

/** @type {ReturnType<typeof createShared<Threads>>} */
const shared = createShared(threads => threads.close())

/**
 * @param {number} most
 * @param {Data} data
 * @param {number} [youngMb] of the heap of each
 * @returns {{ value: Threads, leave: () => Promise<void> }} leave: the last user ends them
 * @throws {import('../../types').XferError} LOCAL_WORKER_MISSING
 */
function takeThreads(most, data, youngMb = YOUNG_MB) {
  if (!existsSync(WORKER)) throw new XferError('LOCAL_WORKER_MISSING', { path: WORKER })
  const threads = () => createThreads(most, data, youngMb)
  if (!data.pace) return shared.take(`${most} ${youngMb} ${data.ca ?? ''}`, threads)
  const own = threads()
  return { value: own, leave: () => own.close() }
}

module.exports = { ROWS, XferError, takeThreads }

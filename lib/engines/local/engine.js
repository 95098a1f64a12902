'use strict'

/** The engine `local`: runs the action of actions/copy-range on threads of this machine. */

const { existsSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { abortReason, messageOf, throwIfAborted, EXIT } = require('../../errors')
const { proxyOfRequest } = require('../../http')
const { UNLIMITED, toOutcomes, toParameters } = require('../common')
const { XferError } = require('./errors')

/** @typedef {import('../../types').Engine} Engine */

/**
 * The young generation of a thread's heap. A thread makes little garbage, but V8 uses all the room it has. With the default of
 * 48 MB each thread would waste several megabytes.
 */
const YOUNG_MB = 2

/** A thread copies a few GB/s on loopback. For a network, more connections help, not more threads. */
const MOST_THREADS = 8
/**
 * Up to so many bytes an invocation runs on the main thread: handing it to another one costs more than copying it, and starting
 * one takes as long as copying a hundred small objects.
 */
const SMALL_BYTES = 4 * 1024 * 1024
/** Invocations per thread at the start; the scheduler finds out how many help. */
const FIRST_A_THREAD = 2
/** Each takes one or two megabytes, and more have never helped. */
const MOST_INVOCATIONS = 64

const MiB = 1024 ** 2

/** What a thread runs. A bundle has not got it. */
const WORKER = join(__dirname, 'worker.js')

/**
 * @typedef {object} Pending
 * @property {(result: any) => void} resolve
 * @property {(error: import('../../types').XferError) => void} reject
 * @property {import('../../types').RunOptions['onBytes']} onBytes
 */

/**
 * @param {{ threads?: number, silenceMs?: number, ca?: string, bytesPerSecond?: number }} [options] threads: default one per core, at most 8; silenceMs: how
 *   long a connection may be silent; ca: certificates to trust in addition to the usual ones, PEM; bytesPerSecond: limit of
 *   all threads together
 * @returns {Engine}
 * @throws {import('../../types').XferError} LOCAL_WORKER_MISSING
 */
function createLocalEngine({
  threads = Math.min(availableParallelism(), MOST_THREADS),
  silenceMs,
  ca,
  bytesPerSecond,
} = {}) {
  if (!existsSync(WORKER)) throw new XferError('LOCAL_WORKER_MISSING', { path: WORKER })
  /** The shared bandwidth limit: each thread checks it before it reads more. */
  const pace = bytesPerSecond ? paceOf(bytesPerSecond) : undefined
  /** @type {Array<{ worker: Worker, pending: Map<number, Pending> }>} */
  const members = []
  let lastId = 0

  function start() {
    /** @type {Map<number, Pending>} */
    const pending = new Map()
    const worker = new Worker(WORKER, {
      name: 'xfer-copy',
      workerData: { ca, pace },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const member = { worker, pending }
    worker.on('message', ({ id, result, moved }) => {
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

  /** The least busy thread, or a new one if all are busy and more are allowed. */
  function choose() {
    const least = members.reduce((a, b) => (b.pending.size < a.pending.size ? b : a), members[0])
    return least && (least.pending.size === 0 || members.length === threads) ? least : start()
  }

  /** The action in this thread. @type {ReturnType<typeof import('./here').runsHere> | undefined} */
  let here
  let closed = false

  /** @param {AbortSignal} [signal] @throws its reason; LOCAL_WORKER_FAILED */
  function checkOpen(signal) {
    if (signal?.aborted) throw abortReason(signal)
    if (closed) throw new XferError('LOCAL_WORKER_FAILED', { reason: 'it was closed' })
  }

  /** @type {Engine['run']} */
  async function runLate(tasks, { signal, parallel } = {}) {
    here ??= require('./here').runsHere({ ca, pace })
    const outcomes = await here.copyLate(tasks, { signal, parallel, stallMs: silenceMs, proxies: proxiesOf(tasks) })
    checkOpen(signal)
    return outcomes
  }

  /** @type {Engine['run']} */
  async function runChecked(tasks, { signal, parallel, onBytes } = {}) {
    const params = toParameters(tasks, { parallel, stallMs: silenceMs })
    const proxies = proxiesOf(tasks)
    const facts = { action: 'copy-range', where: 'this machine' }
    if (runsOnMain(tasks)) {
      here ??= require('./here').runsHere({ ca, pace })
      const result = await here.run(params, { signal, proxies })
      checkOpen(signal)
      return toOutcomes(result, tasks, facts)
    }
    const { worker, pending } = choose()
    const id = ++lastId
    const cancel = () => worker.postMessage({ id, cancel: true })
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const result = await new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, onBytes })
        worker.ref()
        worker.postMessage({ id, params, proxies })
      })
      if (signal?.aborted) throw abortReason(signal)
      return toOutcomes(result, tasks, facts)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    name: 'local',
    where: `${threads} threads of this machine`,
    reach: 'process',
    runsOn: 'machine',
    can: { cancel: true, pace: true, progress: true, once: true, signsLate: SMALL_BYTES },
    partBytes: { usual: 32 * MiB, least: 8 * MiB },
    startWith: threads * FIRST_A_THREAD,

    // Starting a thread takes as long as an answer of a store, so it starts early.
    warm(invocations) {
      while (members.length < Math.min(invocations, threads)) start()
    },

    async limits() {
      return { ...UNLIMITED, concurrent: MOST_INVOCATIONS }
    },

    async run(tasks, options = {}) {
      throwIfAborted(options.signal)
      const late = tasks.filter(task => task.late)
      if (late.length === tasks.length && late.length > 0) return await runLate(tasks, options)
      if (late.length === 0) return await runChecked(tasks, options)
      const rest = tasks.filter(task => !task.late)
      const [copied, read] = await Promise.all([runLate(late, options), runChecked(rest, options)])
      return tasks.map(task => /** @type {import('../../types').Outcome} */ (task.late ? copied.shift() : read.shift()))
    },

    async close() {
      closed = true
      here?.close()
      await Promise.all(members.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

/** The proxies of each task's requests; undefined if none has one. @param {import('../../types').Task[]} tasks */
function proxiesOf(tasks) {
  const proxies = tasks.map(({ read, write }) => ({ read: proxyOfRequest(read), write: proxyOfRequest(write) }))
  return proxies.some(({ read, write }) => read !== '' || write !== '') ? proxies : undefined
}

/** An empty invocation, of `xfer doctor`, is to find out whether threads start. @param {import('../../types').Task[]} tasks */
function runsOnMain(tasks) {
  return tasks.length > 0 && tasks.reduce((sum, { bytes }) => sum + bytes, 0) <= SMALL_BYTES
}

/** What the threads share to hold a rate together. @param {number} bytesPerSecond */
function paceOf(bytesPerSecond) {
  const { PACE_BYTES } = require('../../../actions/copy-range/limits')
  return { bytesPerSecond, memory: new SharedArrayBuffer(PACE_BYTES) }
}

/** The check of `xfer doctor --engine local`: a thread of this machine starts and answers. */

const CHECK_MS = 30_000

/** @returns {import('../contract').EngineChecks} */
function threadChecks() {
  /** @type {ReturnType<typeof createLocalEngine> | undefined} */
  let engine
  return {
    checks: [
      {
        name: 'invocation',
        limitMs: CHECK_MS,
        exit: EXIT.ENGINE,
        async run() {
          engine = createLocalEngine()
          const startedMs = performance.now()
          await engine.run([])
          const elapsedMs = Math.ceil(performance.now() - startedMs)
          return { ok: true, detail: `Copies run on ${engine.where}; one answered in ${elapsedMs} ms.` }
        },
      },
    ],
    found: {
      clocks: [],
      none: { ok: null, detail: 'Skipped: there is no platform.' },
      facts: () => ({}),
      // What this machine reaches, the checks of both sides have shown.
      invoke: async () => undefined,
      close: () => void engine?.close(),
    },
  }
}

module.exports = { createLocalEngine, threadChecks }

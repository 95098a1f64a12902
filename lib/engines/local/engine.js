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
/** The same for a thread that copies a thousand small objects per second, and makes a hundred megabytes of garbage: V8's default. */
const YOUNG_MB_OF_MANY = 48

/** A thread copies a few GB/s on loopback. For a network, more connections help, not more threads. */
const MOST_THREADS = 8
/**
 * Small objects cost the main thread nearly as much as the thread that copies them, so more threads would wait for it. And each
 * compiles the code again, which takes as long as copying a thousand objects.
 */
const MOST_THREADS_OF_SMALL = 2
/** More bytes cost more than the rest of a task. */
const SMALL_BYTES = 128 * 1024
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
 * @param {{ threads?: number, silenceMs?: number, ca?: string, bytesPerSecond?: number, manySmall?: boolean }} [options] threads: default one per core, at most 8; silenceMs: how
 *   long a connection may be silent; ca: certificates to trust in addition to the usual ones, PEM; bytesPerSecond: limit of
 *   all threads together; manySmall: tasks will be of a few kilobytes
 * @returns {Engine}
 * @throws {import('../../types').XferError} LOCAL_WORKER_MISSING
 */
function createLocalEngine({
  threads = Math.min(availableParallelism(), MOST_THREADS),
  silenceMs,
  ca,
  bytesPerSecond,
  manySmall = false,
} = {}) {
  if (!existsSync(WORKER)) throw new XferError('LOCAL_WORKER_MISSING', { path: WORKER })
  /** Threads for small objects, the first ones; the main thread needs a core too. */
  const few = manySmall ? Math.max(1, Math.min(MOST_THREADS_OF_SMALL, threads - 1)) : threads
  /** The shared bandwidth limit: each thread checks it before it reads more. */
  const pace = bytesPerSecond && paceOf(bytesPerSecond)
  /** @type {Array<{ worker: Worker, pending: Map<number, Pending> }>} */
  const members = []
  let lastId = 0

  function start() {
    /** @type {Map<number, Pending>} */
    const pending = new Map()
    const worker = new Worker(WORKER, {
      name: 'xfer-copy',
      workerData: { ca, pace },
      resourceLimits: { maxYoungGenerationSizeMb: manySmall && members.length < few ? YOUNG_MB_OF_MANY : YOUNG_MB },
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

  /** The least busy thread, or a new one if all are busy and more are allowed. @param {import('../../types').Task[]} tasks */
  function choose(tasks) {
    const most = tasks.every(({ bytes }) => bytes <= SMALL_BYTES) ? few : threads
    const allowed = members.slice(0, most)
    const least = allowed.reduce((a, b) => (b.pending.size < a.pending.size ? b : a), allowed[0])
    return least && (least.pending.size === 0 || allowed.length === most) ? least : start()
  }

  return {
    name: 'local',
    where: `${threads} threads of this machine`,
    reach: 'process',
    runsOn: 'machine',
    can: { cancel: true, pace: true, progress: true, once: true },
    partBytes: { usual: 32 * MiB, least: 8 * MiB },
    startWith: threads * FIRST_A_THREAD,

    // Starting a thread takes as long as an answer of a store, so it starts early.
    warm(invocations) {
      while (members.length < Math.min(invocations, threads)) start()
    },

    async limits() {
      return { ...UNLIMITED, concurrent: MOST_INVOCATIONS }
    },

    async run(tasks, { signal, parallel, onBytes } = {}) {
      throwIfAborted(signal)
      const { worker, pending } = choose(tasks)
      const id = ++lastId
      const cancel = () => worker.postMessage({ id, cancel: true })
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        const result = await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject, onBytes })
          worker.ref()
          const params = toParameters(tasks, { parallel, stallMs: silenceMs })
          worker.postMessage({ id, params, proxies: proxiesOf(tasks) })
        })
        if (signal?.aborted) throw abortReason(signal)
        return toOutcomes(result, tasks, { action: 'copy-range', where: 'this machine' })
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },

    async close() {
      await Promise.all(members.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

/** The proxies of each task's requests; undefined if none has one. @param {import('../../types').Task[]} tasks */
function proxiesOf(tasks) {
  const proxies = tasks.map(({ read, write }) => ({ read: proxyOfRequest(read), write: proxyOfRequest(write) }))
  return proxies.some(({ read, write }) => read !== '' || write !== '') ? proxies : undefined
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

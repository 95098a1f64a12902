'use strict'

/** The engine `local`: runs the action of actions/copy-range on threads of this machine. */

const { availableParallelism } = require('node:os')
const { onAbort } = require('../../async')
const { throwIfAborted } = require('../../errors')
const { proxyOfRequest } = require('../../http')
const { UNLIMITED, engineChecks, toOutcomes, toParameters } = require('../common')
const { XferError, takeThreads } = require('./threads')

/** @typedef {import('../../types').Engine} Engine */
/** @typedef {import('./here').LateTask} LateTask */

/** A thread copies a few GB/s on loopback. For a network, more connections help, not more threads. */
const MOST_THREADS = 8
/**
 * Up to so many bytes an invocation runs on the main thread, as long as that does not limit the copy: handing it to another one
 * costs more than copying it, and starting one takes as long as copying a hundred small objects.
 */
const SMALL_BYTES = 4 * 1024 * 1024
/**
 * Invocations per thread at the start; the scheduler finds out how many help. Where no more are asked for, one thread is enough: two on one
 * took 15 MB less than on two, over plain HTTP a tenth less processor time, and over TLS a sixth more time (2 GB, synthetic stores).
 */
const FIRST_A_THREAD = 2
/** More have never helped. */
const MOST_INVOCATIONS = 64

const MiB = 1024 ** 2
/** What an invocation holds, at most. */
const INVOCATION_BYTES = 4 * MiB

/**
 * @param {{ concurrency?: number, threads?: number, silenceMs?: number, ca?: string, bytesPerSecond?: number, memoryBytes?: number }} [options]
 *   concurrency: invocations at once, at most; threads: default one per core, at most 8, and one for two invocations; silenceMs: how
 *   long a connection may be silent; ca: certificates to trust in addition to the usual ones, PEM; bytesPerSecond: limit of
 *   all threads together; memoryBytes: what all may hold
 * @returns {Engine}
 * @throws {import('../../types').XferError} LOCAL_WORKER_MISSING
 */
function createLocalEngine({
  concurrency = Number.POSITIVE_INFINITY,
  threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(concurrency / FIRST_A_THREAD)),
  silenceMs,
  ca,
  bytesPerSecond,
  memoryBytes = MOST_INVOCATIONS * INVOCATION_BYTES,
} = {}) {
  /** The shared bandwidth limit: each thread checks it before it reads more. */
  const pace = bytesPerSecond ? paceOf(bytesPerSecond) : undefined
  const shared = { ca, pace }
  const { value: workers, leave } = takeThreads(threads, shared)
  /** What runs, to end it with the engine. @type {Set<AbortController>} */
  const running = new Set()
  /** @type {ReturnType<typeof import('./here').runsHere> | undefined} */
  let here
  /** @type {ReturnType<typeof import('./here').createWhole> | undefined} */
  let copyWhole
  /** @type {ReturnType<typeof import('./small-in-threads').createSmallInThreads> | undefined} */
  let inThreads
  let closed = false

  /** The action in this thread. */
  function inHere() {
    here ??= require('./here').runsHere(shared)
    return here
  }

  /** @param {AbortSignal} [signal] @throws its reason; LOCAL_WORKER_FAILED */
  function checkOpen(signal) {
    throwIfAborted(signal)
    if (closed) throw new XferError('LOCAL_WORKER_FAILED', { reason: 'it was closed' })
  }

  /** @typedef {Parameters<Engine['run']>[1] & { signal: AbortSignal }} LocalOptions */

  /** @param {import('../../types').Task[]} tasks @param {LocalOptions} how */
  async function runChecked(tasks, { signal, parallel, onBytes }) {
    const params = toParameters(tasks, { parallel, stallMs: silenceMs })
    const proxies = proxiesOf(tasks)
    const result = runsOnMain(tasks)
      ? await inHere().run(params, { signal, proxies })
      : await workers.run({ params, proxies }, { signal, onBytes })
    return toOutcomes(result, tasks, { action: 'copy-range', where: 'this machine' })
  }

  /** @param {LateTask[]} tasks @param {LocalOptions} how */
  function runSmall(tasks, how) {
    // Of one object, or a few, the first invocation is the only one; and to hand over a single one costs as much as to copy it.
    if (copyWhole && tasks.length > 1) {
      inThreads ??= require('./small-in-threads').createSmallInThreads(shared, {
        threads,
        memoryBytes,
        stallMs: silenceMs,
      })
      if (inThreads.helps()) return inThreads.run(tasks, how)
    }
    copyWhole ??= inHere().whole({ stallMs: silenceMs })
    return copyWhole(tasks, how)
  }

  /** @param {import('../../types').Task[]} tasks @param {LocalOptions} how @returns {Promise<import('../../types').Outcome[]>} */
  async function runAll(tasks, how) {
    /** @type {LateTask[]} */
    const late = []
    /** @type {import('../../types').Task[]} */
    const rest = []
    for (const task of tasks) {
      if (task.late) late.push(/** @type {LateTask} */ (task))
      else rest.push(task)
    }
    if (late.length === 0) return await runChecked(rest, how)
    if (rest.length === 0) return await runSmall(late, how)
    const [copied, read] = await Promise.all([runSmall(late, how), runChecked(rest, how)])
    return tasks.map(({ late }) => /** @type {import('../../types').Outcome} */ (late ? copied.shift() : read.shift()))
  }

  return {
    name: 'local',
    where: `${threads} ${threads === 1 ? 'thread' : 'threads'} of this machine`,
    reach: 'process',
    runsOn: 'machine',
    can: { cancel: true, pace: true, progress: true, once: true, signsLate: SMALL_BYTES },
    partBytes: { usual: 32 * MiB, least: 8 * MiB },
    startWith: threads * FIRST_A_THREAD,

    // Starting a thread takes as long as an answer of a store, so it starts early.
    warm: workers.warm,

    async limits() {
      return { ...UNLIMITED, concurrent: Math.min(MOST_INVOCATIONS, Math.floor(memoryBytes / INVOCATION_BYTES)) }
    },

    async run(tasks, { signal, ...how } = {}) {
      checkOpen(signal)
      const controller = new AbortController()
      running.add(controller)
      const forget = signal && onAbort(signal, () => controller.abort())
      try {
        const outcomes = await runAll(tasks, { ...how, signal: controller.signal })
        checkOpen(signal)
        return outcomes
      } finally {
        forget?.()
        running.delete(controller)
      }
    },

    async close() {
      if (closed) return
      closed = true
      for (const controller of running) controller.abort()
      await here?.close()
      await inThreads?.close()
      await leave()
    },
  }
}

/** The proxies of each task's requests; empty if none has one. @param {import('../../types').Task[]} tasks */
function proxiesOf(tasks) {
  const proxies = []
  let some = false
  for (const task of tasks) {
    const [read, write] = [proxyOfRequest(task.read), proxyOfRequest(task.write)]
    proxies.push({ read, write })
    some ||= read !== '' || write !== ''
  }
  return some ? proxies : []
}

/** An empty invocation, of `xfer doctor`, is to find out whether threads start. @param {import('../../types').Task[]} tasks */
function runsOnMain(tasks) {
  let all = 0
  for (const { bytes } of tasks) all += bytes
  return tasks.length > 0 && all <= SMALL_BYTES
}

/** What the threads share to hold a rate together. @param {number} bytesPerSecond */
function paceOf(bytesPerSecond) {
  const { PACE_BYTES } = require('../../../actions/copy-range/attempt')
  return { bytesPerSecond, memory: new SharedArrayBuffer(PACE_BYTES) }
}

/** The check of `xfer doctor --engine local`: a thread of this machine starts and answers. */

const CHECK_MS = 30_000

/** @returns {import('../contract').EngineChecks} */
function threadChecks() {
  /** @type {ReturnType<typeof createLocalEngine> | undefined} */
  let engine
  // What this machine reaches, the checks of both sides have shown: of `found` nothing else is asked.
  /** @type {any} */
  const found = { clocks: [], close: () => void engine?.close() }
  async function run() {
    engine = createLocalEngine()
    const startedMs = performance.now()
    await engine.run([])
    const elapsedMs = Math.ceil(performance.now() - startedMs)
    return { ok: true, detail: `Copies run on ${engine.where}; one answered in ${elapsedMs} ms.` }
  }
  return engineChecks(found, CHECK_MS, [{ name: 'invocation', run }])
}

module.exports = { createLocalEngine, threadChecks }

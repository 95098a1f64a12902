'use strict'

/** The engine `local`: runs the action of actions/copy-range on threads of this machine. */

const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { PACE_BYTES } = require('../../../actions/copy-range/limits')
const { abortReason, throwIfAborted } = require('../../errors')
const { UNLIMITED, toOutcomes, toParameters } = require('../common')
const { XferError } = require('./errors')

/** @typedef {import('../../types').Engine} Engine */

/**
 * Of a thread's heap, where new objects are: it makes little garbage, and what it may lie on it will lie on. In the usual
 * room of 48 MB that is several megabytes a thread for nothing.
 */
const YOUNG_MB = 2
/** Of a thread that copies a thousand small objects a second, which is garbage by the megabyte. */
const YOUNG_MB_OF_MANY = 16

/** A thread relays a few GB/s on loopback; a network wants connections more than it wants threads. */
const MOST_THREADS = 8
/** How many it wants is found out, beginning with so few a thread. */
const FIRST_A_THREAD = 2
/** Each takes a megabyte or two, and more of them have helped nobody yet. */
const MOST_INVOCATIONS = 64

const MiB = 1024 ** 2

/**
 * @typedef {object} Pending
 * @property {(result: any) => void} resolve
 * @property {(error: import('../../types').XferError) => void} reject
 * @property {import('../../types').RunOptions['onBytes']} onBytes
 */

/**
 * @param {{ threads?: number, silenceMs?: number, ca?: string, bytesPerSecond?: number, transport?: 'socket' | 'http', manySmall?: boolean }} [options] threads: default one a core, at most 8; silenceMs: how
 *   long a connection may move no byte; ca: certificates to trust beside the usual ones, PEM; bytesPerSecond: of all
 *   threads together, at most; manySmall: tasks of a few kilobytes will be given
 * @returns {Engine}
 */
function createLocalEngine({
  threads = Math.min(availableParallelism(), MOST_THREADS),
  silenceMs,
  ca,
  bytesPerSecond,
  transport,
  manySmall = false,
} = {}) {
  /** What all threads look at before they read on. */
  const pace = bytesPerSecond && { bytesPerSecond, memory: new SharedArrayBuffer(PACE_BYTES) }
  /** @type {Array<{ worker: Worker, pending: Map<number, Pending> }>} */
  const crew = []
  let lastId = 0

  function start() {
    /** @type {Map<number, Pending>} */
    const pending = new Map()
    const worker = new Worker(join(__dirname, 'worker.js'), {
      name: 'xfer-copy',
      workerData: { ca, pace },
      resourceLimits: { maxYoungGenerationSizeMb: manySmall ? YOUNG_MB_OF_MANY : YOUNG_MB },
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
      const index = crew.indexOf(member)
      if (index >= 0) crew.splice(index, 1)
      for (const { reject } of pending.values()) reject(new XferError('LOCAL_WORKER_FAILED', { reason }, { cause }))
      pending.clear()
    }
    worker.on('error', error => gone(error instanceof Error ? error.message : String(error), error))
    worker.on('exit', code => gone(`it exited with ${code}`))
    worker.unref()
    crew.push(member)
    return member
  }

  /** The least busy thread; a new one while there may be more and all are busy. */
  function choose() {
    const least = crew.reduce((a, b) => (b.pending.size < a.pending.size ? b : a), crew[0])
    return least && (least.pending.size === 0 || crew.length >= threads) ? least : start()
  }

  return {
    name: 'local',
    where: `${threads} threads of this machine`,
    reach: 'local',
    runsOn: 'machine',
    can: { cancel: true, pace: true, progress: true, once: true },
    partBytes: { usual: 32 * MiB, least: 8 * MiB },

    // A thread takes as long to start as a store to answer.
    warm(invocations) {
      while (crew.length < Math.min(invocations, threads)) start()
    },

    async limits() {
      return { ...UNLIMITED, concurrent: MOST_INVOCATIONS, startWith: threads * FIRST_A_THREAD }
    },

    async run(tasks, { signal, parallel, needs, onBytes } = {}) {
      throwIfAborted(signal)
      const { worker, pending } = choose()
      const id = ++lastId
      const cancel = () => worker.postMessage({ id, cancel: true })
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        const result = await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject, onBytes })
          worker.ref()
          worker.postMessage({ id, params: toParameters(tasks, { parallel, stallMs: silenceMs, transport }) })
        })
        if (signal?.aborted) throw abortReason(signal)
        return toOutcomes(result, tasks, { action: 'copy-range', where: 'this machine', needs })
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },

    async close() {
      await Promise.all(crew.splice(0).map(({ worker }) => worker.terminate()))
    },
  }
}

module.exports = { createLocalEngine }

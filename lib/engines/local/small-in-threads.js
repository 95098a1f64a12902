'use strict'

/**
 * Small objects on other cores. This thread lists, judges, signs and proves; the threads read, compute checksums and write. A thread
 * that has read an object asks for its write, with what the read told, and this one answers: many objects in each message.
 */

const { performance } = require('node:perf_hooks')
const { availableParallelism } = require('node:os')
const { proxyOfRequest } = require('../../http')
const { only } = require('../../integrity')
const { takeThreads } = require('./threads')

/** @typedef {import('./here').LateTask} LateTask */
/** @typedef {import('../../types').Sum} Sum */

/** How often is looked whether one more thread would help: to start one takes some tenths of a second of processor time. */
const LOOK_EVERY_MS = 2_000
/** A thread has some 90 MB of code, heap and connections, and holds up to 64 MiB of objects. */
const THREAD_BYTES = 128 * 1024 ** 2
/** With 2 MB, as threads for parts have, a copy of small objects takes a tenth more processor time. */
const YOUNG_MB = 12
/** A thread that works so much of its time limits the copy. */
const BUSY = 0.9

/**
 * @param {Parameters<typeof takeThreads>[1]} data that each thread gets
 * @param {{ threads: number, memoryBytes: number, stallMs?: number, cores?: number, own?: Pick<typeof performance, 'now' | 'eventLoopUtilization'> }} how threads: at most; memoryBytes: what
 *   all of them may hold; own: what this thread knows of its time and work
 */
function createSmallInThreads(data, { threads: wanted, memoryBytes, stallMs, ...how }) {
  const { cores = availableParallelism(), own = performance } = how
  /** One core is this thread's. */
  const most = Math.min(wanted, cores - 1, Math.floor(memoryBytes / THREAD_BYTES))
  const { value: threads, leave } = takeThreads(Math.max(1, most), data, YOUNG_MB)
  let allowed = 0
  let lookedMs = own.now()
  let load = own.eventLoopUtilization()
  /** The same of each thread. */
  const loads = new WeakMap()
  /** The checksums that were wanted last: those of the next object are computed before it is asked for. @type {Sum[]} */
  let kinds = []

  /** One thread more, if this one limited the copy since the last look; then if all threads do, and this one does not. */
  function look() {
    const nowMs = own.now()
    if (allowed === most || nowMs - lookedMs < LOOK_EVERY_MS) return
    lookedMs = nowMs
    const now = own.eventLoopUtilization()
    const { utilization } = own.eventLoopUtilization(now, load)
    load = now
    if (allowed === 0 ? utilization >= BUSY : threads.busy(loads) >= BUSY && utilization < BUSY) allowed++
  }

  return {
    /** Whether small objects go to threads by now. */
    helps() {
      look()
      return allowed > 0
    },

    close: leave,

    /**
     * @param {LateTask[]} tasks
     * @param {{ signal: AbortSignal, parallel?: number }} how
     * @returns {Promise<import('../../types').Outcome[]>} in the order of the tasks
     * @throws {import('../../types').XferError} LOCAL_WORKER_FAILED
     */
    async run(tasks, { signal, parallel }) {
      /** Why no write was made, by the index of the task. @type {Map<number, unknown>} */
      const refused = new Map()
      /** Who waits for the checksums of a body. @type {Map<number, (sums: import('../../types').Sums) => void>} */
      const digesting = new Map()

      /** @type {import('./threads').OnAsked} */
      function onAsked(index, { headers, kept, sums }, answer) {
        const resolve = digesting.get(index)
        if (resolve) {
          digesting.delete(index)
          resolve(sums)
          return
        }
        /** @type {Parameters<import('../../types').Late>[0]['digest']} */
        const digest = wanted => {
          kinds = wanted
          if (wanted.every(kind => sums[kind] !== undefined)) return only(sums, wanted)
          answer({ digest: wanted })
          return new Promise(done => digesting.set(index, done))
        }
        tasks[index].late({ headers, kept, digest }).then(
          ({ write, ...made }) => answer({ ...made, write: withProxy(write) }),
          cause => {
            refused.set(index, cause)
            answer({ refused: true })
          },
        )
      }

      const small = tasks.map(({ late, read, ...task }) => ({ ...task, read: withProxy(read) }))
      /** @type {import('../../types').Outcome[]} */
      const outcomes = await threads.run({ small, kinds, parallel, stallMs }, { signal, onAsked, allowed })
      for (const [index, known] of refused) {
        const outcome = outcomes[index]
        if ('error' in outcome) outcome.error.known = /** @type {any} */ (known)
      }
      return outcomes
    },
  }
}

/** The proxy of a request is known in this thread alone. @param {import('../../types').DataRequest} request */
function withProxy(request) {
  const proxy = proxyOfRequest(request)
  return proxy === '' ? request : { ...request, proxy }
}

module.exports = { createSmallInThreads }

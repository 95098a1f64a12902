'use strict'

/** Runs the action in the thread that it is called in: in the main one for small tasks, and in each of worker.js. */

const { closeConnections, copyLate, main } = require('../../../actions/copy-range')
const { createPace } = require('../../../actions/copy-range/limits')
const { createShared } = require('../../async')
const { LOCAL } = require('./transports')

/** The connections of this thread. */
const connections = createShared(closeConnections)

/** @param {{ ca?: string, pace?: { bytesPerSecond: number, memory: SharedArrayBuffer } }} shared by all threads */
function runsHere({ ca, pace: shared }) {
  const pace = shared && createPace({ ...shared, nowNs: process.hrtime.bigint })
  const { leave } = connections.take('', () => undefined)
  /** @type {Set<AbortController>} */
  const running = new Set()

  /**
   * @template T
   * @param {AbortSignal | undefined} signal
   * @param {(signal: AbortSignal) => Promise<T>} work
   */
  async function abortable(signal, work) {
    const controller = new AbortController()
    const cancel = () => controller.abort()
    running.add(controller)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await work(controller.signal)
    } finally {
      signal?.removeEventListener('abort', cancel)
      running.delete(controller)
    }
  }

  // Which proxy a request takes is decided by the environment of the job, not by that of this process.
  return {
    /**
     * @param {unknown} params of the action
     * @param {{ signal?: AbortSignal, onBytes?: import('../../../actions/copy-range/copy').OnBytes,
     *   proxies?: import('../../../actions/copy-range').Proxies }} how
     */
    run: (params, { signal, onBytes, proxies = [] }) =>
      abortable(signal, ended => main(params, { signal: ended, ca, proxies, pace, local: LOCAL, onBytes })),

    /**
     * @param {import('../../types').Task[]} tasks whose writes are made late
     * @param {{ signal?: AbortSignal, parallel?: number, stallMs?: number, proxies?: import('../../../actions/copy-range').Proxies }} how
     */
    copyLate: (tasks, { signal, proxies = [], ...how }) =>
      abortable(signal, ended => copyLate(tasks, { ...how, signal: ended, ca, proxies, pace, local: LOCAL })),

    async close() {
      for (const controller of running) controller.abort()
      await leave()
    },
  }
}

module.exports = { runsHere }

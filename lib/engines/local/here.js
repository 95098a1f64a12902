'use strict'

/** Runs the action in the thread that it is called in: in the main one for small tasks, and in each of worker.js. */

const { closeConnections, main } = require('../../../actions/copy-range')
const { createPace } = require('../../../actions/copy-range/limits')
const { LOCAL } = require('./transports')

/** @param {{ ca?: string, pace?: { bytesPerSecond: number, memory: SharedArrayBuffer } }} shared by all threads */
function runsHere({ ca, pace: shared }) {
  const pace = shared && createPace({ ...shared, nowNs: process.hrtime.bigint })
  /** @type {Set<AbortController>} */
  const running = new Set()

  return {
    /**
     * @param {unknown} params of the action
     * @param {{ signal?: AbortSignal, onBytes?: import('../../../actions/copy-range/copy').OnBytes,
     *   proxies?: import('../../../actions/copy-range').Proxies }} how
     */
    async run(params, { signal, onBytes, proxies = [] }) {
      const controller = new AbortController()
      const cancel = () => controller.abort()
      running.add(controller)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        // Which proxy a request takes is decided by the environment of the job, not by that of this process.
        return await main(params, { signal: controller.signal, ca, proxies, pace, local: LOCAL, onBytes })
      } finally {
        signal?.removeEventListener('abort', cancel)
        running.delete(controller)
      }
    },

    close() {
      for (const controller of running) controller.abort()
      closeConnections()
    },
  }
}

module.exports = { runsHere }

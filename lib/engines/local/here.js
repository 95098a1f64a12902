'use strict'

/** Runs the action in the thread that it is called in: in the main one for small tasks, and in each of worker.js. */

const { closeConnections, main } = require('../../../actions/copy-range')
const { createPace } = require('../../../actions/copy-range/attempt')
const { createShared } = require('../../async')
const { LOCAL } = require('./transports')

/** @typedef {import('../../../actions/copy-range').Proxies} Proxies */

/** The connections of this thread. */
const connections = createShared(closeConnections)

/** @param {{ ca?: string, pace?: { bytesPerSecond: number, memory: SharedArrayBuffer } }} shared by all threads */
function runsHere({ ca, pace: shared }) {
  const pace = shared && createPace({ ...shared, nowNs: process.hrtime.bigint })
  const { leave } = connections.take('', () => undefined)
  const common = { ca, pace, local: LOCAL }
  // Which proxy a request takes is decided by the environment of the job, not by that of this process: so `proxies` is not absent.
  return {
    /**
     * @param {unknown} params of the action
     * @param {{ signal: AbortSignal, onBytes?: import('../../../actions/copy-range/copy').OnBytes, proxies: Proxies }} how
     */
    run: (params, how) => main(params, { ...how, ...common }),

    /** Tasks whose write is made late. @param {{ stallMs?: number, proxyOf?: (request?: { url: string }) => string }} how */
    whole: how => require('./small-objects').createWhole({ ...how, ...common }),

    close: leave,
  }
}

module.exports = { runsHere }

'use strict'

const { once } = require('node:events')
const { setTimeout } = require('node:timers/promises')
const { jsonLine } = require('../format')

const SIGNALS = ['SIGTERM', 'SIGINT']

/** Resolves at the next SIGTERM or SIGINT, which does not end the process by itself. */
async function nextSignal() {
  const over = new AbortController()
  await Promise.race(SIGNALS.map(name => once(process, name, { signal: over.signal })))
  over.abort()
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'run a worker for --engine http',
  description: 'Runs a worker: the function that copies, behind HTTP, for copies with --engine http.',
  action:
    ({ err, env, end }) =>
    async flags => {
      // The help loads this file too, and needs neither.
      const { readerOf } = require('../../lib/options')
      const { startWorker } = require('../../lib/engines/http/serve')
      const read = readerOf('serve', flags)
      const options = {
        ...flags,
        port: read('port'),
        places: read('places'),
        timeoutMs: read('timeout'),
        heartbeatMs: read('heartbeat'),
        allowHosts: read('allowHosts'),
      }
      const drainMs = read('drain')
      const log = (/** @type {object} */ entry) =>
        void err.write(`${jsonLine({ time: new Date().toISOString(), ...entry })}\n`)
      const worker = await startWorker(options, { env, log })
      await nextSignal()
      // Before the drain begins, so that a second signal right after the first is not missed.
      const another = nextSignal()
      await Promise.race([worker.drain(), setTimeout(drainMs), another])
      await worker.close()
      end(0)
    },
}

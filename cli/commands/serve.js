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
  help: `
Examples:
  XFER_TOKEN=… xfer serve --port 8080
  XFER_TOKEN=$(cat token) xfer serve --tls-cert cert.pem --tls-key key.pem
  xfer serve --allow-hosts '*.example.org,10.0.0.0/8'
then, where the copy is started, with the same token:
  xfer copy SRC DEST --engine http --worker https://a:8080 --worker https://b:8080

A worker holds no credentials of stores: each request that it sends was signed by the machine that started the copy. It logs to standard error, one line of JSON for each invocation. GET /healthz and /readyz need no token, GET /metrics does. After SIGTERM or Ctrl-C it takes no more work, and ends when what runs is done; a second one ends it at once.

Exit status: 0 ended as asked, 2 usage, or the port is taken.`,
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

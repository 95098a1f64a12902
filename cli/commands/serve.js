'use strict'

const { jsonLine } = require('../format')
const { paragraph } = require('../platform-help')

const EXAMPLES = `
Examples:
  XFER_TOKEN=… xfer serve --port 8080
  xfer serve --token-file token --tls-cert cert.pem --tls-key key.pem
  xfer serve --allow-hosts '*.example.org,10.0.0.0/8'
then, where the copy is started, with the same token:
  xfer copy SRC DEST --engine http --worker https://a:8080 --worker https://b:8080

${paragraph(
  'A worker holds no credentials of stores: each request that it sends was signed by the machine that started the copy. ' +
    'It logs to standard error, one line of JSON for each invocation. GET /healthz and /readyz need no token, GET /metrics does. ' +
    'After SIGTERM or Ctrl-C it takes no more work, and ends when what runs is done; a second one ends it at once.',
)}

Exit status: 0 ended as asked, 2 usage, or the port is taken.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerServe(program, { err, env, end }) {
  program
    .command('serve')
    .summary('run a worker for --engine http')
    .description('Runs a worker: the function that copies, behind HTTP, for copies with --engine http.')
    .addHelpText('after', EXAMPLES)
    .action(async flags => {
      // The help loads this file too, and needs neither.
      const { readerOf } = require('../../lib/options')
      const { startWorker } = require('../../lib/serve')
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
      const nextSignal = watchSignals()
      await nextSignal()
      await Promise.race([worker.drain(), after(drainMs), nextSignal()])
      await worker.close()
      end(0)
    })
}

/**
 * Waits for SIGTERM or SIGINT. The first two do not end the process by themselves, however closely they follow each other; a third
 * one does.
 *
 * @returns {() => Promise<void>} resolves with the next one that nobody has waited for yet
 */
function watchSignals() {
  let seen = 0
  let unseen = 0
  /** @type {(() => void) | undefined} */
  let waiter
  const onSignal = () => {
    if (++seen === 2) for (const name of SIGNALS) process.off(name, onSignal)
    unseen++
    waiter?.()
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return () =>
    new Promise(resolve => {
      waiter = () => {
        waiter = undefined
        unseen--
        resolve()
      }
      if (unseen > 0) waiter()
    })
}

const SIGNALS = ['SIGTERM', 'SIGINT']

/** @param {number} ms */
function after(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

module.exports = { registerServe }

'use strict'

/** The check of `xfer doctor --engine local`: a thread of this machine starts and answers. */

const { EXIT } = require('../../errors')
const { createLocalEngine } = require('./engine')

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

module.exports = { threadChecks }

'use strict'

/**
 * A small engine, as an example of the contract: every invocation is a process of its own, started for it. Nothing can stop
 * one but the end of the engine, so an abort ends the wait alone.
 */

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { main } = require('../../actions/copy-range')
const { UNLIMITED, toOutcomes, toParameters } = require('../../lib/engines')
const { EXIT, abortReason, throwIfAborted, withRows } = require('../../lib/errors')

const MiB = 1024 ** 2

/** @type {Record<string, import('../../lib/errors').Row>} */
const ROWS = {
  TOY_UNCONFIGURED: {
    exit: EXIT.ENGINE,
    message: () => 'No toy is configured.',
    hint: () => 'Set TOY to the name of one.',
  },
  TOY_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `A process of the toy failed (${f.reason}).`,
    hint: () => 'Repeat the command.',
    retryable: true,
    uncertain: true,
  },
}
const XferError = withRows(ROWS)

/** @returns {import('../../lib/engines/contract').Engine} */
function createToyEngine({ where, reach }, { silenceMs } = {}) {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const processes = new Set()

  function start() {
    const child = fork(__filename)
    processes.add(child)
    child.once('exit', () => processes.delete(child))
    return child
  }

  return {
    name: 'toy',
    where,
    reach,
    runsOn: 'platform',
    can: { cancel: false, pace: false, progress: false, once: true },
    partBytes: { usual: 64 * MiB, least: 8 * MiB },

    limits: async () => ({ ...UNLIMITED, concurrent: 4, invocationMs: 100 }),

    async run(tasks, { signal, parallel, bytesPerSecond } = {}) {
      throwIfAborted(signal)
      const child = start()
      /** @type {() => void} */
      let giveUp = () => {}
      const result = new Promise((resolve, reject) => {
        giveUp = () => reject(abortReason(signal))
        signal?.addEventListener('abort', giveUp, { once: true })
        child.once('message', resolve)
        child.once('exit', (code, by) => reject(new XferError('TOY_FAILED', { reason: `it ended with ${by ?? code}` })))
        child.send(toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond }))
      })
      try {
        const facts = { action: 'copy-range', where }
        return toOutcomes(await result, tasks, facts)
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },

    async close() {
      const ended = [...processes].map(child => once(child, 'exit'))
      for (const child of processes) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}

/** @type {import('../../lib/engines/contract').EngineFactory} */
const toy = {
  name: 'toy',
  words: {
    engine: 'a process for each invocation',
    platform: { name: 'Toy', configured: 'by the variable TOY', deployNote: 'It needs no deployment.' },
  },
  options: [{ name: 'toyReach', value: 'reach', help: 'what the toy reaches', group: 'engine', commands: ['copy'] }],
  errors: ROWS,
  checkOptions({ toyReach = 'network' }) {
    if (['network', 'local'].includes(toyReach)) return
    throw new XferError('USAGE', { text: `--toy-reach "${toyReach}" is unknown.`, advice: 'Choose network or local.' })
  },
  configured: ({ toyReach = 'network' }, { TOY }) =>
    TOY ? { where: TOY, reach: toyReach, from: 'the environment' } : undefined,
  missing: () => new XferError('TOY_UNCONFIGURED'),
  open: createToyEngine,
}

module.exports = { toy }

// The process of an invocation.
if (require.main === module) {
  process.once('message', async params => process.send(await main(params), () => process.exit(0)))
}

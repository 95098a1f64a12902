'use strict'

/** The cost of starting: a command that only prints its version, and a copy until the stores see its first byte. */

const { CLIENTS, XFER, bareEnvironment, sortByPresence } = require('../clients')
const { medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { findProgram } = require('../../sandbox/peers')
const { startWorld } = require('./synthetic-world')

const KEY = 'made'
const BYTES = 1e8
/** The runs are short, and vary much, so there are many. */
const TIMES_RUNS = 4

/** @param {string} home */
function versionCalls(home) {
  const env = bareEnvironment(home)
  const xfer = {
    name: 'xfer --version',
    kind: /** @type {const} */ ('xfer'),
    call: () => ({ command: [process.execPath, XFER, '--version'], env }),
  }
  const { present } = sortByPresence([CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws])
  const peers = present.map(({ kind, needs }) => {
    const flag = needs === 'rclone' ? 'version' : '--version'
    return {
      name: `${needs} ${flag}`,
      kind,
      call: () => ({ command: [String(findProgram(String(needs))), flag], env }),
    }
  })
  const node = {
    name: 'node -e 0',
    kind: /** @type {const} */ ('limit'),
    call: () => ({ command: [process.execPath, '-e', '0'], env }),
  }
  return [xfer, ...peers, node]
}

/** @type {import('.').Case} */
const START_UP = {
  name: 'start-up',
  title: 'Start-up',
  about:
    'Commands that only say their version, and the time from the start of a copy (100 MB between synthetic stores) until the ' +
    "source sees the first request for the object's bytes, and the destination the first one that brings some.",
  programs: ['rclone', 'mc', 'aws'],

  async run({ runs, quick, home, signal, say }) {
    const turns = { runs: quick ? runs : runs * TIMES_RUNS, signal, say }
    const versions = await takeTurns(versionCalls(home), turns)
    const world = await startWorld({ [KEY]: BYTES }, { home })
    try {
      const { present, missing } = sortByPresence([CLIENTS.xfer, CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws])
      const contestants = present.map(client => ({
        ...client,
        call: () => client.call(world.job(KEY, BYTES)),
      }))
      const copies = await takeTurns(contestants, {
        ...turns,
        servers: world.pids,
        before: () => world.prepare(false),
        async more(_, { startedMs }) {
          const [read, written] = await Promise.all([world.source.counters(), world.destination.counters()])
          const { UploadPart, PutObject } = written.firstMs
          const writtenMs = Math.min(UploadPart ?? Number.POSITIVE_INFINITY, PutObject ?? Number.POSITIVE_INFINITY)
          return {
            readSeconds: (read.firstMs.GetObject - startedMs) / 1000,
            writtenSeconds: (writtenMs - startedMs) / 1000,
          }
        },
      })
      const leftOut = missing.map(({ name }) => `${name}, which is not installed`)
      return { rows: copies, leftOut, facts: { versions } }
    } finally {
      await world.close()
    }
  },

  tell({ rows, facts: { versions } }) {
    const seconds = (/** @type {import('../report').Row} */ row, /** @type {string} */ figure) =>
      row.failed ? '' : medianOf(row, figure).toFixed(3)
    // A process that ends before the first sample has no peak.
    const peak = (/** @type {import('../report').Row} */ row) =>
      (medianOf(row, 'peakBytes') / 1e6).toFixed(0).replace(/^0$/, '–')
    return {
      tables: [
        {
          head: ['command', 'wall, s', 'CPU s', 'peak MB'],
          rows: versions.map((/** @type {import('../report').Row} */ row) => [
            row.name,
            row.failed ?? seconds(row, 'wallSeconds'),
            seconds(row, 'cpuSeconds'),
            row.failed ? '' : peak(row),
          ]),
        },
        {
          head: ['a copy of 100 MB', 'first read seen after, s', 'first write seen after, s', 'whole, s'],
          rows: rows.map(row => [
            row.name,
            row.failed ?? seconds(row, 'readSeconds'),
            seconds(row, 'writtenSeconds'),
            seconds(row, 'wallSeconds'),
          ]),
        },
      ],
      claims: [],
      remarks: ['`node -e 0` is what no program of Node.js can be quicker than.'],
    }
  },
}

module.exports = { START_UP }

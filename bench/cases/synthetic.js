'use strict'

/** One object between stores that generate and discard bytes, so that the client is measured; compared with a bare relay. */

const { CLIENTS, sortByPresence } = require('../clients')
const { claim, contest, medianOf, rowNamed } = require('../report')
const { takeTurns } = require('../rounds')
const { startWorld } = require('./synthetic-world')

const KEY = 'made'
const BYTES = 4 * 1024 ** 3
const QUICK_BYTES = 256 * 1024 ** 2
const GB = 1e9

/** @typedef {import('.').Case} Case */

/**
 * @param {object} what
 * @param {string} what.name
 * @param {boolean} what.tls
 * @param {{ proved?: number, unproved?: number }} what.cpu the target, in CPU seconds per gigabyte
 * @returns {Case}
 */
function synthetic({ name, tls, cpu }) {
  const over = tls ? 'TLS' : 'plain HTTP'
  return {
    name,
    title: `One object between synthetic stores, over ${over}`,
    about:
      'Between stores that make up what is read and swallow what is written (`bench/stores/`), beside a relay that ' +
      'does nothing but move the bytes (`bench/relay.js`): the least that we know how to spend with the sockets of Node.js.',
    programs: ['rclone', 'mc'],
    needs: tls ? ['openssl'] : [],

    async run({ runs, bytes = BYTES, quick, home, signal, say }) {
      const size = quick ? QUICK_BYTES : bytes
      const world = await startWorld({ [KEY]: size }, { home, tls })
      try {
        const job = world.job(KEY, size)
        const field = [CLIENTS.xfer, CLIENTS.xferUnproved, CLIENTS.relay, CLIENTS.rclone, CLIENTS.mc]
        const { present, missing } = sortByPresence(field)
        const contestants = present.map(client => ({ ...client, bytes: size, call: () => client.call(job) }))
        const checked = new Set()
        const rows = await takeTurns(contestants, {
          runs,
          servers: world.pids,
          signal,
          say,
          before: ({ name: client }) => world.prepare(!checked.has(client)),
          check({ name: client }) {
            checked.add(client)
            return world.judge(KEY)
          },
        })
        return {
          rows,
          leftOut: missing.map(client => `${client.name}, which is not installed`),
          facts: { bytes: size },
        }
      } finally {
        await world.close()
      }
    },

    tell({ rows, facts: { bytes } }) {
      const relay = rowNamed(rows, CLIENTS.relay.name)
      const [proved, unproved] = [CLIENTS.xfer, CLIENTS.xferUnproved].map(client => rowNamed(rows, client.name))
      /** @param {import('../report').Row | undefined} row */
      const pace = row => relay && row && medianOf(relay, 'wallSeconds') / medianOf(row, 'wallSeconds')
      /** @param {import('../report').Row | undefined} row */
      const cost = row => row && medianOf(row, 'cpuSeconds') / (bytes / GB)
      return {
        tables: [contest(rows, bytes)],
        claims: [
          ...claim(`throughput against the bare relay, over ${over}, CRC-32 on`, pace(proved), { atLeast: 0.8 }),
          ...claim(`throughput against the bare relay, over ${over}, CRC-32 off`, pace(unproved), { atLeast: 0.8 }),
          ...(cpu.proved
            ? claim(`CPU seconds a GB, over ${over}, CRC-32 on`, cost(proved), { atMost: cpu.proved })
            : []),
          ...(cpu.unproved
            ? claim(`CPU seconds a GB, over ${over}, CRC-32 off`, cost(unproved), { atMost: cpu.unproved })
            : []),
        ],
        remarks: [
          'CPU seconds a GB are asked for on the machine that the issue was written on; beside the relay they say more.',
        ],
      }
    },
  }
}

/** @type {Case[]} */
const SYNTHETIC = [
  synthetic({ name: 'synthetic', tls: false, cpu: { proved: 0.75, unproved: 0.45 } }),
  synthetic({ name: 'synthetic-tls', tls: true, cpu: { proved: 1.4 } }),
]

module.exports = { SYNTHETIC }

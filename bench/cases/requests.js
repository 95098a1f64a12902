'use strict'

/** The requests of a copy in 100 parts, as the stores count them. */

const { CLIENTS, sortByPresence } = require('../clients')
const { takeTurns } = require('../rounds')
const { startWorld } = require('./synthetic-world')

const KEY = 'made'
const PARTS = 100
const CHUNK_BYTES = 8 * 1024 ** 2
const BYTES = PARTS * CHUNK_BYTES

/** Flags for the same part size, for clients that have such an option. @type {Record<string, string[]>} */
const FLAGS = {
  [CLIENTS.xfer.name]: ['--chunk', '8'],
  [CLIENTS.xferUnproved.name]: ['--chunk', '8'],
  [CLIENTS.rclone.name]: ['--s3-chunk-size', '8M'],
}

/** @type {import('.').Case} */
const REQUESTS = {
  name: 'requests',
  title: 'Requests of a copy',
  about: '800 MiB in 100 parts of 8 MiB between synthetic stores, which count. mc and aws cut the object as they do.',
  programs: ['rclone', 'mc', 'aws'],

  async run({ home, signal, say }) {
    const world = await startWorld({ [KEY]: BYTES }, { home })
    try {
      const { present, missing } = sortByPresence([
        ...[CLIENTS.xfer, CLIENTS.xferUnproved, CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws],
      ])
      /** @type {Record<string, { source: Record<string, number>, destination: Record<string, number> }>} */
      const requests = {}
      const contestants = present.map(client => ({
        ...client,
        call: () => client.call(world.job(KEY, BYTES), FLAGS[client.name]),
      }))
      const rows = await takeTurns(contestants, {
        // The counts vary only if requests fail.
        runs: 1,
        servers: world.pids,
        signal,
        say,
        before: () => world.prepare(false),
        async more({ name }) {
          const [source, destination] = await Promise.all([world.source.counters(), world.destination.counters()])
          requests[name] = { source: source.requests, destination: destination.requests }
          return {}
        },
      })
      return { rows, leftOut: missing.map(({ name }) => `${name}, which is not installed`), facts: { requests } }
    } finally {
      await world.close()
    }
  },

  tell({ rows, facts: { requests } }) {
    /** @param {Record<string, number>} counted */
    const words = counted =>
      Object.entries(counted)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([operation, times]) => `${times} ${operation}`)
        .join(', ')
    const names = rows.map(({ name }) => name).filter(name => requests[name])
    const total = (/** @type {string} */ name) =>
      Object.values(requests[name])
        .flatMap(counted => Object.values(/** @type {any} */ (counted)))
        .reduce((a, b) => a + Number(b), 0)
    const xfer = requests[CLIENTS.xfer.name] ? total(CLIENTS.xfer.name) - 2 * PARTS : undefined
    return {
      tables: [
        {
          head: ['client', 'all', 'at the source', 'at the destination'],
          rows: names.map(name => [
            name,
            String(total(name)),
            words(requests[name].source),
            words(requests[name].destination),
          ]),
        },
      ],
      claims: [],
      remarks: xfer === undefined ? [] : [`Beside the ${PARTS} pairs xfer makes ${xfer} requests.`],
    }
  },
}

module.exports = { REQUESTS }

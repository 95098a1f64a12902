'use strict'

/** Peak memory at the same chunk and streams, xfer and rclone; and xfer's for an object ten times as large. */

const { CLIENTS, sortByPresence } = require('../clients')
const { claim, medianOf, rowNamed, size } = require('../report')
const { takeTurns } = require('../rounds')
const { startWorld } = require('./synthetic-world')

const SMALL = 4 * 1024 ** 3
const QUICK_SMALL = 128 * 1024 ** 2
const TIMES = 10
const SAME = ['--chunk', '100', '--concurrency', '8']

/** @type {import('.').Case} */
const MEMORY = {
  name: 'memory',
  title: 'Peak memory',
  about:
    'Between synthetic stores, all with parts of 100 MiB and 8 streams (`xfer copy --chunk 100 --concurrency 8`, ' +
    '`rclone copyto --s3-chunk-size 100M --multi-thread-streams 8`).',
  programs: ['rclone'],

  async run({ runs, bytes = SMALL, quick, home, signal, say }) {
    const small = quick ? QUICK_SMALL : bytes
    const made = { small, large: TIMES * small }
    const world = await startWorld(made, { home })
    try {
      const { present, missing } = sortByPresence([CLIENTS.rclone])
      const field = [
        { client: CLIENTS.xfer, key: 'small', flags: SAME },
        { client: CLIENTS.xfer, key: 'large', flags: SAME },
        ...present.map(client => ({ client, key: 'small', flags: [] })),
      ]
      const contestants = field.map(({ client, key, flags }) => {
        const size = made[/** @type {keyof typeof made} */ (key)]
        const job = world.job(key, size)
        return {
          name: nameOf(client.name, key),
          kind: client.kind,
          key,
          bytes: size,
          call: () => client.call(job, flags),
        }
      })
      const rows = await takeTurns(contestants, {
        runs,
        servers: world.pids,
        signal,
        say,
        before: () => world.prepare(true),
        check: contestant => world.judge(/** @type {any} */ (contestant).key),
      })
      return { rows, leftOut: missing.map(({ name }) => `${name}, which is not installed`) }
    } finally {
      await world.close()
    }
  },

  tell({ rows }) {
    const [small, large, rclone] = [
      [CLIENTS.xfer.name, 'small'],
      [CLIENTS.xfer.name, 'large'],
      [CLIENTS.rclone.name, 'small'],
    ].map(([client, key]) => rowNamed(rows, nameOf(client, key)))
    const peak = (/** @type {import('../report').Row} */ row) => medianOf(row, 'peakBytes')
    return {
      tables: [
        {
          head: ['client', 'object', 'peak MB', 'least to most'],
          rows: rows.map(row => {
            const peaks = row.runs.map(run => run.peakBytes / 1e6)
            const found = row.failed ? [row.failed, ''] : [(peak(row) / 1e6).toFixed(0), span(peaks)]
            return [row.name.replace(/, \w+$/, ''), size(Number(row.bytes)), ...found]
          }),
        },
      ],
      claims: [
        ...claim('peak memory against rclone, same chunk and streams', small && rclone && peak(small) / peak(rclone), {
          atMost: 1 / 12,
        }),
        ...claim('peak memory, an object ten times as large', small && large && peak(large) / peak(small), {
          atMost: 1.1,
        }),
      ],
    }
  },
}

/** @param {string} client @param {string} key */
const nameOf = (client, key) => `${client}, ${key}`

/** @param {number[]} values */
const span = values => `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`

module.exports = { MEMORY }

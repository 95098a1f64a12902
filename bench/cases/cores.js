'use strict'

/** Many small objects between synthetic stores, by one thread and by as many as xfer finds useful: what the other cores bring. */

const { CLIENTS } = require('../clients')
const { claim, finished, medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { startWorld, BUCKET } = require('./synthetic-world')

const COUNT = 20_000
const QUICK_COUNT = 50
const BYTES = 4 * 1024
const FROM = 'small/'
/** Room for no thread. */
const ONE_THREAD = ['--memory', '127']

/** @type {import('.').Case} */
const CORES = {
  name: 'cores',
  title: `${COUNT} objects of 4 KiB between synthetic stores: one thread, and more`,
  about:
    'Between stores that make up what is read and swallow what is written (`bench/stores/`), each a process of its own: with ' +
    '`--memory 127`, which leaves no room for threads that copy small objects, and as it is.',
  programs: [],

  async run({ runs, quick, home, signal, say }) {
    const count = quick ? QUICK_COUNT : COUNT
    const keys = Array.from({ length: count }, (_, i) => `${FROM}${String(i).padStart(6, '0')}`)
    const world = await startWorld(Object.fromEntries(keys.map(key => [key, BYTES])), { home })
    try {
      const job = { ...world.job(keys[0], BYTES), from: `${BUCKET}/${FROM}`, to: `${BUCKET}/copy/` }
      const contestants = [
        { name: 'one thread', flags: ONE_THREAD },
        { name: 'as it is', flags: [] },
      ].map(({ name, flags }) => ({
        name,
        kind: /** @type {const} */ ('xfer'),
        call: () => CLIENTS.xfer.call(job, ['-r', ...flags]),
      }))
      const rows = await takeTurns(contestants, {
        runs,
        servers: world.pids,
        signal,
        say,
        before: () => world.prepare(false),
        check: () => world.lacks(`copy/${keys[count - 1].slice(FROM.length)}`, BYTES),
      })
      return { rows, facts: { count } }
    } finally {
      await world.close()
    }
  },

  tell({ rows, facts: { count } }) {
    const [one, all] = finished(rows)
    const pace = (/** @type {import('../report').Row} */ row) => count / medianOf(row, 'wallSeconds')
    return {
      tables: [
        {
          head: ['', 'objects a second', 'CPU ms an object', 'servers, CPU ms an object', 'peak MB'],
          rows: rows.map(row =>
            row.failed
              ? [row.name, row.failed, '', '', '']
              : [
                  row.name,
                  pace(row).toFixed(0),
                  ((medianOf(row, 'cpuSeconds') / count) * 1000).toFixed(2),
                  ((medianOf(row, 'serverCpuSeconds') / count) * 1000).toFixed(2),
                  (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
                ],
          ),
        },
      ],
      claims: claim('objects a second against one thread', one && all && pace(all) / pace(one), { atLeast: 1.5 }),
    }
  },
}

module.exports = { CORES }

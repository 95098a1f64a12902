'use strict'

/** What it costs a copy to be watched and written down: the same prefix without and with each of the options. */

const { generateKeyPairSync } = require('node:crypto')
const { rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { CLIENTS } = require('../clients')
const { finished, medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { BUCKET, FROM, listAll, putTree, removeAll } = require('./tree')

const COUNT = 20_000
const QUICK_COUNT = 40
const BYTES = 4 * 1024

/** @param {string} home @returns {Array<[name: string, flags: string[]]>} */
function options(home) {
  const file = (/** @type {string} */ name) => join(home, name)
  return [
    ['nothing', []],
    ['--report', ['--report', file('report.html')]],
    ['--live, nobody looks', ['--live']],
    ['--trace', ['--trace', file('trace.json')]],
    ['--metrics', ['--metrics', file('metrics.prom')]],
    ['--manifest-out', ['--manifest-out', file('manifest.ndjson')]],
    ['--manifest-out, signed', ['--manifest-out', file('manifest.ndjson'), '--sign', file('key.pem')]],
  ]
}

/** @type {import('.').Case} */
const WATCHING = {
  name: 'watching',
  title: `What watching costs: ${COUNT} objects of 4 KiB between two versitygw`,
  about:
    'All objects below a prefix, by the local engine: without, and with one option each that shows the copy or writes it down.',
  programs: ['versitygw'],
  needs: ['versitygw'],

  async run({ runs, quick, home, signal, say }) {
    const start = /** @type {NonNullable<typeof PEERS.versitygw>} */ (PEERS.versitygw)
    const servers = await Promise.all([start({ args: ['--keep-alive'] }), start({ args: ['--keep-alive'] })])
    const count = quick ? QUICK_COUNT : COUNT
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(home, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    try {
      const [source, destination] = servers
      for (const one of servers) await makeBucket(one, BUCKET)
      await putTree(source, [{ count, bytes: BYTES }])
      const job = { source, destination, from: `${BUCKET}/${FROM}`, to: `${BUCKET}/copy/`, bytes: count * BYTES, home }
      const contestants = options(home).map(([name, flags]) => ({
        name,
        kind: /** @type {const} */ ('xfer'),
        call: () => CLIENTS.xfer.call(job, ['-r', ...flags]),
      }))
      const rows = await takeTurns(contestants, {
        runs,
        servers: servers.map(({ pid }) => pid),
        signal,
        say,
        async before() {
          await removeAll(destination, 'copy/')
          rmSync(join(home, 'manifest.ndjson'), { force: true })
        },
        async check() {
          const { size } = await listAll(destination, 'copy/')
          return size === count ? undefined : `${count - size} of ${count} objects are missing`
        },
      })
      return { rows, facts: { count } }
    } finally {
      await Promise.all(servers.map(one => one.close()))
    }
  },

  tell({ rows }) {
    const [plain] = finished(rows)
    const against = (/** @type {import('../report').Row} */ row, /** @type {string} */ figure) =>
      (medianOf(row, figure) / medianOf(plain, figure)).toFixed(2)
    return {
      tables: [
        {
          head: ['with', 'wall, s', 'CPU s', 'peak MB', 'wall against nothing', 'CPU against nothing'],
          rows: rows.map(row =>
            row.failed
              ? [row.name, row.failed, '', '', '', '']
              : [
                  row.name,
                  medianOf(row, 'wallSeconds').toFixed(2),
                  medianOf(row, 'cpuSeconds').toFixed(2),
                  (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
                  against(row, 'wallSeconds'),
                  against(row, 'cpuSeconds'),
                ],
          ),
        },
      ],
      claims: [],
    }
  },
}

module.exports = { WATCHING }

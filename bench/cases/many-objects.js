'use strict'

/** Many objects below a prefix from one versitygw to another, near or far: the client's cost for each object. */

const { availableParallelism } = require('node:os')
const { CLIENTS, XFER, bareEnvironment, sortByPresence } = require('../clients')
const { moveAway } = require('../delay')
const { againstBestPeer, bestPeer, claim, finished, medianOf, rowNamed } = require('../report')
const { takeTurns } = require('../rounds')
const { deploy } = require('../../lib')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { environmentOf, startSandbox } = require('../../sandbox/sandbox')
const { BUCKET, FROM, listAll, putTree, removeAll } = require('./tree')

/** A larger tree does not fit into memory twice. */
const MOST_IN_MEMORY = 4 * 1024 ** 3
const FUNCTIONS = 'xfer, functions'

/**
 * The command with functions: the client only signs, invokes and checks.
 *
 * @param {Omit<import('../clients').Job, 'bytes'>} job
 * @param {{ sandbox: import('../../sandbox/sandbox').Sandbox, containers: number }} platform
 * @returns {import('../rounds').Contestant}
 */
function withFunctions({ source, destination, from, to, home }, { sandbox, containers }) {
  const flags = ['--engine', 'openwhisk', '--concurrency', String(containers), '--quiet']
  const call = () => ({
    command: [process.execPath, XFER, 'copy', '-r', `s3://${from}`, `s3://${to}`, ...flags],
    env: {
      ...bareEnvironment(home),
      ...environmentOf({ stores: [source, destination], openwhisk: sandbox.openwhisk }),
    },
  })
  const settings = `\`--engine openwhisk --concurrency ${containers}\`, on the sandbox's platform, on this machine too`
  return { name: FUNCTIONS, kind: 'xfer', settings, call }
}

/** @param {number} transfers @returns {Peer} */
const rclone = transfers => ({
  ...CLIENTS.rclone,
  name: `rclone, ${transfers} at once`,
  flags: ['--transfers', String(transfers), '--checkers', String(transfers)],
})

/** flags: in place of those that its `callForAll` has. @typedef {import('../clients').Client & { flags?: string[] }} Peer */

/**
 * @param {object} what
 * @param {string} what.name
 * @param {string} what.title
 * @param {string} [what.about]
 * @param {import('./tree').Tree} what.tree
 * @param {import('./tree').Tree} what.quick
 * @param {Peer[]} what.peers
 * @param {number} [what.roundTripMs] to each store; absent: they are near, and functions take part
 * @param {number} [what.asked] objects a second of processor time of functions, against the best peer, at least
 * @param {number} [what.wallAtMost] wall time against the best peer
 * @returns {import('.').Case}
 */
function prefixCase({ name, title, about = NEAR, tree, quick: quickTree, peers, roundTripMs, asked, wallAtMost }) {
  return {
    name,
    title,
    about,
    programs: ['versitygw', 'rclone', 'mc', 'aws'],
    needs: ['versitygw'],

    async run({ runs, quick, home, signal, say }) {
      const wanted = quick ? quickTree : tree
      const count = wanted.reduce((sum, some) => sum + some.count, 0)
      const bytes = wanted.reduce((sum, some) => sum + some.count * some.bytes, 0)
      const start = /** @type {NonNullable<typeof PEERS.versitygw>} */ (PEERS.versitygw)
      // Stores on a network keep connections open; this one needs an option for that.
      const args = ['--keep-alive']
      const servers = await Promise.all([start({ args }), start({ args, onDisk: bytes > MOST_IN_MEMORY })])
      /** @type {Array<{ close: () => unknown }>} */
      const opened = [...servers]
      try {
        const [source, destination] = servers
        for (const one of servers) await makeBucket(one, BUCKET)
        await putTree(source, wanted)
        const known = await listAll(source, FROM)
        const { present, missing } = sortByPresence([CLIENTS.xfer, ...peers])
        const job = { source, destination, from: `${BUCKET}/${FROM}`, to: `${BUCKET}/copy/`, bytes, home }
        const pids = servers.map(({ pid }) => pid)
        /** @type {import('../rounds').Contestant[]} */
        const contestants = []
        if (roundTripMs) {
          const far = await Promise.all(servers.map(server => moveAway(server, roundTripMs)))
          opened.push(...far)
          ;[job.source, job.destination] = far.map(({ server }) => server)
        } else {
          const containers = availableParallelism()
          const limits = { concurrent: containers, perMinute: 1e9 }
          const sandbox = await startSandbox({ stores: [], openwhisk: { limits, containers } })
          opened.push(sandbox)
          const access = environmentOf({ stores: servers, openwhisk: sandbox.openwhisk })
          await deploy({ env: { ...bareEnvironment(home), ...access } })
          pids.push(sandbox.pids.openwhisk)
          contestants.push({ ...withFunctions(job, { sandbox, containers }), bytes })
        }
        // Other clients' settings are for one object.
        for (const { name, kind, callForAll, flags } of /** @type {Peer[]} */ (present)) {
          const call = () => /** @type {NonNullable<typeof callForAll>} */ (callForAll)(job, flags)
          contestants.push({ name, kind, bytes, call })
        }
        const rows = await takeTurns(contestants, {
          runs,
          servers: pids,
          signal,
          say,
          before: () => removeAll(destination, 'copy/'),
          async check() {
            const copied = await listAll(destination, 'copy/')
            // The ETag of an object in parts depends on the part size, which each client chooses.
            const isRight = (/** @type {string} */ name, /** @type {{ etag: string }} */ { etag }) =>
              copied.has(name) && (copied.get(name)?.etag === etag || /-/.test(copied.get(name)?.etag ?? ''))
            const wrong = [...known].filter(([name, object]) => !isRight(name, object)).length
            return wrong === 0 ? undefined : `${wrong} of ${count} objects are missing or are others`
          },
        })
        return { rows, leftOut: missing.map(({ name }) => `${name}, which is not installed`), facts: { count } }
      } finally {
        await Promise.all(opened.map(one => one.close()))
      }
    },

    tell({ rows, facts: { count } }) {
      const each = (/** @type {import('../report').Row} */ row, /** @type {string} */ figure) =>
        ((medianOf(row, figure) / count) * 1000).toFixed(2)
      /** Objects per second of the client's processor time. @param {import('../report').Row} row */
      const aSecond = row => count / medianOf(row, 'cpuSeconds')
      const done = finished(rows)
      const best = done.filter(({ kind }) => kind === 'peer').sort((a, b) => aSecond(b) - aSecond(a))[0]
      const ours = done.find(({ name }) => name === FUNCTIONS)
      const against = (/** @type {import('../report').Row} */ row) => (best ? aSecond(row) / aSecond(best) : undefined)
      const quickest = bestPeer(rows, 'wallSeconds')
      const xfer = rowNamed(rows, CLIENTS.xfer.name)
      const wall = xfer && againstBestPeer(rows, xfer, 'wallSeconds')
      return {
        tables: [
          {
            head: [
              'client',
              'wall, s',
              'wall an object, ms',
              'CPU an object, ms',
              "servers' CPU an object, ms",
              'peak MB',
              'objects a CPU second',
              'against the best peer',
            ],
            rows: rows.map(row =>
              row.failed
                ? [row.name, row.failed, '', '', '', '', '', '']
                : [
                    row.name,
                    medianOf(row, 'wallSeconds').toFixed(2),
                    each(row, 'wallSeconds'),
                    each(row, 'cpuSeconds'),
                    each(row, 'serverCpuSeconds'),
                    (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
                    aSecond(row).toFixed(0),
                    against(row)?.toFixed(2) ?? '',
                  ],
            ),
          },
        ],
        claims: [
          ...(asked === undefined
            ? []
            : claim(`objects a CPU second against the best peer, ${title}`, ours && against(ours), {
                atLeast: asked,
                detail: best?.name,
              })),
          ...(wallAtMost === undefined
            ? []
            : claim(`wall time against the best peer, ${title}`, wall, { atMost: wallAtMost, detail: quickest?.name })),
        ],
      }
    },
  }
}

const KIB = 1024
const MIB = 1024 ** 2
const NEAR =
  'All objects below a prefix: `xfer copy -r`, by functions and by the local engine, `rclone copy --transfers 32 --checkers 32`, `mc cp --recursive`, ' +
  '`aws s3 cp --recursive` down and up, each beside its settings for one object.'

const MANY_OBJECTS = prefixCase({
  name: 'many-objects',
  title: '2,000 objects of 4 and 100 KiB between two versitygw',
  tree: [
    { count: 1_000, bytes: 4 * KIB },
    { count: 1_000, bytes: 100 * KIB },
  ],
  quick: [
    { count: 20, bytes: 4 * KIB },
    { count: 20, bytes: 100 * KIB },
  ],
  peers: [CLIENTS.rclone, CLIENTS.mc, CLIENTS.aws],
})

const PREFIX = prefixCase({
  name: 'prefix',
  title: '100,000 objects of 4 KiB and 50 of 200 MiB between two versitygw',
  tree: [
    { count: 100_000, bytes: 4 * KIB },
    { count: 50, bytes: 200 * MIB },
  ],
  quick: [
    { count: 60, bytes: 4 * KIB },
    { count: 1, bytes: 101 * MIB },
  ],
  peers: [CLIENTS.rclone, CLIENTS.mc],
  asked: 2,
})

/** @param {number} roundTripMs @param {Peer[]} peers @param {number} wallAtMost */
const farCase = (roundTripMs, peers, wallAtMost) =>
  prefixCase({
    name: `far-${roundTripMs}`,
    title: `4,000 objects of 4 and 100 KiB, ${roundTripMs} ms to each store`,
    about: `Two versitygw, each behind a relay that makes every answer ${roundTripMs} ms late (\`bench/delay.js\`). xfer and mc with their defaults.`,
    tree: [
      { count: 2_000, bytes: 4 * KIB },
      { count: 2_000, bytes: 100 * KIB },
    ],
    quick: [{ count: 20, bytes: 4 * KIB }],
    peers,
    roundTripMs,
    wallAtMost,
  })

const FAR = [farCase(30, [rclone(64), CLIENTS.mc], 5 / 7.3), farCase(100, [rclone(64), rclone(256)], 1)]

module.exports = { FAR, MANY_OBJECTS, PREFIX }

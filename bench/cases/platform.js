'use strict'

/**
 * Copies through the openwhisk engine, on the sandbox's platform, between synthetic stores. Functions, which are separate
 * processes, move every byte. Both stores count the bytes, and the CRC-32 of the synthetic object proves them.
 */

const { availableParallelism } = require('node:os')
const { CLIENTS, XFER, bareEnvironment } = require('../clients')
const { claim, medianOf, rowNamed, size } = require('../report')
const { takeTurns } = require('../rounds')
const { deploy } = require('../../lib')
const { environmentOf, startSandbox } = require('../../sandbox/sandbox')
const { startWorld, BUCKET, COPY } = require('./synthetic-world')

const KEY = 'made'
const GIB = 1024 ** 3
const MIB = 1024 ** 2
const CONTAINERS_A_CORE = 2
const BLOG_SECONDS = 240
const COPY_NAME = 'xfer, openwhisk engine'

/** @typedef {{ bytes: number, partBytes: number, concurrency?: number }} Size concurrency: default the number of containers */

/**
 * @param {object} what
 * @param {string} what.name
 * @param {string} what.title
 * @param {string} what.about
 * @param {Size} what.usual
 * @param {Size} what.small
 * @param {boolean} what.beside whether the relay is measured as well, with the same bytes
 * @param {(found: { rows: import('../report').Row[], facts: Record<string, any> }) => import('../report').Claim[]} what.claims
 * @returns {import('.').Case}
 */
function platformJob({ name, title, about, usual, small, beside, claims }) {
  return {
    name,
    title,
    about,
    programs: [],

    async run({ runs, bytes, quick, home, signal, say }) {
      const { partBytes, concurrency, ...asked } = quick ? small : usual
      const moved = bytes ?? asked.bytes
      const containers = CONTAINERS_A_CORE * availableParallelism()
      const atOnce = concurrency ?? containers
      const world = await startWorld({ [KEY]: moved }, { home })
      const sandbox = await startSandbox({
        stores: [],
        openwhisk: {
          limits: { concurrent: atOnce, perMinute: 1e9, timeoutMs: { max: 3_600_000 } },
          containers,
          blockingMs: 60_000,
        },
      })
      try {
        const { source, destination } = world
        const env = {
          ...bareEnvironment(home),
          ...environmentOf({ stores: [source, destination], openwhisk: sandbox.openwhisk }),
        }
        await deploy({ env })
        const flags = ['--chunk', `${partBytes}B`, '--concurrency', String(atOnce), '--engine', 'openwhisk', '--json']
        const command = [process.execPath, XFER, 'copy', `s3://${BUCKET}/${KEY}`, `s3://${COPY}`, ...flags]
        const settings = `\`--engine openwhisk --concurrency ${atOnce}\`, ${containers} containers of the sandbox's platform`
        const contestants = [
          { name: COPY_NAME, kind: CLIENTS.xfer.kind, settings, bytes: moved, call: () => ({ command, env }) },
          ...(beside
            ? [{ ...CLIENTS.relay, bytes: moved, call: () => CLIENTS.relay.call(world.job(KEY, moved)) }]
            : []),
        ]
        /** @type {Record<string, any>} */
        const facts = { bytes: moved, parts: Math.ceil(moved / partBytes), containers }
        const rows = await takeTurns(contestants, {
          runs,
          warmUp: false,
          servers: [...world.pids, sandbox.pids.openwhisk],
          signal,
          say,
          before: () => world.prepare(true),
          check: () => world.judge(KEY),
          /** @returns {Promise<Record<string, number>>} */
          async more(contestant, { stdout }) {
            if (contestant.name !== COPY_NAME) return {}
            const { proof, invocations, retried, crc32 } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')
            const [read, written] = await Promise.all([source.counters(), destination.counters()])
            facts.last = { proof, crc32, bytesOut: read.bytesOut, bytesIn: written.bytesIn }
            return { invocations, retried }
          },
        })
        return { rows, facts: { ...facts, known: (await source.find(`${BUCKET}/${KEY}`))?.crc32 } }
      } finally {
        await Promise.all([sandbox.close(), world.close()])
      }
    },

    tell({ rows, facts }) {
      return { tables: [tableOf(rows)], claims: claims({ rows, facts }), remarks: remarksOf(facts) }
    },
  }
}

/** @param {import('../report').Row[]} rows @returns {import('../report').Table} */
function tableOf(rows) {
  return {
    head: [
      '',
      'wall, s',
      'least to most',
      'GB/s',
      "command's CPU s",
      "command's peak MB",
      "stores', platform's and functions' CPU s",
    ],
    rows: rows.map(row => {
      if (row.failed) return [row.name, row.failed, '', '', '', '', '']
      const walls = row.runs.map(run => run.wallSeconds)
      const wall = medianOf(row, 'wallSeconds')
      return [
        row.name,
        wall.toFixed(1),
        `${Math.min(...walls).toFixed(1)} to ${Math.max(...walls).toFixed(1)}`,
        (Number(row.bytes) / 1e9 / wall).toFixed(2),
        medianOf(row, 'cpuSeconds').toFixed(1),
        (medianOf(row, 'peakBytes') / 1e6).toFixed(0),
        medianOf(row, 'serverCpuSeconds').toFixed(1),
      ]
    }),
  }
}

/** @param {Record<string, any>} facts */
function remarksOf({ bytes, parts, known, last }) {
  if (!last) return []
  return [
    `${bytes} bytes (${size(bytes)}) in ${parts} parts. The source counted ${last.bytesOut} bytes out, the destination ${last.bytesIn} in; ` +
      `the CRC-32 that the destination computed of them is the one of what was made, \`${known}\`, in every run. xfer's own was \`${last.crc32}\`, ` +
      `its proof: ${last.proof.join(', ')}.`,
  ]
}

const BLOG = platformJob({
  name: 'blog',
  title: "The blog post's job",
  about:
    "120 GiB as 1,229 parts of 100 MiB through functions of the sandbox's platform, between synthetic stores on this machine; the " +
    'destination computes the CRC-32 of all that comes in. The bare relay moves the same bytes between the same stores, which says what ' +
    'this machine can do at all. There is no quota: docs/design/simulation.md has what quotas make of it.',
  usual: { bytes: 120 * GIB, partBytes: 100 * MIB },
  small: { bytes: 64 * MIB, partBytes: 8 * MIB },
  beside: true,
  claims({ rows, facts }) {
    const [copy, relay] = [COPY_NAME, CLIENTS.relay.name].map(name => rowNamed(rows, name))
    const wall = copy && medianOf(copy, 'wallSeconds')
    const limit = relay && medianOf(relay, 'wallSeconds')
    const detail = limit === undefined ? undefined : `the bare relay takes ${limit.toFixed(0)}`
    return facts.bytes === 120 * GIB
      ? claim("seconds of the blog post's job, every byte moved and proved", wall, { atMost: BLOG_SECONDS, detail })
      : []
  },
})

const MANY_PARTS = platformJob({
  name: 'many-parts',
  title: 'What the command needs for 10,000 parts',
  about:
    "100 GiB in 10,000 parts through functions of the sandbox's platform, a thousand calls in flight: what the command itself costs " +
    'where the bytes do not pass through it.',
  usual: { bytes: 100 * GIB, partBytes: Math.ceil((100 * GIB) / 10_000), concurrency: 1000 },
  small: { bytes: 160 * MIB, partBytes: 5 * MIB, concurrency: 20 },
  beside: false,
  claims: () => [],
})

module.exports = { BLOG, MANY_PARTS }

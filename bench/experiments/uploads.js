#!/usr/bin/env node
'use strict'

/**
 * `node bench/experiments/uploads.js [--minutes N]`: bursts of uploads to a service, which writes them into a store in four ways.
 * Prints a table, and stores the raw numbers in bench/results/uploads.json. What does not fit into the minutes is left out, and it
 * is said. It needs versitygw, and `npm install` in examples/upload-service.
 */

const { spawn } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const { mkdtempSync, readdirSync, rmSync, statSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { setTimeout: delay } = require('node:timers/promises')
const { clean, list, makeBucket, remove } = require('../../lib')
const { PEERS } = require('../../sandbox/peers')
const { cpuSecondsOf, peakOf } = require('../measure')
const { markdownTable } = require('../report')
const { OUT, keepRun, readFlags } = require('./run')
const { beginForm, beginPut, outcomesOf, send, sendSlowly, vanish } = require('./upload-clients')

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'upload-service', 'server.js')
const OTHERS = join(__dirname, 'upload-ways.js')
const BUCKET = 'uploads'
const LOOK_EVERY_MS = 100
/** How long what vanished clients leave may take to go. */
const SETTLE_MS = 15_000
const WARM_UP = 20

/** @typedef {{ name: string, program: string, way?: string, begin: import('./upload-clients').Begin }} Way @type {Way[]} */
const WAYS = [
  { name: 'file, PUT', program: OTHERS, way: 'put', begin: beginForm },
  { name: 'file, multipart', program: OTHERS, way: 'parts', begin: beginForm },
  { name: 'streamed', program: EXAMPLE, begin: beginForm },
  { name: 'presigned PUT', program: OTHERS, begin: beginPut },
]

/** @typedef {{ atOnce: number, bytes: number, what?: 'all vanish' | 'beside 100 slow' }} Burst */

/** @type {Burst[]} what tells least is last, because the last may be left out */
const BURSTS = [
  ...[200, 1000, 1200].map(atOnce => ({ atOnce, bytes: 10_000 })),
  { atOnce: 100, bytes: 20_000_000, what: 'all vanish' },
  { atOnce: 200, bytes: 10_000, what: 'beside 100 slow' },
  ...[200, 1200].map(atOnce => ({ atOnce, bytes: 1_000_000 })),
  { atOnce: 50, bytes: 100_000_000 },
  { atOnce: 1000, bytes: 1_000_000 },
]
/** More than the example reads at a time. */
const SLOW = { atOnce: 100, bytes: 500_000, seconds: 8, headStartMs: 2000 }

/** @typedef {import('../../sandbox/peers').Peer} Peer */

/** @param {Peer} store */
const sideOf = ({ endpoint, region, accessKeyId, secretAccessKey }) => ({
  endpointUrl: endpoint,
  region,
  credentials: { accessKeyId, secretAccessKey },
})

/** @param {Way} way @param {Peer} store */
async function startService({ program, way }, { endpoint, region, accessKeyId, secretAccessKey }) {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-uploads-'))
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: folder,
      HOME: folder,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      PORT: '0',
      WAY: way,
      BUCKET,
      DESTINATION: `s3://${BUCKET}/`,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the service ended: was `npm install` done?')))
  died.catch(() => {})
  const [address] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), died])
  return {
    address: /** @type {string} */ (address),
    pid: /** @type {number} */ (child.pid),
    filesBytes: () =>
      readdirSync(folder).reduce(
        (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    async end() {
      child.kill('SIGKILL')
      await died.catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @param {Peer} store */
async function lookInto(store) {
  let [objects, objectBytes] = [0, 0]
  for await (const entry of list(`s3://${BUCKET}/`, { source: sideOf(store) })) {
    objects++
    if (entry.type === 'object') objectBytes += entry.bytes
  }
  const { uploads } = await clean(`s3://${BUCKET}`, { destination: sideOf(store), olderThan: '1ms' })
  return { objects, objectBytes, uploads: uploads.length }
}

/** @param {Peer} store */
const emptyBucket = store =>
  remove(`s3://${BUCKET}/`, { recursive: true, destination: sideOf(store) }).catch(error => {
    if (error.code !== 'NOTHING_FOUND') throw error
  })

/** @param {Way} way @param {Burst} burst @param {Peer} store */
async function measureBurst(way, burst, store) {
  const { atOnce, bytes, what } = burst
  const service = await startService(way, store)
  /** @param {import('./upload-clients').Send} how @param {number} clients @param {Buffer} body */
  const run = (how, clients, body) =>
    outcomesOf(Array.from({ length: clients }, () => how(way.begin, service.address, body)))
  try {
    await run(send, WARM_UP, randomBytes(1000))
    await emptyBucket(store)
    let [diskBytes, begun] = [0, 0]
    const looking = setInterval(async () => {
      diskBytes = Math.max(diskBytes, service.filesBytes())
      if (what === 'all vanish') begun = Math.max(begun, (await lookInto(store)).uploads)
    }, LOOK_EVERY_MS)
    const slow = what === 'beside 100 slow' && run(sendSlowly(SLOW.seconds), SLOW.atOnce, randomBytes(SLOW.bytes))
    if (slow) await delay(SLOW.headStartMs)
    const outcomes = await run(what === 'all vanish' ? vanish : send, atOnce, randomBytes(bytes))
    const slowOutcomes = slow ? await slow : []
    clearInterval(looking)
    const until = Date.now() + SETTLE_MS
    let there = await lookInto(store)
    while (what === 'all vanish' && there.objects + there.uploads + service.filesBytes() > 0 && Date.now() < until) {
      await delay(LOOK_EVERY_MS)
      there = await lookInto(store)
    }
    const times = outcomes.flatMap(({ why, ms }) => (why ? [] : [ms])).sort((one, other) => one - other)
    const quantile = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))]
    return {
      way: way.name,
      ...burst,
      succeeded: times.length,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      peakBytes: peakOf(service.pid),
      diskBytes,
      cpuSeconds: cpuSecondsOf([service.pid]),
      begun,
      ...there,
      leftOnDiskBytes: service.filesBytes(),
      slowFailed: slowOutcomes.filter(({ why }) => why).length,
      why: [...new Set([...outcomes, ...slowOutcomes].flatMap(({ why }) => why ?? []))].slice(0, 5),
    }
  } finally {
    await service.end()
    await emptyBucket(store)
  }
}

/** @typedef {Awaited<ReturnType<typeof measureBurst>>} Cell */

const HEAD = ['at once', 'each', 'way', 'succeed', 'p50, s', 'p99, s', 'memory, MB', 'disk, MB', 'CPU, s', 'left']

/** @param {Cell} cell */
function rowOf({ what, atOnce, bytes, way, succeeded, p50Ms, p99Ms, peakBytes, diskBytes, cpuSeconds, ...left }) {
  const each = bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`
  const gone = what === 'all vanish'
  const { objects, objectBytes, uploads, begun, leftOnDiskBytes } = left
  return [
    ...[`${atOnce}${what ? `, ${what}` : ''}`, each, way, gone ? '–' : `${((100 * succeeded) / atOnce).toFixed(1)} %`],
    ...[p50Ms, p99Ms].map(ms => (gone ? '–' : (ms / 1000).toFixed(2))),
    ...[(peakBytes / 1e6).toFixed(0), (diskBytes / 1e6).toFixed(0), cpuSeconds.toFixed(1)],
    gone
      ? `${objects} objects (${objectBytes} bytes), ${uploads} of ${begun} uploads, ${leftOnDiskBytes} bytes on disk`
      : '',
  ]
}

async function main() {
  const { minutes } = readFlags({ minutes: '5' })
  const until = Date.now() + Number(minutes) * 60_000
  const store = await PEERS.versitygw?.({ args: ['--keep-alive'] })
  if (!store) throw new Error('versitygw is not on the PATH, nor in the folder XFER_TEST_BIN.')
  /** @type {Cell[]} */
  const cells = []
  /** @type {string[]} */
  const leftOut = []
  try {
    await makeBucket(`s3://${BUCKET}`, { destination: sideOf(store) })
    for (const burst of BURSTS) {
      for (const way of WAYS) {
        if (Date.now() < until) cells.push(await measureBurst(way, burst, store))
        else leftOut.push(`${burst.atOnce} of ${burst.bytes} bytes, ${way.name}`)
      }
    }
  } finally {
    await store.close()
  }
  keepRun(OUT, { name: 'uploads', script: 'uploads.js', servers: ['versitygw'], runs: 1, leftOut, facts: { cells } })
  process.stdout.write(`${markdownTable({ head: HEAD, rows: cells.map(rowOf) })}\n`)
  for (const what of leftOut) process.stdout.write(`left out, for want of time: ${what}\n`)
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})

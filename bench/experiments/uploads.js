#!/usr/bin/env node
'use strict'

/**
 * `node bench/experiments/uploads.js [--minutes N] [--way NAME]...`: bursts of uploads to a service, which writes them into a store
 * in four ways. Prints a table, and stores the raw numbers in bench/results/uploads.json. What does not fit into the minutes is
 * left out, and it is said. The services need `npm install` in examples/upload-service.
 */

const { spawn } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const { existsSync, mkdtempSync, readdirSync, rmSync, statSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { setTimeout: delay } = require('node:timers/promises')
const { parseArgs } = require('node:util')
const { clean, list, makeBucket, remove } = require('../../lib')
const { PEERS } = require('../../sandbox/peers')
const { startSandbox } = require('../../sandbox/sandbox')
const { commitOf, describeMachine, versionsOf } = require('../machine')
const { cpuSecondsOf, peakOf } = require('../measure')
const { markdownTable } = require('../report')
const { keep } = require('../results')
const clients = require('./upload-clients')

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'upload-service')
const BUCKET = 'uploads'
const LOOK_EVERY_MS = 100
const SETTLE_MS = 15_000

const form = { send: clients.sendForm, vanish: clients.vanishFromForm }
/** What users call it, its program, and how its clients send. */
const WAYS = [
  { name: 'file, PUT', program: join(__dirname, 'upload-ways.js'), way: 'put', ...form },
  { name: 'file, multipart', program: join(__dirname, 'upload-ways.js'), way: 'parts', ...form },
  { name: 'streamed', program: join(EXAMPLE, 'server.js'), way: '', ...form },
  {
    ...{ name: 'presigned PUT', program: join(__dirname, 'upload-ways.js'), way: 'presign' },
    ...{ send: clients.sendToStore, vanish: clients.vanishFromStore },
  },
]

/** @typedef {{ atOnce: number, bytes: number, beside?: 'slow' | 'vanishing' }} Burst beside: all clients vanish, or others are slow */

/** @type {Burst[]} what tells least is last, because the last may be left out */
const BURSTS = [
  ...[200, 1000, 1200].map(atOnce => ({ atOnce, bytes: 10_000 })),
  { atOnce: 100, bytes: 20_000_000, beside: 'vanishing' },
  { atOnce: 200, bytes: 10_000, beside: 'slow' },
  ...[200, 1200].map(atOnce => ({ atOnce, bytes: 1_000_000 })),
  { atOnce: 50, bytes: 100_000_000 },
  { atOnce: 1000, bytes: 1_000_000 },
]
/** More than the example reads at a time. */
const SLOW = { clients: 100, bytes: 500_000, seconds: 8, headStartMs: 2000 }
const WARM_UP = 20

/** @param {string} line */
const say = line => process.stderr.write(`${line}\n`)

/** @typedef {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} Access */

/** @param {Access} store */
const optionsOf = ({ endpoint, region, accessKeyId, secretAccessKey }) => {
  const side = { endpointUrl: endpoint, region, credentials: { accessKeyId, secretAccessKey } }
  return { source: side, destination: side }
}

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/** @param {(typeof WAYS)[number]} way @param {Access} store */
async function startService({ program, way }, { endpoint, region, accessKeyId, secretAccessKey }) {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-uploads-'))
  const child = spawn(process.execPath, [program], {
    env: {
      ...{
        PATH: process.env.PATH,
        TMPDIR: folder,
        HOME: folder,
        PORT: '0',
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      },
      ...{ WAY: way, BUCKET, DESTINATION: `s3://${BUCKET}/` },
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_REGION: region },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = /** @type {number} */ (child.pid)
  const exited = once(child, 'exit')
  const died = exited.then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`)))
  died.catch(() => {})
  const [address] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), died])
  const filesBytes = () => {
    const sizes = readdirSync(folder).map(name => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  }
  async function end() {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: /** @type {string} */ (address), pid, filesBytes, end }
}

/** @param {Access} store */
async function whatIsThere(store) {
  const { source, destination } = optionsOf(store)
  let [objects, storedBytes] = [0, 0]
  for await (const entry of list(`s3://${BUCKET}/`, { source })) {
    if (entry.type !== 'object') continue
    objects++
    storedBytes += entry.bytes
  }
  const { uploads } = await clean(`s3://${BUCKET}`, { destination, olderThan: '1ms' })
  return { objects, storedBytes, uploads: uploads.length }
}

/** @param {Access} store @param {() => number} filesBytes @returns {ReturnType<typeof whatIsThere>} what stays */
async function leftovers(store, filesBytes) {
  const until = Date.now() + SETTLE_MS
  for (;;) {
    const there = await whatIsThere(store)
    if (there.objects + there.uploads + filesBytes() === 0 || Date.now() > until) return there
    await delay(LOOK_EVERY_MS)
  }
}

/** @param {Access} store */
async function emptyBucket(store) {
  const { destination } = optionsOf(store)
  await remove(`s3://${BUCKET}/`, { recursive: true, destination }).catch(error => {
    if (error.code !== 'NOTHING_FOUND') throw error
  })
}

/**
 * All vanish half-way.
 *
 * @param {(typeof WAYS)[number]} way @param {Service} service @param {Burst & { body: Buffer }} burst @param {Access} store
 */
async function runVanishing(way, { address, filesBytes }, { atOnce, body }, store) {
  let begun = 0
  let gone = false
  const vanished = Promise.all(Array.from({ length: atOnce }, () => way.vanish(address, body))).then(() => {
    gone = true
  })
  // Had there been none, nothing would be shown by none that stays.
  while (!gone) begun = Math.max(begun, (await whatIsThere(store)).uploads)
  await vanished
  return { begun, ...(await leftovers(store, filesBytes)) }
}

/** @param {(typeof WAYS)[number]} way @param {Service} service @param {Burst & { body: Buffer }} burst */
async function runBurst(way, { address }, { atOnce, body, beside }) {
  const slow = Array.from({ length: beside === 'slow' ? SLOW.clients : 0 }, () =>
    clients.outcomeOf(clients.sendSlowly(address, randomBytes(SLOW.bytes), SLOW.seconds)),
  )
  if (beside === 'slow') await delay(SLOW.headStartMs)
  const startedMs = performance.now()
  const outcomes = await clients.burst(way.send, address, body, atOnce)
  const seconds = (performance.now() - startedMs) / 1000
  const slowOutcomes = await Promise.all(slow)
  const times = outcomes.flatMap(({ ok, ms }) => (ok ? [ms] : [])).sort((one, other) => one - other)
  /** @param {number} share */
  const quantile = share => times[Math.min(times.length - 1, Math.floor(share * times.length))]
  return {
    ...{ seconds, succeeded: times.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) },
    slowSucceeded: slowOutcomes.filter(({ ok }) => ok).length,
    why: [...new Set([...outcomes, ...slowOutcomes].flatMap(({ why }) => why ?? []))].slice(0, 5),
  }
}

/** @param {(typeof WAYS)[number]} way @param {Burst} burst @param {Access} store */
async function measureBurst(way, burst, store) {
  const service = await startService(way, store)
  try {
    const body = randomBytes(burst.bytes)
    await clients.burst(way.send, service.address, body.subarray(0, 1000), WARM_UP)
    await emptyBucket(store)
    const cpuBefore = cpuSecondsOf([service.pid])
    let diskBytes = 0
    const looking = setInterval(() => {
      diskBytes = Math.max(diskBytes, service.filesBytes())
    }, LOOK_EVERY_MS)
    const found =
      burst.beside === 'vanishing'
        ? await runVanishing(way, service, { ...burst, body }, store)
        : { ...(await runBurst(way, service, { ...burst, body })), ...(await whatIsThere(store)) }
    clearInterval(looking)
    return /** @type {Cell} */ ({
      ...{ way: way.name, ...burst, ...found, diskBytes, peakBytes: peakOf(service.pid) },
      ...{ cpuSeconds: cpuSecondsOf([service.pid]) - cpuBefore, leftOnDiskBytes: service.filesBytes() },
    })
  } finally {
    await service.end()
    await emptyBucket(store)
  }
}

/**
 * @typedef {Burst & Awaited<ReturnType<typeof whatIsThere>> & Partial<Awaited<ReturnType<typeof runBurst>>> & { way: string,
 *   diskBytes: number, peakBytes: number, cpuSeconds: number, leftOnDiskBytes: number, begun?: number }} Cell
 */

/** @param {number} bytes */
const sizeOf = bytes => (bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`)

/** @param {Cell} cell */
function rowOf({ way, atOnce, bytes, beside, diskBytes, peakBytes, cpuSeconds, ...found }) {
  const { succeeded, p50Ms, p99Ms, slowSucceeded, begun, objects, uploads, storedBytes, leftOnDiskBytes } = found
  const what = { slow: `, beside ${SLOW.clients} slow ones`, vanishing: ', all vanish' }
  const seconds = (/** @type {number | undefined} */ ms) => (ms === undefined ? '–' : (ms / 1000).toFixed(2))
  const left = `${objects} objects (${storedBytes / 1e6} MB), ${uploads} of ${begun} uploads, ${leftOnDiskBytes} bytes on disk`
  return [
    ...[`${atOnce}${beside ? what[beside] : ''}`, sizeOf(bytes), way],
    succeeded === undefined ? '–' : `${((100 * succeeded) / atOnce).toFixed(1)} %`,
    ...[
      seconds(p50Ms),
      seconds(p99Ms),
      (peakBytes / 1e6).toFixed(0),
      (diskBytes / 1e6).toFixed(0),
      cpuSeconds.toFixed(1),
    ],
    beside === 'vanishing' ? left : beside === 'slow' ? `${slowSucceeded} slow ones succeed` : '',
  ]
}

const HEAD = ['at once', 'each', 'way', 'succeed', 'p50, s', 'p99, s', 'memory, MB', 'disk, MB', 'CPU, s', '']

async function main() {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '5' }, way: { type: 'string', multiple: true } },
  })
  if (!existsSync(join(EXAMPLE, 'node_modules', 'fastify'))) {
    throw new Error('First type: npm install --prefix examples/upload-service')
  }
  const until = Date.now() + Number(values.minutes) * 60_000
  const sandbox = PEERS.versitygw ? undefined : await startSandbox({ stores: [{}], openwhisk: {} })
  const peer = await PEERS.versitygw?.({ args: ['--keep-alive'] })
  const store = /** @type {Access} */ (peer ?? sandbox?.stores[0])
  /** @type {Cell[]} */
  const cells = []
  const leftOut = []
  try {
    await makeBucket(`s3://${BUCKET}`, { destination: optionsOf(store).destination })
    for (const burst of BURSTS) {
      for (const way of WAYS.filter(({ name }) => values.way?.includes(name) ?? true)) {
        const what = `${burst.atOnce} of ${sizeOf(burst.bytes)}${burst.beside ? `, ${burst.beside}` : ''}, ${way.name}`
        if (Date.now() > until) leftOut.push(what)
        else {
          cells.push(await measureBurst(way, burst, store))
          say(what)
        }
      }
    }
  } finally {
    await (peer ?? sandbox)?.close()
  }
  keep(join(__dirname, '..', 'RESULTS.md'), {
    ...{ case: 'uploads', date: new Date().toISOString(), commit: commitOf(), machine: describeMachine() },
    ...{ command: 'node bench/experiments/uploads.js', versions: versionsOf(['versitygw']), runs: 1, quick: false },
    ...{ rows: [], leftOut, facts: { store: peer ? 'versitygw' : 'sandbox', cells } },
  })
  process.stdout.write(`${markdownTable({ head: HEAD, rows: cells.map(rowOf) })}\n`)
  for (const what of leftOut) say(`left out, for want of time: ${what}`)
}

main().catch(error => {
  say(error.stack)
  process.exitCode = 1
})

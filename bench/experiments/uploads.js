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
const { markdownTable, size } = require('../report')
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

/** @type {Burst[]} the longest last, because it is what may be left out */
const BURSTS = [
  ...[200, 1000, 1200].map(atOnce => ({ atOnce, bytes: 10_000 })),
  { atOnce: 100, bytes: 20_000_000, beside: 'vanishing' },
  { atOnce: 200, bytes: 10_000, beside: 'slow' },
  ...[200, 1000, 1200].map(atOnce => ({ atOnce, bytes: 1_000_000 })),
  { atOnce: 50, bytes: 100_000_000 },
]
/** More than the example reads at a time. */
const SLOW = { clients: 100, bytes: 500_000, seconds: 10 }

/** @param {string} line */
const say = line => process.stderr.write(`${line}\n`)

/** @typedef {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} Access */

/** @param {Access} store */
const optionsOf = ({ endpoint, region, accessKeyId, secretAccessKey }) => {
  const side = { endpointUrl: endpoint, region, credentials: { accessKeyId, secretAccessKey } }
  return { source: side, destination: side }
}

/** @param {(typeof WAYS)[number]} way @param {Access} store */
async function startService({ program, way }, { endpoint, region, accessKeyId, secretAccessKey }) {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-uploads-'))
  const child = spawn(process.execPath, [program], {
    env: {
      ...{ PATH: process.env.PATH, TMPDIR: folder, HOME: folder, PORT: '0' },
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
  const { uploads } = await clean(`s3://${BUCKET}`, { destination, olderThan: '0s' })
  return { objects, storedBytes, uploads: uploads.length }
}

/** @param {Access} store @returns {Promise<{ objects: number, uploads: number }>} what stays, for a while at least */
async function leftovers(store) {
  const until = Date.now() + SETTLE_MS
  for (;;) {
    const there = await whatIsThere(store)
    if (there.objects + there.uploads === 0 || Date.now() > until) return there
    await delay(LOOK_EVERY_MS)
  }
}

/** @param {(typeof WAYS)[number]} way @param {Burst} burst @param {Access} store */
async function measureBurst(way, { atOnce, bytes, beside }, store) {
  const service = await startService(way, store)
  try {
    const body = randomBytes(bytes)
    await clients.burst(way.send, service.address, body.subarray(0, 1000), 20)
    await remove(`s3://${BUCKET}/`, { recursive: true, destination: optionsOf(store).destination })
    const cpuBefore = cpuSecondsOf([service.pid])
    let [diskBytes, begun] = [0, 0]
    const looking = setInterval(() => {
      diskBytes = Math.max(diskBytes, service.filesBytes())
    }, LOOK_EVERY_MS)
    const startedMs = performance.now()
    const slow = beside === 'slow' ? SLOW.clients : 0
    const others = Array.from({ length: slow }, () =>
      clients.outcomeOf(clients.sendSlowly(service.address, randomBytes(SLOW.bytes), SLOW.seconds)),
    )
    if (slow > 0) await delay(2000)
    if (beside === 'vanishing') {
      const gone = Promise.all(Array.from({ length: atOnce }, () => way.vanish(service.address, body)))
      let over = false
      gone.finally(() => {
        over = true
      })
      while (!over) begun = Math.max(begun, (await whatIsThere(store)).uploads)
      await gone
    }
    const outcomes = beside === 'vanishing' ? [] : await clients.burst(way.send, service.address, body, atOnce)
    const slowOutcomes = await Promise.all(others)
    const seconds = (performance.now() - startedMs) / 1000
    clearInterval(looking)
    const good = outcomes.filter(({ ok }) => ok).map(({ ms }) => ms)
    good.sort((one, other) => one - other)
    const at = (/** @type {number} */ share) => good[Math.min(good.length - 1, Math.floor(share * good.length))]
    const there = beside === 'vanishing' ? await leftovers(store) : await whatIsThere(store)
    return {
      ...{ way: way.name, atOnce, bytes, beside, succeeded: good.length, seconds, diskBytes, begun, ...there },
      ...{ p50Ms: at(0.5), p99Ms: at(0.99), peakBytes: peakOf(service.pid) },
      cpuSeconds: cpuSecondsOf([service.pid]) - cpuBefore,
      slowSucceeded: slowOutcomes.filter(({ ok }) => ok).length,
      filesBytesAfter: service.filesBytes(),
      why: [...new Set([...outcomes, ...slowOutcomes].flatMap(({ why }) => why ?? []))].slice(0, 5),
    }
  } finally {
    await service.end()
    await remove(`s3://${BUCKET}/`, { recursive: true, destination: optionsOf(store).destination })
  }
}

/** @typedef {Awaited<ReturnType<typeof measureBurst>>} Cell */

/** @param {Cell} cell */
function rowOf(cell) {
  const { way, atOnce, bytes, beside, succeeded, p50Ms, p99Ms, peakBytes, diskBytes, cpuSeconds, objects, uploads } =
    cell
  const what =
    beside === 'slow' ? `${atOnce}, beside ${SLOW.clients} slow ones` : `${atOnce}${beside ? ', all vanish' : ''}`
  const ms = (/** @type {number | undefined} */ value) => (value === undefined ? '–' : (value / 1000).toFixed(2))
  return [
    ...[what, size(bytes), way, beside === 'vanishing' ? '–' : `${((100 * succeeded) / atOnce).toFixed(1)} %`],
    ...[ms(p50Ms), ms(p99Ms), (peakBytes / 1e6).toFixed(0), (diskBytes / 1e6).toFixed(0), cpuSeconds.toFixed(1)],
    beside === 'vanishing' ? `${objects} objects, ${uploads} uploads` : '',
  ]
}

const HEAD = ['at once', 'each', 'way', 'succeed', 'p50, s', 'p99, s', 'memory, MB', 'disk, MB', 'CPU, s', 'left']

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
        const what = `${burst.atOnce} of ${size(burst.bytes)}${burst.beside ? `, ${burst.beside}` : ''}, ${way.name}`
        if (Date.now() > until) leftOut.push(what)
        else {
          cells.push(await measureBurst(way, burst, store))
          say(`${what}: ${cells.at(-1)?.seconds.toFixed(1)} s`)
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

#!/usr/bin/env node
'use strict'

/**
 * What a client of small objects gains by waiting less, and by being lighter: puts and gets an object at a time, each strategy
 * against the same server on this machine. docs/experiments.md tells what came of it. Linux only, as measure.js.
 */

const { randomBytes } = require('node:crypto')
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { XFER, bareEnvironment } = require('../clients')
const { commitOf, describeMachine, versionsOf } = require('../machine')
const { cpuSecondsOf, measure, median } = require('../measure')
const { markdownTable } = require('../report')
const { keep } = require('../results')
const { createLightClient } = require('./light-client')
const { createSdkClient, doOne, startSdkThread } = require('./sdk-client')

const BUCKET = 'bench'
const OPERATIONS = /** @type {const} */ (['put', 'get'])
const WARM_UP = 100
/** The most seconds of one strategy's puts, or gets, in a round. */
const PHASE_SECONDS = 3
const THREADS = availableParallelism() + 4
const CORES = availableParallelism()
/** Twice the connections that bring less are no gain. */
const GAIN = 1.1
/** More in one folder make servers slow that keep objects as files. */
const A_FOLDER = 1_000

/** @typedef {import('../../sandbox/peers').Peer} Peer */
/** @typedef {Pick<Peer, 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'region'>} Server */
/** @typedef {typeof OPERATIONS[number]} Operation */
/** @typedef {{ put: (name: string, body: Buffer) => Promise<void>, get: (name: string) => Promise<Buffer>, close: () => void }} Client */
/** @typedef {() => string | undefined} Take the name of the next object; undefined: there is none, or the time is up */
/** @typedef {{ seconds: number, operations: number, cpuSeconds: number, serverCpuSeconds: number }} Run */

/**
 * `run` does an operation with every name that it takes; what has names of its own does `all` of them. pid: of another server.
 * @typedef {{ close: () => unknown, pid?: number } & ({ run: (operation: Operation, take: Take) => Promise<unknown> } |
 *   { all: (operation: Operation, folder: string) => Promise<{ operations: number, wallSeconds: number, cpuSeconds: number }> })} Opened
 * @typedef {{ server: Peer, body: Buffer, home: string, objects: number }} World
 * @typedef {{ name: string, atOnce?: number, light?: true, open: (world: World) => Opened | Promise<Opened> }} Strategy
 */

/** @param {number} atOnce @param {Take} take @param {(name: string, loop: number) => unknown} one */
const loops = (atOnce, take, one) =>
  Promise.all(
    Array.from({ length: atOnce }, async (_, loop) => {
      for (let name = take(); name !== undefined; name = take()) await one(name, loop)
    }),
  )

/** @param {string} name @param {number} atOnce @param {(world: World) => Client} create @returns {Strategy} */
const concurrent = (name, atOnce, create) => ({
  name,
  atOnce,
  open(world) {
    const client = create(world)
    const run = (/** @type {Operation} */ operation, /** @type {Take} */ take) =>
      loops(atOnce, take, key => doOne(client, operation, key, world.body))
    return { run, close: client.close }
  },
})

/** @param {string} name @param {number} atOnce */
const sdk = (name, atOnce) => concurrent(name, atOnce, ({ server }) => createSdkClient(server, BUCKET, atOnce))

/** @param {number} atOnce @returns {Strategy} */
const light = atOnce => ({
  ...concurrent(`own light client, ${atOnce} at once`, atOnce, ({ server }) => createLightClient(server, BUCKET)),
  light: true,
})

/** Ratios are to the first. A server of another protocol brings its own rows: they open it, and leave `server` alone. @type {Strategy[]} */
const STRATEGIES = [
  {
    name: 'one by one: SDK, the thread blocks',
    async open({ server, body }) {
      const thread = await startSdkThread(server, BUCKET, body)
      const run = async (/** @type {Operation} */ operation, /** @type {Take} */ take) => {
        for (let key = take(); key !== undefined; key = take()) thread.block(operation, key)
      }
      return { run, close: thread.close }
    },
  },
  {
    name: `pool of ${THREADS} worker threads: SDK`,
    async open({ server, body }) {
      const pool = await Promise.all(Array.from({ length: THREADS }, () => startSdkThread(server, BUCKET, body)))
      return {
        run: (operation, take) => loops(THREADS, take, (key, i) => pool[i].call(operation, key)),
        close: () => Promise.all(pool.map(thread => thread.close())),
      }
    },
  },
  sdk('naive await: SDK', 1),
  sdk('bounded tasks: SDK, 64 at once', 64),
  sdk('bounded tasks: SDK, 1,000 at once', 1_000),
  ...[1, 4, 16, 64, 128, 256].map(light),
  { name: 'xfer copy -r, files up and down', open: openXfer },
]

/** The whole program, with its start, its lists of both sides, and the proof of each copy. @param {World} world @returns {Opened} */
function openXfer({ server, body, home, objects }) {
  const files = join(home, 'files')
  mkdirSync(files)
  const names = Array.from({ length: objects }, (_, i) => nameOf(i))
  for (let i = 0; i < objects; i += A_FOLDER) mkdirSync(join(files, nameOf(i), '..'))
  for (const name of names) writeFileSync(join(files, name), body)
  const env = {
    ...bareEnvironment(home),
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: server.region,
    AWS_ENDPOINT_URL: server.endpoint,
  }
  return {
    async all(operation, folder) {
      const down = join(home, 'down')
      const ends =
        operation === 'put' ? [`${files}/`, `s3://${BUCKET}/${folder}`] : [`s3://${BUCKET}/${folder}`, `${down}/`]
      const cost = await measure([process.execPath, XFER, 'copy', '-r', ...ends, '--quiet'], env)
      if (cost.status !== 0) throw new Error(`xfer: ${cost.stderr}`)
      if (operation === 'get') {
        const wrong = names.some(name => !readFileSync(join(down, name)).equals(body))
        rmSync(down, { recursive: true })
        if (wrong) throw new Error('xfer brought something else')
      }
      return { ...cost, operations: objects }
    },
    close: () => rmSync(files, { recursive: true }),
  }
}

/** @param {number} i @returns {string} of an object, or a file */
const nameOf = i => `${Math.floor(i / A_FOLDER)}/${i}`

/** @param {string} folder @param {number} most @param {number} [seconds] */
function namesIn(folder, most, seconds = PHASE_SECONDS) {
  const until = performance.now() + seconds * 1000
  const names = {
    taken: 0,
    take: () => (names.taken < most && performance.now() < until ? folder + nameOf(names.taken++) : undefined),
  }
  return names
}

/** @param {Opened} opened @param {World} world @param {string} folder ends in a slash @returns {Promise<Record<Operation, Run>>} */
async function runOnce(opened, { server, objects }, folder) {
  /** @type {Partial<Record<Operation, Run>>} */
  const runs = {}
  let most = objects
  for (const operation of OPERATIONS) {
    const serverBefore = cpuSecondsOf([opened.pid ?? server.pid])
    const before = process.cpuUsage()
    const started = performance.now()
    const names = namesIn(folder, most)
    const own = 'all' in opened ? await opened.all(operation, folder) : void (await opened.run(operation, names.take))
    const { user, system } = process.cpuUsage(before)
    runs[operation] = {
      seconds: own?.wallSeconds ?? (performance.now() - started) / 1000,
      operations: own?.operations ?? names.taken,
      cpuSeconds: own?.cpuSeconds ?? (user + system) / 1e6,
      serverCpuSeconds: cpuSecondsOf([opened.pid ?? server.pid]) - serverBefore,
    }
    // What has been put can be got.
    most = names.taken
  }
  rmSync(join(server.dir, BUCKET, folder), { recursive: true, force: true, maxRetries: 5 })
  return /** @type {Record<Operation, Run>} */ (runs)
}

/** @typedef {{ name: string, atOnce?: number, light?: true, kind: 'xfer' | 'peer', runs: Record<Operation, Run>[] }} Row */

/**
 * Strategies take turns, so that other load affects all of them; as many rounds as the time allows, and at least one.
 *
 * @param {World} world @param {{ rounds: number, seconds: number }} bounds @returns {Promise<Row[]>}
 */
async function takeRounds(world, { rounds, seconds }) {
  const until = performance.now() + seconds * 1000
  /** @type {Array<{ opened: Opened, row: Row }>} */
  const all = []
  try {
    for (const { open, name, atOnce, light } of STRATEGIES) {
      const opened = await open(world)
      all.push({ opened, row: { name, atOnce, light, kind: 'all' in opened ? 'xfer' : 'peer', runs: [] } })
      if ('run' in opened) for (const one of OPERATIONS) await opened.run(one, namesIn('warm-up/', WARM_UP).take)
    }
    for (let round = 0, longest = 0; round < rounds && performance.now() + longest < until; round++) {
      const started = performance.now()
      for (const [i, { opened, row }] of all.entries()) row.runs.push(await runOnce(opened, world, `${round}-${i}/`))
      longest = Math.max(longest, performance.now() - started)
    }
  } finally {
    for (const { opened } of all) await opened.close()
  }
  return all.map(({ row }) => row)
}

/** Medians. cpu: of the client, microseconds an operation; cores: how many the client and the server kept busy. @param {Row} row @param {Operation} operation */
function figuresOf({ runs }, operation) {
  const of = (/** @type {(run: Run) => number} */ figure) => median(runs.map(run => figure(run[operation])))
  return {
    rate: of(run => run.operations / run.seconds),
    cpu: of(run => (run.cpuSeconds / run.operations) * 1e6),
    serverCpu: of(run => (run.serverCpuSeconds / run.operations) * 1e6),
    cores: of(run => run.cpuSeconds / run.seconds),
    serverCores: of(run => run.serverCpuSeconds / run.seconds),
  }
}

/** @param {Row[]} rows @returns {import('../report').Table} */
function tableOf(rows) {
  const first = { put: figuresOf(rows[0], 'put'), get: figuresOf(rows[0], 'get') }
  const cells = (/** @type {Row} */ row) =>
    OPERATIONS.flatMap(operation => {
      const { rate, cpu, serverCpu } = figuresOf(row, operation)
      return [rate.toFixed(0), (rate / first[operation].rate).toFixed(2), cpu.toFixed(0), serverCpu.toFixed(0)]
    })
  const head = OPERATIONS.flatMap(one => [`${one}s/s`, 'to the first', `CPU µs/${one}`, "server's"])
  return { head: ['strategy', ...head], rows: rows.map(row => [row.name, ...cells(row)]) }
}

/** When the server limits: more connections of the lightest client bring no more, and the server has most of the processors. @param {Row[]} rows @param {Operation} operation */
function momentOf(rows, operation) {
  const steps = rows.filter(row => row.light).map(row => ({ atOnce: row.atOnce, ...figuresOf(row, operation) }))
  const best = Math.max(...steps.map(({ rate }) => rate))
  const step = steps.find(({ rate }) => rate * GAIN >= best) ?? steps[0]
  const shares = `the server keeps ${step.serverCores.toFixed(2)} of ${CORES} cores busy, the client ${step.cores.toFixed(2)}`
  const who = step.serverCores > step.cores ? 'the server limits' : 'the client limits'
  return `${operation}s: ${who} from ${step.atOnce} connections of the light client on (${step.rate.toFixed(0)}/s; ${shares}).`
}

/** Where xfer stands among all. @param {Row[]} rows @param {Operation} operation */
function placeOf(rows, operation) {
  const rateOf = (/** @type {Row} */ row) => figuresOf(row, operation).rate
  const own = rateOf(/** @type {Row} */ (rows.find(({ kind }) => kind === 'xfer')))
  const ahead = rows.filter(row => rateOf(row) > own).sort((a, b) => rateOf(b) - rateOf(a))
  const where =
    ahead.length === 0
      ? 'is at the top'
      : `has ${ahead.length} of ${rows.length - 1} ahead of it: ${(own / rateOf(ahead[0])).toFixed(2)} of "${ahead[0].name}"`
  return `${operation}s: xfer ${where}.`
}

const USAGE = `Usage: node bench/experiments/client-strategies.js [options]
  --objects N   of each strategy in a round, if ${PHASE_SECONDS} s are enough for them (10000)
  --bytes N     of an object (4096)
  --rounds N    (3)
  --seconds N   after which no further round begins that may not end in time (240)
  --out FILE    raw numbers go to the folder results beside it (bench/RESULTS.md)
Servers are looked for in the folder XFER_TEST_BIN and on the PATH.`

async function main() {
  const text = /** @type {const} */ ({ type: 'string' })
  const options = {
    objects: text,
    bytes: text,
    rounds: text,
    seconds: text,
    out: text,
    help: /** @type {const} */ ({ type: 'boolean' }),
  }
  const { values } = parseArgs({ options })
  if (values.help) return void console.log(USAGE)
  const { objects, bytes, rounds, seconds } = Object.fromEntries(
    Object.entries({ objects: 10_000, bytes: 4096, rounds: 3, seconds: 240, ...values }).map(([name, n]) => [
      name,
      Number(n),
    ]),
  )
  const servers = /** @type {const} */ ([
    ['versitygw', ['--keep-alive', '--quiet']],
    ['minio', []],
  ])
  const present = servers.filter(([name]) => PEERS[name])
  for (const [name, args] of present) {
    const server = await /** @type {NonNullable<typeof PEERS.minio>} */ (PEERS[name])({ args: [...args] })
    const home = mkdtempSync(join(server.dir, '..', 'xfer-strategies-'))
    try {
      await makeBucket(server, BUCKET)
      const world = { server, body: randomBytes(bytes), home, objects }
      const rows = await takeRounds(world, { rounds, seconds: seconds / present.length })
      const moments = OPERATIONS.flatMap(one => [momentOf(rows, one), placeOf(rows, one)])
      keep(values.out ?? join(__dirname, '..', 'RESULTS.md'), {
        ...{ case: `client-strategies-${name}`, date: new Date().toISOString(), commit: commitOf() },
        ...{
          command: 'node bench/experiments/client-strategies.js',
          machine: describeMachine(),
          versions: versionsOf([name]),
        },
        ...{
          runs: rows[0].runs.length,
          quick: false,
          rows: /** @type {any[]} */ (rows),
          leftOut: [],
          facts: { bytes, objects, moments },
        },
      })
      console.log(`${name}, objects of ${bytes} bytes, medians of ${rows[0].runs.length} rounds\n`)
      console.log([markdownTable(tableOf(rows)), '', ...moments, ''].join('\n'))
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      await server.close()
    }
  }
  for (const [name] of servers) if (!PEERS[name]) console.log(`Left out: ${name}, which is not installed.`)
}

if (require.main === module) main()

module.exports = { createLightClient, momentOf, namesIn, placeOf }

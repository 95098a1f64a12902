#!/usr/bin/env node
'use strict'

/**
 * What a client of small objects gains by waiting less, and by being lighter: puts and gets an object at a time, each strategy
 * against the same server on this machine. docs/experiments.md tells what came of it. Linux only, as measure.js.
 *
 * Usage: node bench/experiments/client-strategies.js [--objects N] [--bytes N] [--rounds N] [--seconds N] [--out FILE]
 * objects: of each strategy in a round, if PHASE_SECONDS are enough for them; seconds: after which no round begins that may not end
 * in time; out: raw numbers go to the folder results beside it. Servers are looked for in the folder XFER_TEST_BIN and on the PATH.
 */

const { randomBytes } = require('node:crypto')
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS, startRedis } = require('../../sandbox/peers')
const { XFER, bareEnvironment } = require('../clients')
const { cpuSecondsOf, measure, median } = require('../measure')
const { markdownTable } = require('../report')
const { createLightClient } = require('./light-client')
const { OUT, exitOnSignals, keepRun, readFlags, removeAtExit } = require('./run')
const { createSdkClient, doOne, startSdkThread } = require('./sdk-client')

const BUCKET = 'bench'
const OPERATIONS = /** @type {const} */ (['put', 'get'])
const WARM_UP = 100
/** The most seconds of one strategy's puts, or gets, in a round. */
const PHASE_SECONDS = 3
const CORES = availableParallelism()
const THREADS = CORES + 4
/** A rate that is this much higher is a gain. */
const GAIN = 1.1
/** More in one folder make servers slow that keep objects as files. */
const A_FOLDER = 1_000
/** The thread that blocks cannot read what a server prints. @type {Array<[name: 'versitygw' | 'minio', args: string[]]>} */
const SERVERS = [
  ['versitygw', ['--keep-alive', '--quiet']],
  ['minio', []],
]

/** @typedef {import('../../sandbox/peers').Peer} Peer */
/** @typedef {Pick<Peer, 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'region'>} Server */
/** @typedef {typeof OPERATIONS[number]} Operation */
/** @typedef {{ put: (name: string, body: Buffer) => Promise<void>, get: (name: string) => Promise<Buffer>, close: () => void }} Client */
/** @typedef {{ seconds: number, operations: number, cpuSeconds: number, serverCpuSeconds: number }} Run */

/**
 * `one` does an operation with one name, in one of `atOnce` loops; what has loops and names of its own does `all`. pid: of another server.
 *
 * @typedef {{ close: () => unknown, pid?: number, one?: (operation: Operation, name: string, loop: number) => unknown,
 *   all?: (operation: Operation, folder: string) => Promise<import('../measure').Cost> }} Opened
 * @typedef {{ server: Peer, body: Buffer, home: string, objects: number }} World
 * @typedef {{ name: string, atOnce: number, kind: 'sdk' | 'light' | 'xfer' | 'redis', open: (world: World) => Opened | Promise<Opened> }} Strategy
 * @typedef {Omit<Strategy, 'open'> & { runs: Record<Operation, Run>[] }} Row
 */

/** @param {Strategy['kind']} kind @param {string} name @param {number} atOnce @param {(server: Server, bucket: string, atOnce: number) => Client} create @returns {Strategy} */
const tasks = (kind, name, atOnce, create) => ({
  kind,
  name,
  atOnce,
  open({ server, body }) {
    const client = create(server, BUCKET, atOnce)
    return { one: (operation, key) => doOne(client, operation, key, body), close: client.close }
  },
})

/** @param {string} name @param {number} atOnce @param {'block' | 'call'} way @returns {Strategy} */
const threads = (name, atOnce, way) => ({
  kind: 'sdk',
  name,
  atOnce,
  async open({ server, body }) {
    const pool = await Promise.all(Array.from({ length: atOnce }, () => startSdkThread(server, BUCKET, body)))
    return {
      one: (operation, key, loop) => pool[loop][way](operation, key),
      close: () => Promise.all(pool.map(thread => thread.close())),
    }
  },
})

/** Redis, which has another protocol. @param {string} name @param {number} atOnce @returns {Strategy[]} none where it is not installed */
const redis = (name, atOnce, start = startRedis) =>
  start === undefined
    ? []
    : [
        {
          kind: 'redis',
          name,
          atOnce,
          async open({ body }) {
            const { Redis } = require('ioredis')
            const { port, password, pid, close } = await start()
            const client = new Redis({ port, password, enableAutoPipelining: atOnce > 1 })
            return {
              pid,
              async one(operation, key) {
                if (operation === 'put') return await client.set(key, body)
                if (!(await client.getBuffer(key))?.equals(body))
                  throw new Error(`Redis brought something else for ${key}`)
              },
              async close() {
                client.disconnect()
                await close()
              },
            }
          },
        },
      ]

/** Ratios are to the first. The rows of a server of another protocol open it themselves. @type {Strategy[]} */
const STRATEGIES = [
  threads('one by one: SDK, the thread blocks', 1, 'block'),
  threads(`pool of ${THREADS} worker threads: SDK`, THREADS, 'call'),
  tasks('sdk', 'naive await: SDK', 1, createSdkClient),
  tasks('sdk', 'bounded tasks: SDK, 64 at once', 64, createSdkClient),
  tasks('sdk', 'bounded tasks: SDK, 1,000 at once', 1_000, createSdkClient),
  ...[1, 4, 16, 64, 128, 256].map(n => tasks('light', `own light client, ${n} at once`, n, createLightClient)),
  ...redis('Redis, one at a time', 1),
  ...redis('Redis, pipelined, 64 at once', 64),
  { kind: 'xfer', name: 'xfer copy -r, files up and down', atOnce: 1, open: openXfer },
]

/** @param {number} i @returns {string} of an object, or a file */
const nameOf = i => `${Math.floor(i / A_FOLDER)}/${i}`

/** The whole program, with its start, its lists of both sides, and the proof of each copy. @param {World} world @returns {Opened} */
function openXfer({ server, body, home, objects }) {
  const [files, down] = [join(home, 'files'), join(home, 'down')]
  const names = Array.from({ length: objects }, (_, i) => nameOf(i))
  for (let i = 0; i < objects; i += A_FOLDER) mkdirSync(join(files, nameOf(i), '..'), { recursive: true })
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
      const place = `s3://${BUCKET}/${folder}`
      const ends = operation === 'put' ? [`${files}/`, place] : [place, `${down}/`]
      const cost = await measure([process.execPath, XFER, 'copy', '-r', ...ends, '--quiet'], env)
      if (cost.status !== 0) throw new Error(`xfer: ${cost.stderr}`)
      if (operation === 'put') return cost
      const wrong = names.find(name => !readFileSync(join(down, name)).equals(body))
      rmSync(down, { recursive: true })
      if (wrong !== undefined) throw new Error(`xfer brought something else for ${wrong}`)
      return cost
    },
    close: () => rmSync(files, { recursive: true }),
  }
}

/** @param {string} folder @param {number} most @param {number} [seconds] */
function namesIn(folder, most, seconds = PHASE_SECONDS) {
  const until = performance.now() + seconds * 1000
  const names = {
    taken: 0,
    /** Undefined: there is none, or the time is up. */
    take: () => (names.taken < most && performance.now() < until ? folder + nameOf(names.taken++) : undefined),
  }
  return names
}

/** @param {Opened} opened @param {number} atOnce @param {Operation} operation @param {() => string | undefined} take */
async function runLoops({ one }, atOnce, operation, take) {
  const loop = async (/** @type {number} */ i) => {
    for (let name = take(); name !== undefined; name = take()) await one?.(operation, name, i)
  }
  await Promise.all(Array.from({ length: atOnce }, (_, i) => loop(i)))
}

/** @param {Opened} opened @param {number} atOnce @param {World} world @param {string} folder ends in a slash @returns {Promise<Record<Operation, Run>>} */
async function runOnce(opened, atOnce, { server, objects }, folder) {
  const runs = /** @type {Record<Operation, Run>} */ ({})
  let operations = objects
  for (const operation of OPERATIONS) {
    const pids = [opened.pid ?? server.pid]
    const [serverBefore, before, started] = [cpuSecondsOf(pids), process.cpuUsage(), performance.now()]
    // What has been put can be got.
    const names = namesIn(folder, operations)
    const own = await opened.all?.(operation, folder)
    if (!own) await runLoops(opened, atOnce, operation, names.take)
    const { user, system } = process.cpuUsage(before)
    operations = own ? objects : names.taken
    const seconds = own?.wallSeconds ?? (performance.now() - started) / 1000
    const serverCpuSeconds = cpuSecondsOf(pids) - serverBefore
    runs[operation] = { seconds, operations, cpuSeconds: own?.cpuSeconds ?? (user + system) / 1e6, serverCpuSeconds }
  }
  rmSync(join(server.dir, BUCKET, folder), { recursive: true, force: true, maxRetries: 5 })
  return runs
}

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
    for (const { open, ...strategy } of STRATEGIES) {
      const opened = await open(world)
      all.push({ opened, row: { ...strategy, runs: [] } })
      for (const one of OPERATIONS)
        if (opened.one) await runLoops(opened, strategy.atOnce, one, namesIn('warm-up/', WARM_UP).take)
    }
    for (let round = 0, longest = 0; round < rounds && performance.now() + longest < until; round++) {
      const started = performance.now()
      for (const [i, { opened, row }] of all.entries())
        row.runs.push(await runOnce(opened, row.atOnce, world, `${round}-${i}/`))
      longest = Math.max(longest, performance.now() - started)
    }
  } finally {
    for (const { opened } of all) await opened.close()
  }
  return all.map(({ row }) => row)
}

/** Medians. cpu: microseconds an operation; cores: how many the client and the server kept busy. @param {Row} row @param {Operation} operation */
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
  const cells = (/** @type {Row} */ row) =>
    OPERATIONS.flatMap(operation => {
      const { rate, cpu, serverCpu } = figuresOf(row, operation)
      const ratio = rate / figuresOf(rows[0], operation).rate
      return [rate.toFixed(0), ratio.toFixed(2), cpu.toFixed(0), serverCpu.toFixed(0)]
    })
  const head = OPERATIONS.flatMap(one => [`${one}s/s`, 'to the first', `CPU µs/${one}`, "server's"])
  return { head: ['strategy', ...head], rows: rows.map(row => [row.name, ...cells(row)]) }
}

/** When the server limits: more connections of the lightest client bring no more, and the server has most of the processors. @param {Row[]} rows @param {Operation} operation */
function momentOf(rows, operation) {
  const steps = rows.filter(({ kind }) => kind === 'light').map(row => ({ ...row, ...figuresOf(row, operation) }))
  const best = Math.max(...steps.map(({ rate }) => rate))
  const step = steps.find(({ rate }) => rate * GAIN >= best) ?? steps[0]
  const shares = `the server keeps ${step.serverCores.toFixed(2)} of ${CORES} cores busy, the client ${step.cores.toFixed(2)}`
  const who = step.serverCores > step.cores ? 'the server limits' : 'the client limits'
  return `${operation}s: ${who} from ${step.atOnce} connections of the light client on (${step.rate.toFixed(0)}/s; ${shares}).`
}

/** Where xfer stands among all that ask the same server. @param {Row[]} rows @param {Operation} operation */
function placeOf(rows, operation) {
  const same = rows.filter(({ kind }) => kind !== 'redis')
  const rates = same.map(row => ({ kind: row.kind, name: row.name, rate: figuresOf(row, operation).rate }))
  rates.sort((a, b) => b.rate - a.rate)
  const place = rates.findIndex(({ kind }) => kind === 'xfer')
  if (place === 0) return `${operation}s: xfer is at the top.`
  const part = (rates[place].rate / rates[0].rate).toFixed(2)
  return `${operation}s: xfer has ${place} of ${same.length - 1} ahead of it: ${part} of "${rates[0].name}".`
}

const DEFAULTS = { objects: '10000', bytes: '4096', rounds: '4', seconds: '290', out: OUT }

async function main() {
  exitOnSignals()
  const { out, ...given } = readFlags(DEFAULTS)
  const [objects, bytes, rounds, seconds] = [given.objects, given.bytes, given.rounds, given.seconds].map(Number)
  const present = SERVERS.filter(([name]) => PEERS[name])
  for (const [name, args] of present) {
    const server = await /** @type {NonNullable<typeof PEERS.minio>} */ (PEERS[name])({ args })
    const home = mkdtempSync(join(server.dir, '..', 'xfer-strategies-'))
    removeAtExit(home, server.dir)
    try {
      await makeBucket(server, BUCKET)
      const world = { server, body: randomBytes(bytes), home, objects }
      const rows = /** @type {any[]} */ (await takeRounds(world, { rounds, seconds: seconds / present.length }))
      const moments = OPERATIONS.flatMap(one => [momentOf(rows, one), placeOf(rows, one)])
      const kept = { runs: rows[0].runs.length, rows, facts: { bytes, objects, moments } }
      keepRun(out, { name: `client-strategies-${name}`, script: 'client-strategies.js', servers: [name], ...kept })
      console.log(`${name}, objects of ${bytes} bytes, medians of ${rows[0].runs.length} rounds\n`)
      console.log([markdownTable(tableOf(rows)), '', ...moments, ''].join('\n'))
    } finally {
      await server.close()
    }
  }
  for (const [name] of SERVERS) if (!PEERS[name]) console.log(`Left out: ${name}, which is not installed.`)
}

if (require.main === module) main()

module.exports = { createLightClient, momentOf, namesIn, placeOf }

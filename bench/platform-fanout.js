#!/usr/bin/env node
'use strict'

/**
 * Measures the cost of the CLI itself in a large fan-out: many parts at a high concurrency, one part per invocation. The
 * platform allows it, and its containers are stubs in its own process. Each stub answers after some seconds that it has
 * copied its part, and moves no bytes: a thousand real processes would measure this machine and not the CLI. The stores are
 * the sandbox's; the stub records the part at the destination.
 *
 *     node bench/platform-fanout.js [--engine openwhisk|lambda] [--parts 1229] [--concurrency 1000] [--seconds 20]
 */

const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { VERSION } = require('../actions/copy-range')
const { deploy } = require('../lib')
const { startLambda } = require('../sandbox/lambda')
const { startPlatform } = require('../sandbox/platform')
const { lambdaEnvironment, sideEnvironment, BUCKET } = require('../sandbox/sandbox')
const { startStore } = require('../sandbox/store')
const { phaseOf, syntheticCrc32 } = require('../sandbox/common/synthetic')
const { measure } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const KEY = 'made'
const PART_BYTES = 100 * 1024 ** 2

/** @typedef {import('../lib/types').Task} Task */
/** @typedef {import('../sandbox/store/types').RunningStore} RunningStore */

/**
 * Computes each part's CRC-32, base64, by its first byte. Done before the measurement, so that it uses no processor time then.
 *
 * @param {number} parts
 */
function checksumsOf(parts) {
  const phase = phaseOf(`${BUCKET}/${KEY}`)
  return new Map(
    Array.from({ length: parts }, (_, i) => [i * PART_BYTES, syntheticCrc32(phase, PART_BYTES, i * PART_BYTES)]),
  )
}

/**
 * Records the part at the destination, and returns the answer of the action.
 *
 * @param {Task} task
 * @param {{ destination: RunningStore, checksums: Map<number, string>, seconds: number }} world
 * @returns {import('../lib/types').TaskSuccess}
 */
function pretend({ partNumber, bytes, read, write }, { destination, checksums, seconds }) {
  const start = Number(/^bytes=(\d+)-/.exec(read.headers.range)?.[1])
  const crc32 = /** @type {string} */ (checksums.get(start))
  const uploadId = /** @type {string} */ (
    new URL(/** @type {import('../lib/types').DataRequest} */ (write).url).searchParams.get('uploadId')
  )
  const etag = partNumber.toString(16).padStart(32, '0')
  destination.tellPart({ bucket: BUCKET, uploadId, partNumber, bytes, etag, crc32 })
  const timing = { startedAtMs: Date.now() - seconds * 1000, firstByteMs: 100, totalMs: seconds * 1000 }
  return { partNumber, bytes, etag: `"${etag}"`, sums: { crc32: Buffer.from(crc32, 'base64').toString('hex') }, timing }
}

/**
 * A container that answers /run after the given time.
 *
 * @param {Parameters<typeof pretend>[1]} world
 * @returns {import('../sandbox/platform/types').Container}
 */
function stubContainer(world) {
  /** @type {(end: { outOfMemory: boolean }) => void} */
  let exit = () => {}
  const exited = new Promise(resolve => {
    exit = resolve
  })
  return {
    pid: undefined,
    initialised: false,
    started: Promise.resolve(),
    exited,
    async post(path, body, { onSent }) {
      onSent?.()
      if (path === '/init') return answer({ OK: true })
      return answer(await pretendAll(world, /** @type {any} */ (body).value))
    },
    takeLogs: async () => ({ lines: [], complete: true }),
    pause() {},
    resume() {},
    kill: () => exit({ outOfMemory: false }),
  }
}

/** @param {unknown} body @returns {import('../sandbox/platform/types').ContainerAnswer} */
function answer(body) {
  const text = JSON.stringify(body)
  return { kind: 'answer', status: 200, text, bytes: Buffer.byteLength(text), truncated: false }
}

/** The action's answer, after its time. @param {Parameters<typeof pretend>[1]} world @param {{ tasks: Task[] }} params */
async function pretendAll(world, { tasks }) {
  await new Promise(resolve => setTimeout(resolve, world.seconds * 1000))
  const container = { id: 'stub', invocation: 1, startedAtMs: Date.now() }
  return { version: VERSION, outcomes: tasks.map(task => pretend(task, world)), container }
}

/**
 * @typedef {object} Functions
 * @property {Record<string, string>} env in which the engine is configured
 * @property {Record<string, unknown>} deployment options of `deploy`
 * @property {() => string} counted
 * @property {() => Promise<void>} close
 */

/** @type {Record<string, (world: Parameters<typeof pretend>[1], concurrency: number) => Promise<Functions>>} */
const PLATFORMS = {
  async openwhisk(world, concurrency) {
    const { apihost, auth, activations, close } = await startPlatform({
      containers: concurrency,
      limits: { concurrent: concurrency, perMinute: 1e6 },
      containerFactory: () => stubContainer(world),
    })
    return {
      env: { APIHOST: apihost, AUTH: auth },
      deployment: {},
      counted: () => `activations ${activations.counters.success}, throttled ${activations.counters.throttled}`,
      close,
    }
  },
  async lambda(world, concurrency) {
    const service = await startLambda({
      limits: { concurrent: concurrency },
      handler: event => pretendAll(world, /** @type {any} */ (event)),
    })
    const { counters } = service.events
    return {
      env: lambdaEnvironment(service),
      deployment: { engine: 'lambda', role: 'arn:aws:iam::123456789012:role/bench', timeout: 300 },
      counted: () => `invocations ${counters.invocations}, throttled ${counters.throttled}`,
      close: service.close,
    }
  },
}

/** @param {string} engine @param {{ parts: number, concurrency: number, seconds: number }} size */
async function startWorld(engine, { parts, concurrency, seconds }) {
  const [source, destination] = await Promise.all([
    startStore({ synthetic: { [`${BUCKET}/${KEY}`]: parts * PART_BYTES } }),
    startStore({ buckets: [{ name: BUCKET, discard: true }] }),
  ])
  const functions = await PLATFORMS[engine]({ destination, checksums: checksumsOf(parts), seconds }, concurrency)
  return {
    functions,
    env: {
      ...sideEnvironment('XFER_SOURCE', source),
      ...sideEnvironment('XFER_DEST', destination),
      ...functions.env,
    },
    close: () => Promise.all([source, destination, functions].map(member => member.close())),
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'openwhisk' },
      parts: { type: 'string', default: '1229' },
      concurrency: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const { engine } = values
  if (!Object.hasOwn(PLATFORMS, engine)) throw new Error(`--engine is one of ${Object.keys(PLATFORMS).join(', ')}`)
  const [parts, concurrency, seconds] = [values.parts, values.concurrency, values.seconds].map(Number)
  const { functions, env: access, close } = await startWorld(engine, { parts, concurrency, seconds })
  try {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...access }
    await deploy({ ...functions.deployment, env })
    const plan = ['--chunk', `${PART_BYTES}B`, '--concurrency', values.concurrency, '--parts-per-invocation', '1']
    const args = ['copy', `s3://${BUCKET}/${KEY}`, `s3://${BUCKET}/told`, ...plan, '--engine', engine, '--json']
    const result = await measure([process.execPath, XFER, ...args], env)
    const last = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '{}')
    if (last.type !== 'done') throw new Error(`${result.stdout.slice(-500)}${result.stderr}`)
    const ideal = Math.ceil(parts / concurrency) * seconds
    process.stdout.write(
      `${last.parts} parts, ${last.invocations} invocations at most ${concurrency} at once, each ${seconds} s, on ${engine}\n` +
        `${functions.counted()}, proof ${last.proof}\n` +
        `ideal ${ideal} s, the whole command ${result.wallSeconds.toFixed(1)} s: ${percent(ideal / result.wallSeconds)} of ideal ` +
        `(the copy alone ${(last.elapsedMs / 1000).toFixed(1)} s: ${percent(ideal / (last.elapsedMs / 1000))})\n` +
        `CLI ${result.cpuSeconds.toFixed(1)} CPU s, peak memory ${(result.peakBytes / 1e6).toFixed(0)} MB (Node ${process.version})\n`,
    )
  } finally {
    await close()
  }
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

#!/usr/bin/env node
'use strict'

/**
 * Measures the cost of proof. By kind of store: the requests to the destination and the bytes read back from it, for a large
 * object in parts and for a prefix of small ones. And against another checkout of this project, on real servers: wall and
 * processor time of the same copies, alternating.
 *
 *     node bench/proof.js [--mib 64]
 *     node bench/proof.js --against PATH/cli/xfer.js [--runs 5] [--mib 64]     with versitygw and minio, where installed
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { makeBucket, putRandom } = require('../sandbox/objects')
const { PEERS } = require('../sandbox/peers')
const { sideEnvironment } = require('../sandbox/sandbox')
const { startStore } = require('../sandbox/store')
const { MODES } = require('../sandbox/store/modes')
const { measure } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const BUCKET = 'proof'
const MiB = 1024 ** 2
const SMALL = { objects: 200, bytes: 16 * 1024 }
/** Kinds of destinations: modes of the sandbox's store. @type {Array<[words: string, mode: string]>} */
const KINDS = [
  ['known to check', 'plain'],
  ['unknown, checks', 'unnamed'],
  ['unknown, takes any checksum, MD5 ETags', 'unchecked'],
  ['no checksums, MD5 ETags', 'no-checksums'],
  ['takes any checksum, other ETags', 'unchecked-opaque'],
  ['no checksums, other ETags', 'nothing-to-compare'],
]
/** @type {Array<[words: string, args: (to: string) => string[]]>} */
const JOBS = [
  [
    'one object, in parts of 8 MiB',
    to => ['copy', `s3://${BUCKET}/large`, `s3://${BUCKET}/${to}/large`, '--chunk', '8'],
  ],
  ['200 objects of 16 KiB', to => ['copy', '-r', `s3://${BUCKET}/small/`, `s3://${BUCKET}/${to}/small/`]],
]

/** @typedef {import('../sandbox/sandbox').StoreAccess & { close(): Promise<void> }} Server */

/** @param {Server} source @param {Server} destination @param {string} dir of the jobs */
function environmentOf(source, destination, dir) {
  const sides = { ...sideEnvironment('XFER_SOURCE', source), ...sideEnvironment('XFER_DEST', destination) }
  return { PATH: process.env.PATH, HOME: dir, XDG_STATE_HOME: dir, ...sides }
}

/** @param {Server} source @param {number} largeBytes */
async function fill(source, largeBytes) {
  await makeBucket(source, BUCKET)
  await putRandom(source, { bucket: BUCKET, key: 'large', bytes: largeBytes })
  for (let i = 0; i < SMALL.objects; i++) {
    await putRandom(source, { bucket: BUCKET, key: `small/${i}`, bytes: SMALL.bytes })
  }
}

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} [program]
 */
async function run(args, env, program = XFER) {
  const command = [process.execPath, program, ...args, '--engine', 'local', '--route', 'engine', '--json']
  const measured = await measure(command, env)
  const last = JSON.parse(measured.stdout.trim().split('\n').at(-1) ?? '{}')
  if (last.type !== 'done') throw new Error(`${measured.stdout.slice(-2000)}${measured.stderr}`)
  return { ...measured, last }
}

/** Requests and bytes read back by kind of store, one row per copy. @param {number} largeBytes */
async function countByKind(largeBytes) {
  const dir = await mkdtemp(join(tmpdir(), 'xfer-proof-'))
  const source = await startStore()
  process.stdout.write(
    '| the destination | job | proof | requests there | bytes read back |\n| --- | --- | --- | --- | ---: |\n',
  )
  try {
    await fill(source, largeBytes)
    for (const [words, mode] of KINDS) {
      const { options } = MODES.find(({ name }) => name === mode) ?? {}
      const destination = await startStore(options)
      try {
        await makeBucket(destination, BUCKET)
        let readBack = 0
        destination.on('request', ({ operation, bytesSent }) => {
          if (operation === 'GetObject') readBack += bytesSent
        })
        for (const [job, argsOf] of JOBS) {
          const before = { ...destination.requests }
          readBack = 0
          const { last } = await run(argsOf('copies'), environmentOf(source, destination, dir))
          const asked = Object.entries(destination.requests)
            .map(([name, count]) => [name, count - (before[name] ?? 0)])
            .filter(([, count]) => count !== 0)
          const proof = Array.isArray(last.proof) ? last.proof : Object.keys(last.proof)
          const cells = [words, job, proof.join(', '), asked.map(pair => pair.join(' ')).join(', '), readBack]
          process.stdout.write(`| ${cells.join(' | ')} |\n`)
        }
      } finally {
        await destination.close()
      }
    }
  } finally {
    await source.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** @param {number[]} numbers */
const median = numbers => [...numbers].sort((one, other) => one - other)[numbers.length >> 1]

/**
 * @param {string} other the program of another checkout
 * @param {{ runs: number, largeBytes: number }} how
 */
async function compareWith(other, { runs, largeBytes }) {
  process.stdout.write('| between two | job | wall, this / other | CPU, this / other |\n| --- | --- | ---: | ---: |\n')
  for (const [name, start] of Object.entries({ versitygw: PEERS.versitygw, minio: PEERS.minio })) {
    if (!start) {
      process.stdout.write(`| ${name} | not installed | | |\n`)
      continue
    }
    const dir = await mkdtemp(join(tmpdir(), 'xfer-proof-'))
    const [source, destination] = await Promise.all([start(), start()])
    try {
      await fill(source, largeBytes)
      await makeBucket(destination, BUCKET)
      const env = environmentOf(source, destination, dir)
      for (const [job, argsOf] of JOBS) {
        /** @type {Array<{ wall: number, cpu: number }>} */
        const ratios = []
        // The first run is a warm-up.
        for (let i = 0; i <= runs; i++) {
          const mine = await run(argsOf(`mine-${i}`), env)
          const theirs = await run(argsOf(`theirs-${i}`), env, other)
          const ratio = { wall: mine.wallSeconds / theirs.wallSeconds, cpu: mine.cpuSeconds / theirs.cpuSeconds }
          if (i > 0) ratios.push(ratio)
        }
        const [wall, cpu] = [ratios.map(each => each.wall), ratios.map(each => each.cpu)]
        const tell = (/** @type {number[]} */ all) =>
          `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`
        process.stdout.write(`| ${name} | ${job} | ${tell(wall)} | ${tell(cpu)} |\n`)
      }
    } finally {
      await Promise.all([source.close(), destination.close()])
      await rm(dir, { recursive: true, force: true })
    }
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      runs: { type: 'string', default: '5' },
      mib: { type: 'string', default: '64' },
    },
  })
  const largeBytes = Number(values.mib) * MiB
  if (values.against === undefined) await countByKind(largeBytes)
  else await compareWith(values.against, { runs: Number(values.runs), largeBytes })
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})

#!/usr/bin/env node
'use strict'

/**
 * A copy under a platform's quotas: `xfer copy` of 4 GiB between two of the sandbox's stores, by real functions on the
 * sandbox's platform, once with upstream's default limits and once with those of hosted ones. Every byte is moved, stored and
 * read back: the SHA-256 of both objects must be the same.
 *
 *     node bench/platform-limits.js [--size 4GiB] [--chunk 8] [--containers 4] [--parts-per-invocation auto] [--limits upstream|hosted]
 */

const { existsSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { deploy } = require('../lib')
const { parseSize } = require('../lib/options')
const { putRandom, sha256Of } = require('../sandbox/objects')
const { environmentOf, startSandbox, BUCKET } = require('../sandbox/sandbox')
const { measure } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')

/** In memory if there is /dev/shm, so that no disk is measured. */
const MEMORY = '/dev/shm'

/** Both have upstream's time, memory and payload: 60 s and 256 MB for the action, 1 MiB each way. */
const LIMITS = {
  upstream: { perMinute: 60, concurrent: 30 },
  hosted: { perMinute: 600, concurrent: 100 },
}
const ACTION = { timeout: 60, memory: 256 }

/**
 * @param {import('../sandbox/sandbox').Sandbox} sandbox
 * @param {{ bytes: number, flags: string[] }} how
 */
async function copyOnce(sandbox, { bytes, flags }) {
  const [source, destination] = sandbox.stores
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environmentOf(sandbox) }
  await deploy({ env, ...ACTION })
  await putRandom(source, { bucket: BUCKET, key: 'big', bytes })
  const args = ['copy', `s3://${BUCKET}/big`, `s3://${BUCKET}/copy`, '--engine', 'openwhisk', '--json', ...flags]
  const result = await measure([process.execPath, XFER, ...args], env)
  const events = result.stdout.trim().split('\n')
  const last = JSON.parse(events.at(-1) ?? '{}')
  if (last.type !== 'done') throw new Error(`${events.slice(-3).join('\n')}${result.stderr}`)
  const sums = [
    await sha256Of(source, { bucket: BUCKET, key: 'big' }),
    await sha256Of(destination, { bucket: BUCKET, key: 'copy' }),
  ]
  return { last, sums, result }
}

/**
 * @param {keyof typeof LIMITS} name
 * @param {{ bytes: number, containers: number, flags: string[] }} how
 */
async function run(name, { bytes, containers, flags }) {
  const dir = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'xfer-limits-'))
  /** @type {import('../sandbox/sandbox').Sandbox | undefined} */
  let sandbox
  const cleanUp = async () => {
    await sandbox?.close()
    await rm(dir, { recursive: true, force: true })
  }
  // the copy also ends if its stores are gone
  const interrupt = () => cleanUp().then(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    sandbox = await startSandbox({
      stores: ['source', 'destination'].map(side => ({ dir: join(dir, side) })),
      openwhisk: { limits: LIMITS[name], containers },
    })
    report(name, await copyOnce(sandbox, { bytes, flags }))
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await cleanUp()
  }
}

/** @param {keyof typeof LIMITS} name @param {Awaited<ReturnType<typeof copyOnce>>} outcome */
function report(name, { last, sums: [read, written], result }) {
  const { perMinute, concurrent } = LIMITS[name]
  process.stdout.write(
    `${name}: ${perMinute} a minute, ${concurrent} at once, ${ACTION.timeout} s, ${ACTION.memory} MB\n` +
      `  ${last.bytes} bytes in ${last.parts} parts: ${last.invocations} invocations, ${last.throttled} throttles, ` +
      `${last.retried} retries, ${last.hedgedBytes} bytes twice\n` +
      `  ${(last.elapsedMs / 1000).toFixed(1)} s, ${(last.bytesPerSecond / 1e6).toFixed(0)} MB/s; ` +
      `CLI ${result.cpuSeconds.toFixed(1)} CPU s, ${(result.peakBytes / 1e6).toFixed(0)} MB; proof ${last.proof}\n` +
      `  SHA-256 of the source ${read}\n  SHA-256 of the copy   ${written}: ${read === written ? 'equal' : 'NOT EQUAL'}\n`,
  )
  if (read !== written) throw new Error('what was copied is something else')
}

async function main() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '4GiB' },
      chunk: { type: 'string', default: '8' },
      containers: { type: 'string', default: '4' },
      'parts-per-invocation': { type: 'string', default: 'auto' },
      limits: { type: 'string' },
    },
  })
  const bytes = parseSize(values.size, '--size')
  const flags = ['--chunk', values.chunk, '--parts-per-invocation', values['parts-per-invocation']]
  const names = /** @type {Array<keyof typeof LIMITS>} */ (Object.keys(LIMITS))
  const chosen = names.filter(name => values.limits === undefined || values.limits === name)
  if (chosen.length === 0) throw new Error(`--limits is one of ${names.join(', ')}`)
  for (const name of chosen) await run(name, { bytes, containers: Number(values.containers), flags })
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

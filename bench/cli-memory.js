#!/usr/bin/env node
'use strict'

/**
 * What the CLI needs for a plan of 10,000 parts: peak memory and CPU seconds of `xfer copy` of 100 GiB through the
 * openwhisk engine, on the sandbox's platform between stores that make and swallow bytes. Every byte is moved, by the
 * containers; it takes some minutes.
 *
 *     node bench/cli-memory.js [--size 100GiB] [--parts 10000] [--concurrency 1000]
 */

const { join } = require('node:path')
const { availableParallelism } = require('node:os')
const { parseArgs } = require('node:util')
const { deploy } = require('../lib')
const { parseSize } = require('../lib/settings/sizes')
const { environmentOf, startSandbox, BUCKET } = require('../sandbox/sandbox')
const { measure } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')

async function main() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '100GiB' },
      parts: { type: 'string', default: '10000' },
      concurrency: { type: 'string', default: '1000' },
    },
  })
  const bytes = parseSize(values.size, '--size')
  const chunk = Math.ceil(bytes / Number(values.parts))
  const sandbox = await startSandbox({
    stores: [{ synthetic: { [`${BUCKET}/made`]: bytes } }, { buckets: [{ name: BUCKET, discard: true }] }],
    openwhisk: {
      limits: { concurrent: Number(values.concurrency), perMinute: 1e9, timeoutMs: { max: 3_600_000 } },
      containers: availableParallelism(),
      blockingMs: 60_000,
    },
  })
  try {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environmentOf(sandbox) }
    await deploy({ env })
    const options = ['--chunk', `${chunk}B`, '--concurrency', values.concurrency, '--engine', 'openwhisk', '--json']
    const args = ['copy', `s3://${BUCKET}/made`, `s3://${BUCKET}/swallowed`, ...options]
    const result = await measure([process.execPath, XFER, ...args], env)
    const last = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '{}')
    process.stdout.write(
      `${last.type}: ${last.parts} parts, ${last.bytes} bytes, ${last.invocations} invocations, proof ${last.proof}\n` +
        `CLI peak memory ${(result.peakBytes / 1e6).toFixed(0)} MB, ${result.cpuSeconds.toFixed(1)} CPU s, ${result.wallSeconds.toFixed(0)} s (Node ${process.version})\n`,
    )
    if (last.type !== 'done') throw new Error(`${result.stdout.slice(-500)}${result.stderr}`)
  } finally {
    await sandbox.close()
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

#!/usr/bin/env node
'use strict'

/**
 * What the local engine costs: CPU seconds of the whole `xfer` process for each gigabyte (10^9 bytes) over plain HTTP,
 * between two stores that make and swallow bytes, so that the client is what is measured.
 *
 *     node bench/engine-cpu.js [--size 4GiB] [--runs 5]
 */

const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/settings/sizes')
const { environmentOf, startSandbox, BUCKET } = require('../sandbox/sandbox')
const { measure, median } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')

async function main() {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '4GiB' }, runs: { type: 'string', default: '5' } },
  })
  const bytes = parseSize(values.size, '--size')
  const sandbox = await startSandbox({
    stores: [
      { synthetic: { [`${BUCKET}/made`]: bytes }, keepAliveMs: 60_000 },
      { buckets: [{ name: BUCKET, discard: true }], keepAliveMs: 60_000 },
    ],
  })
  try {
    const command = [
      process.execPath,
      XFER,
      'copy',
      `s3://${BUCKET}/made`,
      `s3://${BUCKET}/swallowed`,
      '--engine',
      'local',
      '--quiet',
    ]
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environmentOf(sandbox) }
    const runs = []
    for (let run = 0; run <= Number(values.runs); run++) {
      const result = await measure(command, env)
      if (result.status !== 0) throw new Error(`xfer ended with status ${result.status}: ${result.stderr}`)
      const cpuPerGB = result.cpuSeconds / (bytes / 1e9)
      const line = `${cpuPerGB.toFixed(2)} CPU s/GB, ${(result.peakBytes / 1e6).toFixed(0)} MB, ${result.wallSeconds.toFixed(1)} s`
      process.stdout.write(`${run === 0 ? 'warm-up' : `run ${run}  `}  ${line}\n`)
      if (run > 0) runs.push({ cpuPerGB, ...result })
    }
    process.stdout.write(
      `median   ${median(runs.map(run => run.cpuPerGB)).toFixed(2)} CPU s/GB, ${(median(runs.map(run => run.peakBytes)) / 1e6).toFixed(0)} MB peak (Node ${process.version})\n`,
    )
  } finally {
    await sandbox.close()
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

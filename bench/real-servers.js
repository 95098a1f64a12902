#!/usr/bin/env node
'use strict'

/**
 * xfer's local engine beside rclone and mc, on the same two versitygw servers in the same run, in turn: CPU seconds a
 * gigabyte (10^9 bytes), peak memory and wall time of the client. The programs are looked for in XFER_TEST_BIN and on the
 * PATH; what is missing is left out, and said so.
 *
 *     node bench/real-servers.js [--size 2GiB] [--runs 3] [--server versitygw|minio]
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/settings/sizes')
const { makeBucket, putRandom, sha256Of } = require('../sandbox/objects')
const { PEERS, findProgram } = require('../sandbox/peers')
const { sideEnvironment } = require('../sandbox/sandbox')
const { measure, median } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const BUCKET = 'bench'

/**
 * Each at its best known settings for one large object.
 *
 * @param {any} source
 * @param {any} destination
 * @param {string} home
 */
function contestants(source, destination, home) {
  const [from, to] = [`${BUCKET}/big`, `${BUCKET}/copy`]
  const bare = { PATH: process.env.PATH, HOME: home }
  /** @param {any} access */
  const mcHost = ({ endpoint, accessKeyId, secretAccessKey }) =>
    endpoint.replace('http://', `http://${accessKeyId}:${secretAccessKey}@`)
  /** @param {string} name @param {any} access */
  const rcloneRemote = (name, { endpoint, accessKeyId, secretAccessKey, region }) => ({
    [`RCLONE_CONFIG_${name}_TYPE`]: 's3',
    [`RCLONE_CONFIG_${name}_PROVIDER`]: 'Other',
    [`RCLONE_CONFIG_${name}_ENDPOINT`]: endpoint,
    [`RCLONE_CONFIG_${name}_ACCESS_KEY_ID`]: accessKeyId,
    [`RCLONE_CONFIG_${name}_SECRET_ACCESS_KEY`]: secretAccessKey,
    [`RCLONE_CONFIG_${name}_REGION`]: region,
  })
  const rclone = findProgram('rclone')
  const mc = findProgram('mc')
  return [
    {
      name: 'xfer',
      command: [process.execPath, XFER, 'copy', `s3://${from}`, `s3://${to}`, '--engine', 'local', '--quiet'],
      env: { ...bare, ...sideEnvironment('XFER_SOURCE', source), ...sideEnvironment('XFER_DEST', destination) },
    },
    {
      name: 'rclone',
      command: rclone && [
        rclone,
        'copyto',
        `A:${from}`,
        `B:${to}`,
        '--multi-thread-streams',
        '8',
        '--s3-chunk-size',
        '100M',
        '--ignore-times',
      ],
      env: { ...bare, ...rcloneRemote('A', source), ...rcloneRemote('B', destination) },
    },
    {
      name: 'mc',
      command: mc && [mc, 'cp', '--quiet', `A/${from}`, `B/${to}`],
      env: { ...bare, MC_HOST_A: mcHost(source), MC_HOST_B: mcHost(destination) },
    },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '2GiB' },
      runs: { type: 'string', default: '3' },
      server: { type: 'string', default: 'versitygw' },
    },
  })
  const bytes = parseSize(values.size, '--size')
  const start = PEERS[/** @type {'versitygw' | 'minio'} */ (values.server)]
  if (!start) throw new Error(`${values.server} is not installed`)
  const home = await mkdtemp(join(tmpdir(), 'xfer-bench-'))
  const [source, destination] = await Promise.all([start(), start()])
  try {
    await Promise.all([source, destination].map(store => makeBucket(store, BUCKET)))
    const sum = await putRandom(source, { bucket: BUCKET, key: 'big', bytes })
    const field = contestants(source, destination, home)
    for (const { name } of field.filter(({ command }) => !command))
      process.stdout.write(`left out: ${name} is not installed\n`)
    /** @type {Map<string, any[]>} */
    const results = new Map()
    for (let run = 0; run <= Number(values.runs); run++) {
      for (const { name, command, env } of field) {
        if (!command) continue
        const result = await measure(command, env)
        if (result.status !== 0) throw new Error(`${name} ended with status ${result.status}: ${result.stderr}`)
        const copied = await sha256Of(destination, { bucket: BUCKET, key: 'copy' })
        if (copied !== sum) throw new Error(`${name} copied something else`)
        if (run > 0) results.set(name, [...(results.get(name) ?? []), result])
      }
    }
    process.stdout.write(`${values.server}, ${values.size}, medians of ${values.runs} after a warm-up\n`)
    process.stdout.write('client   CPU s/GB   peak MB   wall s\n')
    for (const [name, runs] of results) {
      const cpu = median(runs.map(run => run.cpuSeconds)) / (bytes / 1e9)
      const peak = median(runs.map(run => run.peakBytes)) / 1e6
      const wall = median(runs.map(run => run.wallSeconds))
      process.stdout.write(
        `${name.padEnd(8)} ${cpu.toFixed(2).padStart(8)} ${peak.toFixed(0).padStart(9)} ${wall.toFixed(1).padStart(8)}\n`,
      )
    }
  } finally {
    await Promise.all([source.close(), destination.close()])
    await rm(home, { recursive: true, force: true })
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

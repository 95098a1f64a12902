#!/usr/bin/env node
'use strict'

/**
 * Many small objects through a platform without a limiting quota: `xfer copy -r` between two of the sandbox's stores, by real
 * functions on the sandbox's platform, which keeps a container busy for a fixed time after each invocation. One copy has one
 * object per invocation, the other as many as xfer chooses; they alternate. The lists of both sides are compared.
 *
 *     node bench/platform-small.js [--objects 1000] [--bytes 4096] [--fixed 40] [--containers 4] [--runs 3]
 */

const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { deploy } = require('../lib')
const { open, putRandom } = require('../sandbox/objects')
const { environmentOf, startSandbox, BUCKET } = require('../sandbox/sandbox')
const { measure } = require('./measure')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const WAYS = ['1', 'auto']
const AMPLE = { perMinute: 1_000_000, concurrent: 1000 }

/** Size and ETag of each object below a prefix. @param {import('../sandbox/sandbox').StoreAccess} access @param {string} prefix */
async function listed(access, prefix) {
  const store = open(access, BUCKET)
  const list = /** @type {import('../lib/types').ListObjects} */ (store.list)
  try {
    const found = []
    for (let marker; ; ) {
      const { objects, next } = await list({ prefix, marker })
      found.push(...objects.map(({ key, bytes, etag }) => `${key.slice(prefix.length)} ${bytes} ${etag}`))
      if (next === undefined) return found.join('\n')
      marker = next
    }
  } finally {
    store.close()
  }
}

/**
 * @param {import('../sandbox/sandbox').Sandbox} sandbox
 * @param {{ env: Record<string, string | undefined>, way: string, to: string }} how
 */
async function copyOnce({ stores: [source, destination] }, { env, way, to }) {
  const ends = [`s3://${BUCKET}/from/`, `s3://${BUCKET}/${to}`]
  const flags = ['--engine', 'openwhisk', '--parts-per-invocation', way, '--json']
  const { stdout, stderr, wallSeconds } = await measure([process.execPath, XFER, 'copy', '-r', ...ends, ...flags], env)
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')
  if (last.type !== 'done') throw new Error(`${stdout.slice(-2000)}${stderr}`)
  const right = (await listed(source, 'from/')) === (await listed(destination, to))
  if (!right) throw new Error('what was copied is something else')
  return { way, seconds: wallSeconds, invocations: last.invocations }
}

/** @param {number[]} numbers */
const median = numbers => numbers.sort((one, other) => one - other)[numbers.length >> 1]

async function main() {
  const { values } = parseArgs({
    options: {
      objects: { type: 'string', default: '1000' },
      bytes: { type: 'string', default: '4096' },
      fixed: { type: 'string', default: '40' },
      containers: { type: 'string', default: '4' },
      runs: { type: 'string', default: '3' },
    },
  })
  const openwhisk = { limits: AMPLE, containers: Number(values.containers), completionMs: Number(values.fixed) }
  const sandbox = await startSandbox({ openwhisk })
  try {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environmentOf(sandbox) }
    await deploy({ env })
    for (let i = 0; i < Number(values.objects); i++) {
      await putRandom(sandbox.stores[0], { bucket: BUCKET, key: `from/${i}`, bytes: Number(values.bytes) })
    }
    const done = []
    for (let run = 0; run < Number(values.runs); run++) {
      for (const way of WAYS) done.push(await copyOnce(sandbox, { env, way, to: `to-${way}-${run}/` }))
    }
    for (const way of WAYS) {
      const own = done.filter(one => one.way === way)
      const seconds = median(own.map(one => one.seconds)).toFixed(1)
      process.stdout.write(
        `${values.objects} objects of ${values.bytes} bytes, --parts-per-invocation ${way}: ` +
          `${median(own.map(one => one.invocations))} invocations, ${seconds} s\n`,
      )
    }
  } finally {
    await sandbox.close()
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

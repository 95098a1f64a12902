#!/usr/bin/env node
'use strict'

/**
 * The same copies by every engine, between two of the sandbox's stores: one large object, and many small ones below a prefix.
 * Functions are real processes on this machine. Every byte is moved, stored and read back: the SHA-256 of what is at the
 * destination must be that of what was written to the source, of each object.
 *
 *     node bench/engines.js [--engines local,openwhisk,lambda,http] [--size 4GiB] [--chunk 8] [--objects 20000] [--bytes 4096] [--places 2]
 *
 * A size or a number of objects of 0 leaves that copy out. Each copy is one line of standard error, with all of its `done`
 * event; the table is on standard output.
 */

const { createHash } = require('node:crypto')
const { existsSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/options')
const { open, putRandom, sha256OfStored } = require('../sandbox/objects')
const { sideEnvironment, startMember } = require('../sandbox/sandbox')
const { BUCKET, FROM, listAll, putTree, removeAll } = require('./cases/tree')
const { PLATFORMS, XFER } = require('./engines/platforms')
const { measure } = require('./measure')

/** In memory if there is /dev/shm, so that no disk is measured. */
const MEMORY = '/dev/shm'
const BIG = 'big/'
const TO = 'copy/'
const READERS = 8

/**
 * @typedef {import('../sandbox/sandbox').StoreAccess} StoreAccess
 * @typedef {{ title: string, prefix: string, args: string[], sum: string }} Kind one of the copies; sum: of all below the prefix
 */

/** SHA-256 of the names below a prefix, each with the SHA-256 of its object. @param {StoreAccess} access @param {string} prefix */
async function sumOf(access, prefix) {
  const found = [...(await listAll(access, prefix))].sort(([one], [other]) => (one < other ? -1 : 1))
  const store = open(access, BUCKET)
  /** @type {string[]} */
  const lines = []
  let next = 0
  const reader = async () => {
    while (next < found.length) {
      const i = next++
      lines[i] = `${found[i][0]} ${await sha256OfStored(store, found[i][1])}`
    }
  }
  try {
    await Promise.all(Array.from({ length: READERS }, reader))
  } finally {
    store.close()
  }
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/**
 * @param {string} engine
 * @param {Kind} kind
 * @param {{ source: StoreAccess, destination: StoreAccess, env: Record<string, string>, servers: number[] }} world
 */
async function copyOnce(engine, { title, prefix, args, sum }, { source, destination, env, servers }) {
  const ends = [`s3://${BUCKET}/${prefix}`, `s3://${BUCKET}/${TO}`]
  const all = {
    ...{ PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
    ...{ ...sideEnvironment('XFER_SOURCE', source), ...sideEnvironment('XFER_DEST', destination), ...env },
  }
  const command = [process.execPath, XFER, 'copy', '-r', ...ends, '--engine', engine, '--json', ...args]
  const { stdout, stderr, ...cost } = await measure(command, all, { servers })
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')
  if (last.type !== 'done') throw new Error(`${engine}, ${title}: ${stdout.slice(-2_000)}${stderr}`)
  process.stderr.write(`${engine}, ${title}: ${JSON.stringify({ ...last, ...cost })}\n`)
  const right = (await sumOf(destination, TO)) === sum
  await removeAll(destination, TO)
  const { invocations, throttled, retried } = last
  const cells = [invocations, throttled, retried, cost.wallSeconds.toFixed(1), cost.cpuSeconds.toFixed(1)]
  return [title, engine, ...cells, (cost.peakBytes / 1e6).toFixed(0), right ? 'equal' : 'NOT EQUAL']
}

/** Makes what is copied. @param {StoreAccess} source @param {{ bytes: number, chunk: string, objects: number, each: number }} sizes */
async function prepare(source, { bytes, chunk, objects, each }) {
  /** @type {Kind[]} */
  const kinds = []
  if (bytes > 0) {
    await putRandom(source, { bucket: BUCKET, key: `${BIG}object`, bytes })
    const parts = Math.ceil(bytes / (Number(chunk) * 1024 ** 2))
    const title = `one of ${(bytes / 1024 ** 3).toFixed(1)} GiB, ${parts} parts`
    kinds.push({ title, prefix: BIG, args: ['--chunk', chunk], sum: await sumOf(source, BIG) })
  }
  if (objects > 0) {
    await putTree(source, [{ count: objects, bytes: each }])
    kinds.push({ title: `${objects} of ${each} B`, prefix: FROM, args: [], sum: await sumOf(source, FROM) })
  }
  return kinds
}

async function main() {
  const { values } = parseArgs({
    options: {
      engines: { type: 'string', default: Object.keys(PLATFORMS).join() },
      size: { type: 'string', default: '4GiB' },
      chunk: { type: 'string', default: '8' },
      objects: { type: 'string', default: '20000' },
      bytes: { type: 'string', default: '4096' },
      places: { type: 'string', default: '2' },
    },
  })
  const engines = values.engines.split(',')
  const unknown = engines.find(engine => !Object.hasOwn(PLATFORMS, engine))
  if (unknown !== undefined) throw new Error(`--engines: there is no ${unknown}`)
  const bytes = values.size === '0' ? 0 : parseSize(values.size, '--size')
  const sizes = { bytes, chunk: values.chunk, objects: Number(values.objects), each: Number(values.bytes) }
  const dir = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'xfer-engines-'))
  /** @type {Array<() => Promise<unknown>>} */
  const ends = [() => rm(dir, { recursive: true, force: true })]
  const cleanUp = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  // The copy also ends if its stores are gone.
  const interrupt = () => cleanUp().then(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const stores = []
    for (const side of ['source', 'destination']) {
      const store = await startMember('store', { buckets: [BUCKET], dir: join(dir, side) })
      ends.push(store.end)
      stores.push(store)
    }
    const [source, destination] = stores.map(({ ready }) => ready)
    const kinds = await prepare(source, sizes)
    process.stdout.write(
      '| copied | engine | invocations | throttles | retries | seconds | client CPU s | client peak MB | SHA-256 |\n' +
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n',
    )
    for (const kind of kinds) {
      for (const engine of engines) {
        const { env, pids, close } = await PLATFORMS[engine](Number(values.places))
        ends.push(close)
        const cells = await copyOnce(engine, kind, { source, destination, env, servers: pids })
        process.stdout.write(`| ${cells.join(' | ')} |\n`)
        if (cells.at(-1) !== 'equal') process.exitCode = 1
        await ends.pop()?.()
      }
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await cleanUp()
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

#!/usr/bin/env node
'use strict'

/**
 * Whether a bucket's name, or its age, makes it slow: buckets in pairs against the first, in random order in each round.
 * docs/experiments.md tells what came of it.
 *
 * Usage: node bench/experiments/buckets.js [--bytes N] [--rounds N] [--settle SECONDS] [--out FILE]
 * settle: between making the settled buckets and filling them; out: raw numbers go to the folder results beside it. Servers are
 * looked for in the folder XFER_TEST_BIN and on the PATH.
 */

const { setTimeout: sleep } = require('node:timers/promises')
const lib = require('../../lib')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { markdownTable } = require('../report')
const { OUT, exitOnSignals, keepRun, readFlags, removeAtExit } = require('./run')

const SERVERS = /** @type {const} */ (['versitygw', 'minio'])
const OPERATIONS = /** @type {const} */ (['put', 'get'])
/** The control is a bucket like the first: what it seems to differ is noise. */
const BUCKETS = [
  { what: 'well-formed, settled', bucket: 'well-formed-settled', settled: true },
  { what: 'the same again (control)', bucket: 'well-formed-control', settled: true },
  { what: 'well-formed, filled at once', bucket: 'well-formed-fresh', settled: false },
  { what: 'upper case and underscore, settled', bucket: 'Odd_Name_Settled', settled: true },
  { what: 'upper case and underscore, filled at once', bucket: 'Odd_Name_Fresh', settled: false },
  { what: 'dots, settled', bucket: 'with.dots.settled', settled: true },
]
/** @typedef {import('../../sandbox/peers').Peer} Peer */
/** found: absent for the rows that were refused; refused: the server makes no such bucket. @typedef {{ what: string, bucket: string, refused?: string, found?: import('../../lib').ProbeComparison }} Row */

/** @param {Pick<Peer, 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'region'>} server @param {{ bytes: number, rounds: number, settleMs: number }} how @returns {Promise<Row[]>} */
async function compare(server, { bytes, rounds, settleMs }) {
  const rows = /** @type {Row[]} */ (BUCKETS.map(({ what, bucket }) => ({ what, bucket })))
  /** @param {boolean} settled */
  async function make(settled) {
    for (const [i, row] of rows.entries()) {
      if (BUCKETS[i].settled !== settled) continue
      await makeBucket(server, row.bucket).catch(error => {
        if (error.facts?.storeCode === undefined) throw error
        row.refused = error.facts.storeCode
      })
    }
  }
  await make(true)
  await sleep(settleMs)
  await make(false)
  const made = rows.filter(({ refused }) => refused === undefined)
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: server.region,
    AWS_ENDPOINT_URL: server.endpoint,
  }
  const places = made.map(({ bucket }) => `s3://${bucket}`)
  const { comparison = [] } = await lib.probe(places, { rounds, size: `${bytes}B`, maxBytes: '16GiB', env })
  for (const [i, row] of made.entries()) row.found = comparison[i]
  return rows
}

/** @param {Row[]} rows @param {number} bytes @returns {import('../report').Table} ratios of rates to the first: above 1 is faster */
function tableOf(rows, bytes) {
  const cells = (/** @type {Row} */ { found, refused }, /** @type {number} */ i) =>
    OPERATIONS.flatMap(operation => {
      if (!found) return ['not made', `${refused}`]
      const { ms, ratio, low, high } = found[operation]
      const rate = `${(bytes / 1e3 / ms).toFixed(0)} MB/s`
      return [rate, i === 0 ? '1' : `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`]
    })
  const head = OPERATIONS.flatMap(operation => [operation, 'to the first, 95 %'])
  return { head: ['bucket', ...head], rows: rows.map((row, i) => [row.what, ...cells(row, i)]) }
}

const DEFAULTS = { bytes: '10000000', rounds: '100', settle: '60', out: OUT }

async function main() {
  exitOnSignals()
  const { out, ...given } = readFlags(DEFAULTS)
  const [bytes, rounds, settle] = [given.bytes, given.rounds, given.settle].map(Number)
  for (const name of SERVERS) {
    const start = PEERS[name]
    if (!start) {
      console.log(`Left out: ${name}, which is not installed.`)
      continue
    }
    const server = await start({ args: name === 'versitygw' ? ['--keep-alive', '--quiet'] : [] })
    removeAtExit(server.dir)
    try {
      const rows = await compare(server, { bytes, rounds, settleMs: settle * 1000 })
      const kept = { rows: /** @type {any[]} */ (rows), facts: { bytes, settle } }
      keepRun(out, { name: `buckets-${name}`, script: 'buckets.js', servers: [name], runs: rounds, ...kept })
      console.log(`${name}, objects of ${bytes} bytes, ${rounds} rounds, settled for ${settle} s\n`)
      console.log(`${markdownTable(tableOf(rows, bytes))}\n`)
    } finally {
      await server.close()
    }
  }
}

if (require.main === module) main()

module.exports = { compare, tableOf }

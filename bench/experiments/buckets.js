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

const { randomBytes, randomInt } = require('node:crypto')
const { setTimeout: sleep } = require('node:timers/promises')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { median } = require('../measure')
const { markdownTable } = require('../report')
const { createLightClient } = require('./light-client')
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
const DRAWS = 2_000
/** 95 % of the draws lie between. */
const BOUNDS = [0.025, 0.975]

/** @typedef {import('../../sandbox/peers').Peer} Peer */
/** @typedef {typeof OPERATIONS[number]} Operation */
/** seconds: by round; refused: the server makes no such bucket. @typedef {{ what: string, bucket: string, refused?: string, seconds: Record<Operation, number[]> }} Row */

/** @template T @param {T[]} items @returns {T[]} in random order */
function shuffled(items) {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

/**
 * The median of the ratios of pairs, and its bootstrap interval of percentiles (Efron, 1979).
 *
 * @param {number[]} ratios
 * @param {(below: number) => number} [draw]
 */
function ratioOf(ratios, draw = randomInt) {
  const medians = Array.from({ length: DRAWS }, () => median(ratios.map(() => ratios[draw(ratios.length)])))
  medians.sort((a, b) => a - b)
  const [low, high] = BOUNDS.map(share => medians[Math.round(share * (DRAWS - 1))])
  return { ratio: median(ratios), low, high }
}

/** @param {Pick<Peer, 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'region'>} server @param {{ bytes: number, rounds: number, settleMs: number }} how @returns {Promise<Row[]>} */
async function compare(server, { bytes, rounds, settleMs }) {
  const body = randomBytes(bytes)
  const rows = BUCKETS.map(({ what, bucket }) => ({ what, bucket, seconds: { put: [], get: [] } }))
  /** @param {boolean} settled */
  async function make(settled) {
    for (const [i, row] of rows.entries()) {
      if (BUCKETS[i].settled !== settled) continue
      await makeBucket(server, row.bucket).catch(error => {
        if (error.facts?.storeCode === undefined) throw error
        Object.assign(row, { refused: error.facts.storeCode })
      })
    }
  }
  await make(true)
  await sleep(settleMs)
  await make(false)
  const measured = /** @type {Row[]} */ (rows).filter(({ refused }) => refused === undefined)
  const clients = new Map(measured.map(row => [row, createLightClient(server, row.bucket)]))
  try {
    // The first round opens the connections, and does not count.
    for (let round = -1; round < rounds; round++) {
      for (const [row, client] of shuffled([...clients])) {
        for (const operation of OPERATIONS) {
          const startedMs = performance.now()
          const got = await client[operation]('object', body)
          const elapsedMs = performance.now() - startedMs
          if (got && !got.equals(body)) throw new Error(`${row.bucket}: something else was read`)
          if (round >= 0) row.seconds[operation].push(elapsedMs / 1000)
        }
      }
    }
  } finally {
    for (const client of clients.values()) client.close()
  }
  return rows
}

/** @param {Row[]} rows @param {number} bytes @returns {import('../report').Table} ratios of rates to the first: above 1 is faster */
function tableOf(rows, bytes) {
  const [first] = rows
  const cells = (/** @type {Row} */ { seconds, refused }) =>
    OPERATIONS.flatMap(operation => {
      if (refused) return ['not made', refused]
      const rate = `${(bytes / 1e6 / median(seconds[operation])).toFixed(0)} MB/s`
      const { ratio, low, high } = ratioOf(seconds[operation].map((one, i) => first.seconds[operation][i] / one))
      return [rate, seconds === first.seconds ? '1' : `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`]
    })
  const head = OPERATIONS.flatMap(operation => [operation, 'to the first, 95 %'])
  return { head: ['bucket', ...head], rows: rows.map(row => [row.what, ...cells(row)]) }
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

module.exports = { compare, ratioOf, tableOf }

#!/usr/bin/env node
'use strict'

/**
 * Pictures in a database or in a bucket: response times by size, and how they grow with users. PostgreSQL beside versitygw, both on
 * this machine's disk. docs/experiments.md tells what came of it.
 *
 * Usage: node bench/experiments/response-times.js [--sizes N,N] [--users N,N] [--requests N] [--out FILE]
 * requests: of each kind, size and number of users; large ones make fewer. Servers are looked for in the folder XFER_TEST_BIN, on the
 * PATH, and where Debian's packages are.
 */

const lib = require('../../lib')
const { measureUsers, randomMemory } = require('../../lib/probe')
const { makeBucket } = require('../../sandbox/objects')
const { PEERS } = require('../../sandbox/peers')
const { markdownTable } = require('../report')
const { openPictures, startPostgres } = require('./postgres')
const { OUT, exitOnSignals, keepRun, readFlags, removeAtExit } = require('./run')

const OPERATIONS = /** @type {const} */ (['put', 'get'])
const BUCKET = 'pictures'
/** Of each step. */
const MOST_BYTES = 400_000_000

/** @typedef {import('../../lib').ProbeUsers} Row */
/** @typedef {{ size: number, database: Row[], bucket: Row[] }} Found of a size */

/** @param {number} size @param {number[]} users @param {number} requests */
function askedOf(size, users, requests) {
  return Math.min(requests, Math.max(2 * Math.max(...users), Math.floor(MOST_BYTES / size)))
}

/** @param {Row[]} rows @param {string} op @param {number} users */
const timeOf = (rows, op, users) =>
  /** @type {Row} */ (rows.find(row => row.op === op && row.users === users)).times.p50

/**
 * Where the medians cross, with one user: between two sizes as on a straight line of logarithms.
 *
 * @param {Array<{ size: number, database: number, bucket: number }>} times milliseconds, by size, the smallest first
 * @returns {string}
 */
function crossoverOf(times) {
  const ahead = times.map(({ database, bucket }) => Math.log(database / bucket))
  const at = ahead.findIndex((one, i) => i > 0 && one > 0 !== ahead[i - 1] > 0)
  const [below, above] = ahead[0] > 0 ? ['bucket', 'database'] : ['database', 'bucket']
  if (at < 0) return `the ${below} at every size`
  const [from, to] = [times[at - 1].size, times[at].size].map(Math.log)
  const size = Math.exp(from + ((to - from) * ahead[at - 1]) / (ahead[at - 1] - ahead[at]))
  return `below ${Math.round(size / 1000)} kB the ${below}, above it the ${above}`
}

/** @param {Found[]} found @param {number[]} users @returns {import('../report').Table} */
function tableOf(found, users) {
  const [first] = users
  const cell = (/** @type {Row[]} */ rows, /** @type {string} */ op, /** @type {number} */ count) => {
    const ms = timeOf(rows, op, count)
    return count === first ? ms.toFixed(1) : `${ms.toFixed(1)} (${(ms / timeOf(rows, op, first)).toFixed(1)} ×)`
  }
  const shares = (/** @type {Row[]} */ rows) => rows.map(({ errors }) => errors).reduce((a, b) => a + b, 0)
  return {
    head: ['', 'size', ...['database', 'bucket'].flatMap(one => [...users.map(n => `${one}, ${n}`), 'errors'])],
    rows: OPERATIONS.flatMap(op =>
      found.map(({ size, database, bucket }) => [
        op.toUpperCase(),
        `${size / 1000} kB`,
        ...[database, bucket].flatMap(rows => [...users.map(n => cell(rows, op, n)), String(shares(rows))]),
      ]),
    ),
  }
}

/** What the text claims, and whether it is so here. @param {Found[]} found @param {number[]} users @returns {string[]} */
function claimsOf(found, users) {
  const crossings = OPERATIONS.map(op => {
    const times = found.map(({ size, database, bucket }) => ({
      size,
      database: timeOf(database, op, users[0]),
      bucket: timeOf(bucket, op, users[0]),
    }))
    return `${op.toUpperCase()}: ${crossoverOf(times)}.`
  })
  const few = users[1] ?? users[0]
  const growth = (/** @type {'database' | 'bucket'} */ side) => {
    const all = found.flatMap(one => OPERATIONS.map(op => timeOf(one[side], op, few) / timeOf(one[side], op, users[0])))
    return `${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}`
  }
  return [
    ...crossings,
    `With ${few} users the database's times grow ${growth('database')} times (claimed: 2), the bucket's ${growth('bucket')} (claimed: 1.25 to 1.45).`,
  ]
}

const DEFAULTS = { sizes: '10000,100000,1000000,3600000,5000000,10000000', users: '1,3,30', requests: '100', out: OUT }

async function main() {
  exitOnSignals()
  const { out, ...given } = readFlags(DEFAULTS)
  const [sizes, users] = [given.sizes, given.users].map(text => text.split(',').map(Number))
  const start = PEERS.versitygw
  if (!start) return console.log('Left out: versitygw is not installed.')
  const postgres = await startPostgres()
  if (!postgres) return console.log('Left out: PostgreSQL is not installed (Debian: apt-get install postgresql).')
  const server = await start({ args: ['--keep-alive', '--quiet'], onDisk: true })
  removeAtExit(server.dir, postgres.dir)
  const pictures = await openPictures(postgres, Math.max(...users))
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: server.region,
    AWS_ENDPOINT_URL: server.endpoint,
  }
  /** @type {Found[]} */
  const found = []
  try {
    await makeBucket(server, BUCKET)
    for (const size of sizes) {
      const requests = askedOf(size, users, Number(given.requests))
      const how = { users, mix: [...OPERATIONS], requests, held: randomMemory(size) }
      const database = await measureUsers(/** @type {any} */ (pictures), how)
      await pictures.clean()
      const asked = {
        users: given.users,
        mix: OPERATIONS.join(','),
        requests,
        size: `${size}B`,
        maxBytes: '16GiB',
        env,
      }
      const { users: bucket = [] } = await lib.probe(`s3://${BUCKET}`, asked)
      found.push({ size, database, bucket })
    }
  } finally {
    await pictures.close()
    await postgres.close()
    await server.close()
  }
  const claims = claimsOf(found, users)
  const facts = { requests: Number(given.requests), users: given.users, postgres: postgres.version, claims }
  keepRun(out, {
    name: 'response-times',
    script: 'response-times.js',
    servers: ['versitygw'],
    runs: 1,
    rows: /** @type {any[]} */ (found),
    facts,
  })
  console.log(`${postgres.version} and versitygw, medians in ms, by users at once\n`)
  console.log([markdownTable(tableOf(found, users)), '', ...claims].join('\n'))
}

if (require.main === module) main()

module.exports = { claimsOf, crossoverOf, tableOf }

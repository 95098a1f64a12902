'use strict'

/** The fixed cost of a warm invocation: tiny tasks through the action's `main`, one after another, in this process. */

const http = require('node:http')
const { FRAMING, framedLength } = require('../../actions/copy-range/stores/s3')
const { READ, WRITE } = require('../../lib/stores/s3/rules')
const { VERSION, closeConnections, main } = require('../../actions/copy-range')
const { claim, medianOf, rowNamed } = require('../report')
const { median } = require('../measure')
const { startWorld, BUCKET, COPY } = require('./synthetic-world')

const KEY = 'made'
const BYTES = 1024
const CALLS = 1000
const QUICK_CALLS = 50
const MOST_MS = 5
const BEHIND = { trailer: 'x-amz-checksum-crc32', sum: /** @type {const} */ ('crc32') }
const [INVOCATION, BARE] = ['an invocation of one part of 1 KiB', 'a bare GET and a bare PUT of 1 KiB']

/**
 * The two requests of a part, as in a task. The stores check no signature.
 *
 * @param {Awaited<ReturnType<typeof startWorld>>} world
 * @param {string} uploadId
 * @param {string} etag of the source
 */
function partOf({ source, destination }, uploadId, etag) {
  const read = {
    method: 'GET',
    url: `${source.endpoint}/${BUCKET}/${KEY}`,
    headers: { range: `bytes=0-${BYTES - 1}`, 'if-match': etag },
    accepts: 'read',
  }
  const headers = {
    'content-length': String(framedLength(BYTES, BEHIND)),
    'content-encoding': 'aws-chunked',
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': String(BYTES),
    'x-amz-trailer': BEHIND.trailer,
  }
  const url = `${destination.endpoint}/${COPY}?partNumber=1&uploadId=${uploadId}`
  const write = { method: 'PUT', url, headers, framing: { type: FRAMING, ...BEHIND }, accepts: 'write' }
  return { partNumber: 1, bytes: BYTES, read, write, sums: [], expect: { etag, totalBytes: BYTES } }
}

/** @param {ReturnType<typeof partOf>} task */
async function invoke(task) {
  const result = /** @type {any} */ (
    await main({ version: VERSION, accepts: { read: READ, write: WRITE }, tasks: [task], parallel: 1 })
  )
  const failure = result.error ?? result.outcomes[0].error?.message
  if (failure) throw new Error(failure)
}

/** The cost of any client with `node:http` and reused connections. @param {http.Agent} agent */
function bareCalls(agent) {
  /** @param {string} method @param {string} url @param {Record<string, string>} headers @param {Buffer} [body] @returns {Promise<void>} */
  const send = (method, url, headers, body) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, { method, headers, agent }, response => response.on('end', resolve).resume())
      request.on('error', reject).end(body)
    })
  const body = Buffer.alloc(BYTES)
  return async (/** @type {ReturnType<typeof partOf>} */ { read, write }) => {
    await send(read.method, read.url, read.headers)
    await send(write.method, write.url, { 'content-length': String(BYTES) }, body)
  }
}

/** @param {() => Promise<void>} call @param {number} calls @returns {Promise<{ milliseconds: number, slowMilliseconds: number }>} of the median call, and of one in twenty */
async function timeCalls(call, calls) {
  const times = []
  for (let i = 0; i < calls; i++) {
    const startedMs = performance.now()
    await call()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  return { milliseconds: median(times), slowMilliseconds: times[Math.floor(times.length * 0.95)] }
}

/** @type {import('.').Case} */
const INVOCATION_COST = {
  name: 'invocation',
  title: "A warm invocation's fixed cost",
  about:
    `Parts of 1 KiB through the action's \`main\` in one process, one at a time, between synthetic stores; beside what the same two ` +
    'requests cost with `node:http` and kept connections, and no checks.',
  programs: [],

  async run({ runs, quick, home, signal, say }) {
    const world = await startWorld({ [KEY]: BYTES }, { home })
    const agent = new http.Agent({ keepAlive: true })
    try {
      const created = await fetch(`${world.destination.endpoint}/${COPY}?uploads`, { method: 'POST' })
      const uploadId = String(/<UploadId>([^<]+)/.exec(await created.text())?.[1])
      const task = partOf(world, uploadId, String((await world.source.find(`${BUCKET}/${KEY}`))?.etag))
      const bare = bareCalls(agent)
      const contestants = [
        { name: INVOCATION, kind: /** @type {const} */ ('xfer'), call: () => invoke(task) },
        { name: BARE, kind: /** @type {const} */ ('limit'), call: () => bare(task) },
      ]
      /** @type {import('../rounds').Row[]} */
      const rows = contestants.map(({ name, kind }) => ({ name, kind, runs: [] }))
      for (let run = 0; run <= runs; run++) {
        for (const [index, { name, call }] of contestants.entries()) {
          signal.throwIfAborted()
          const times = await timeCalls(call, quick ? QUICK_CALLS : CALLS)
          say(`${run === 0 ? 'warm-up' : `run ${run} of ${runs}`}  ${name}: ${times.milliseconds.toFixed(2)} ms`)
          if (run > 0) rows[index].runs.push(/** @type {any} */ (times))
        }
      }
      return { rows }
    } finally {
      closeConnections()
      agent.destroy()
      await world.close()
    }
  },

  tell({ rows }) {
    const row = rowNamed(rows, INVOCATION)
    return {
      tables: [
        {
          head: ['', 'median, ms', 'one in twenty takes more than, ms'],
          rows: rows.map(one => [
            one.name,
            medianOf(one, 'milliseconds').toFixed(2),
            medianOf(one, 'slowMilliseconds').toFixed(2),
          ]),
        },
      ],
      claims: claim('milliseconds of a warm invocation beside moving the bytes', row && medianOf(row, 'milliseconds'), {
        atMost: MOST_MS,
      }),
      remarks: [`Medians of the runs, of ${CALLS} calls each.`],
    }
  },
}

module.exports = { INVOCATION_COST }

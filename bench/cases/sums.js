'use strict'

/** What checksums cost: each alone and together, in memory; and what they add to a copy through the action's `main`. */

const { randomFillSync } = require('node:crypto')
const zlib = require('node:zlib')
const { VERSION, closeConnections, main } = require('../../actions/copy-range')
const { createSums } = require('../../actions/copy-range/copy/sums')
const { READ, WRITE } = require('../../lib/stores/s3/rules')
const { claim, medianOf, rowNamed, size } = require('../report')
const { startWorld, BUCKET, COPY } = require('./synthetic-world')

const KEY = 'made'
const MIB = 1024 ** 2
const GB = 1e9
const PIECES = [16, 64, 256].map(kib => kib * 1024)
/** Bytes of a part, in memory and in a copy. */
const PART = 64 * MIB
const PARTS = 8
const QUICK_PARTS = 1
const LEAST_GB = 1.5

/** @typedef {import('../../lib/types').Sum} Sum */

/** @type {Sum[][]} */
const IN_MEMORY = [
  ['crc32'],
  ['crc32c'],
  ['crc64nvme'],
  ['crc32', 'crc64nvme'],
  ['crc32c', 'crc64nvme'],
  ['crc32', 'crc32c', 'crc64nvme'],
  ['md5'],
]
/** @type {Sum[][]} */
const IN_A_COPY = [[], ['crc32'], ['crc32c'], ['crc64nvme'], ['crc32', 'crc64nvme'], ['crc32c', 'crc64nvme'], ['md5']]
const [COPYING, ZLIB] = ['a copy of the bytes', 'zlib.crc32']

/** @param {Sum[]} sums */
const nameOf = sums => sums.join(' + ')
/** @param {Sum[]} sums */
const copyNameOf = sums => `copied, ${sums.length > 0 ? nameOf(sums) : 'no checksum'}`

/**
 * `pass` takes a part in pieces of so many bytes, taken from `bytes` over and over.
 * @typedef {{ name: string, kind: 'xfer' | 'limit' | 'peer', pass: (bytes: Buffer, piece: number) => void }} InMemory
 */

/** @returns {InMemory[]} */
function inMemory() {
  const xfer = IN_MEMORY.map(kinds => ({
    name: nameOf(kinds),
    kind: /** @type {const} */ ('xfer'),
    pass(/** @type {Buffer} */ bytes, /** @type {number} */ piece) {
      const sums = createSums(kinds)
      eachPiece(bytes, piece, data => sums.update(data))
      sums.digest()
    },
  }))
  const target = Buffer.alloc(Math.max(...PIECES))
  const { crc32 } = /** @type {any} */ (zlib)
  return [
    ...xfer,
    ...(crc32 ? [{ name: ZLIB, kind: /** @type {const} */ ('peer'), pass: sumByZlib }] : []),
    { name: COPYING, kind: 'limit', pass: (bytes, piece) => eachPiece(bytes, piece, data => target.set(data)) },
  ]

  /** @param {Buffer} bytes @param {number} piece */
  function sumByZlib(bytes, piece) {
    let crc = 0
    eachPiece(bytes, piece, data => {
      crc = crc32(data, crc)
    })
  }
}

/** @param {Buffer} bytes as much as a slab of the action has @param {number} piece @param {(data: Buffer) => void} take */
function eachPiece(bytes, piece, take) {
  for (let taken = 0; taken < PART; taken += piece) {
    const at = taken % bytes.length
    take(bytes.subarray(at, at + piece))
  }
}

/** The processor time of this process, in seconds. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** @param {InMemory} how @param {Buffer} bytes @param {number} parts @returns {Record<string, number>} gigabytes a CPU second, by the size of a piece */
function gigabytesByPiece({ pass }, bytes, parts) {
  return Object.fromEntries(
    PIECES.map(piece => {
      const before = cpuSeconds()
      for (let part = 0; part < parts; part++) pass(bytes, piece)
      return [size(piece), (parts * PART) / GB / (cpuSeconds() - before)]
    }),
  )
}

/**
 * A task as the local engine has it. The stores check no signature.
 * @param {Awaited<ReturnType<typeof startWorld>>} world
 * @param {string} uploadId
 * @param {string} etag of the source
 */
function taskOf({ source, destination }, uploadId, etag) {
  const headers = { range: `bytes=0-${PART - 1}`, 'if-match': etag }
  const read = { method: 'GET', url: `${source.endpoint}/${BUCKET}/${KEY}`, headers, accepts: 'read' }
  const url = `${destination.endpoint}/${COPY}?partNumber=1&uploadId=${uploadId}`
  const write = { method: 'PUT', url, headers: { 'content-length': String(PART) }, accepts: 'write' }
  return { partNumber: 1, bytes: PART, read, write, expect: { etag, totalBytes: PART } }
}

/** @param {ReturnType<typeof taskOf>} task @param {Sum[]} sums @param {number} parts @returns {Promise<number>} CPU seconds a GB */
async function copyCost(task, sums, parts) {
  const before = cpuSeconds()
  const tasks = Array.from({ length: parts }, () => ({ ...task, sums }))
  const accepts = { read: READ, write: WRITE }
  const result = /** @type {any} */ (await main({ version: VERSION, accepts, tasks, parallel: 2 }))
  const failure = result.error ?? result.outcomes.find((/** @type {any} */ { error }) => error)?.error.message
  if (failure) throw new Error(failure)
  return (cpuSeconds() - before) / ((parts * PART) / GB)
}

/** @type {import('.').Case} */
const SUMS = {
  name: 'sums',
  title: 'What checksums cost',
  about:
    'Gigabytes that a second of processor time is enough for, in memory, in pieces as they come from a socket. Then parts of ' +
    "64 MiB through the action's `main` in one process, two at a time, between synthetic stores, with each choice of checksums: " +
    'the processor time of that process. All contestants alternate.',
  programs: [],

  async run({ runs, quick, home, signal, say }) {
    const parts = quick ? QUICK_PARTS : PARTS
    const bytes = randomFillSync(Buffer.alloc(MIB))
    const world = await startWorld({ [KEY]: PART }, { home })
    try {
      const created = await fetch(`${world.destination.endpoint}/${COPY}?uploads`, { method: 'POST' })
      const uploadId = String(/<UploadId>([^<]+)/.exec(await created.text())?.[1])
      const task = taskOf(world, uploadId, String((await world.source.find(`${BUCKET}/${KEY}`))?.etag))
      const contestants = [
        ...inMemory().map(one => ({ ...one, figures: async () => gigabytesByPiece(one, bytes, parts) })),
        ...IN_A_COPY.map(sums => ({
          name: copyNameOf(sums),
          kind: /** @type {const} */ ('xfer'),
          figures: async () => ({ cpuSecondsPerGB: await copyCost(task, sums, parts) }),
        })),
      ]
      /** @type {import('../rounds').Row[]} */
      const rows = contestants.map(({ name, kind }) => ({ name, kind, runs: [] }))
      for (let run = 0; run <= runs; run++) {
        for (const [index, { name, figures }] of contestants.entries()) {
          signal.throwIfAborted()
          const found = await figures()
          const words = Object.entries(found).map(([figure, value]) => `${figure} ${value.toFixed(3)}`)
          say(`${run === 0 ? 'warm-up' : `run ${run} of ${runs}`}  ${name}: ${words.join(', ')}`)
          if (run > 0) rows[index].runs.push(/** @type {any} */ (found))
        }
      }
      return { rows }
    } finally {
      closeConnections()
      await world.close()
    }
  },

  tell({ rows }) {
    const copies = IN_A_COPY.flatMap(sums => rowNamed(rows, copyNameOf(sums)) ?? [])
    const none = medianOf(copies[0], 'cpuSecondsPerGB')
    return {
      tables: [
        {
          head: ['GB per CPU second', ...PIECES.map(piece => `pieces of ${size(piece)}`)],
          rows: rows
            .filter(row => !copies.includes(row))
            .map(row => [row.name, ...PIECES.map(piece => medianOf(row, size(piece)).toFixed(2))]),
        },
        {
          head: ['a copy', 'CPU s/GB', 'against no checksum'],
          rows: copies.map(row => {
            const cost = medianOf(row, 'cpuSecondsPerGB')
            return [row.name, cost.toFixed(3), (cost / none).toFixed(2)]
          }),
        },
      ],
      claims: ['crc32c', 'crc64nvme'].flatMap(kind => {
        const row = rowNamed(rows, kind)
        const figure = `gigabytes of a CPU second, ${kind}, in pieces of 64 KiB`
        return claim(figure, row && medianOf(row, size(64 * 1024)), { atLeast: LEAST_GB })
      }),
      remarks: [`Each figure is the median of the runs. A run is ${PARTS} parts of ${size(PART)} of each contestant.`],
    }
  },
}

module.exports = { SUMS }

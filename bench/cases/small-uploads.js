'use strict'

/** Bursts of small uploads of one process: the first, with what the process loads for it, and further ones. */

const { createRequire } = require('node:module')
const { join } = require('node:path')
const { bareEnvironment } = require('../clients')
const { claim, finished, medianOf } = require('../report')
const { takeTurns } = require('../rounds')
const { startWorld } = require('./synthetic-world')

const CLIENT = join(__dirname, 'upload-client.js')
const COUNT = 500
const QUICK_COUNT = 20
const BYTES = 10_000
/** Bursts after the first. */
const MORE = 20

/** By their names in upload-client.js. lib-storage may be anywhere on NODE_PATH. */
const WAYS = [
  { way: 'xfer', name: 'xfer', kind: /** @type {const} */ ('xfer') },
  { way: 'lib-storage', name: 'lib-storage of the AWS SDK', kind: /** @type {const} */ ('peer') },
  { way: 'put', name: 'its PutObject alone', kind: /** @type {const} */ ('limit') },
]

/** @param {string} way */
function isInstalled(way) {
  if (way !== 'lib-storage') return true
  try {
    return createRequire(__filename).resolve('@aws-sdk/lib-storage') !== ''
  } catch {
    return false
  }
}

/** @type {import('.').Case} */
const UPLOADS = {
  name: 'small-uploads',
  title: `${COUNT} uploads of 10 kB at once`,
  about:
    `A process uploads ${COUNT} buffers at once to a synthetic store, and then ${MORE} times more. Of xfer each is proved, and told ` +
    'by events; the AWS SDK sends a PutObject each.',
  programs: [],

  async run({ runs, quick, home, signal, say }) {
    const count = quick ? QUICK_COUNT : COUNT
    const world = await startWorld({}, { home })
    const { endpoint, region, accessKeyId, secretAccessKey } = world.destination
    try {
      const env = {
        ...bareEnvironment(home),
        NODE_PATH: process.env.NODE_PATH,
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
        AWS_ENDPOINT_URL: endpoint,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      }
      const numbers = [count, BYTES].map(String)
      const present = WAYS.filter(({ way }) => isInstalled(way))
      const contestants = present.flatMap(({ way, name, kind }) =>
        [1, 1 + MORE].map(bursts => ({
          name: `${name}, ${bursts}`,
          kind,
          call: () => ({ command: [process.execPath, CLIENT, way, ...numbers, String(bursts)], env }),
        })),
      )
      const rows = await takeTurns(contestants, {
        runs,
        servers: world.pids,
        signal,
        say,
        before: () => world.prepare(false),
        check: () => world.lacks(`0-${count - 1}`, BYTES),
      })
      const missing = WAYS.filter(one => !present.includes(one))
      const leftOut = missing.map(({ name }) => `${name}, which is not installed`)
      return { rows, leftOut }
    } finally {
      await world.close()
    }
  },

  tell({ rows }) {
    const all = finished(rows)
    const found = WAYS.flatMap(({ name }) => {
      const [first, more] = [1, 1 + MORE].map(bursts => all.find(row => row.name === `${name}, ${bursts}`))
      if (!first || !more) return []
      const cpu = medianOf(first, 'cpuSeconds')
      return [{ name, cpu, each: (medianOf(more, 'cpuSeconds') - cpu) / MORE, peak: medianOf(more, 'peakBytes') }]
    })
    const [xfer, peer] = WAYS.map(({ name }) => found.find(row => row.name === name))
    return {
      tables: [
        {
          head: ['', 'the whole process, one burst, CPU s', `each of ${MORE} more, CPU s`, 'peak MB'],
          rows: found.map(({ name, cpu, each, peak }) => [
            name,
            cpu.toFixed(2),
            each.toFixed(3),
            (peak / 1e6).toFixed(0),
          ]),
        },
      ],
      claims: [
        ...claim('CPU of further bursts against lib-storage', xfer && peer && xfer.each / peer.each, { atMost: 1 }),
        ...claim('CPU of the first against lib-storage', xfer && peer && xfer.cpu / peer.cpu, { atMost: 1 }),
      ],
    }
  },
}

module.exports = { UPLOADS }

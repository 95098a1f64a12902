'use strict'

/** Workers in this process, and what speaks to them byte by byte. */

const { EventEmitter } = require('node:events')
const net = require('node:net')
const { toParameters } = require('../../lib/engines')
const { startWorker } = require('../../lib/engines/http/serve')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('./events')
const { bytesOf, openStore, put } = require('./s3')

const TOKEN = 'a-token-of-the-tests'
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

/**
 * @param {Record<string, any>} [options] of `xfer serve`, read
 * @param {object} [bounds] as startWorker has them
 */
async function openWorker(options = {}, bounds = {}) {
  const log = new EventEmitter()
  /** @type {Record<string, any>[]} */
  const entries = []
  const settings = { host: '127.0.0.1', port: 0, places: 8, heartbeatMs: 10_000, timeoutMs: 300_000, ...options }
  const worker = await startWorker(settings, {
    env: { XFER_TOKEN: TOKEN },
    ...bounds,
    log(entry) {
      entries.push(entry)
      log.emit(entry.event, entry)
    },
  })
  return { ...worker, port: Number(new URL(worker.url).port), log, entries }
}

/**
 * A connection that sends what it is given, and keeps what comes.
 *
 * @param {number} port
 * @param {string} [first]
 */
function dial(port, first = '') {
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  const closed = new Promise(resolve => socket.on('close', () => resolve(text)))
  const heard = new EventEmitter()
  socket.setEncoding('latin1').on('data', piece => {
    text += piece
    heard.emit('text')
  })
  socket.on('error', () => {})
  socket.write(first)
  return {
    socket,
    send: more => socket.write(more),
    text: () => text,
    /** All that came, once the other side has ended it. @type {Promise<string>} */
    closed,
    /** Resolves once that came. @param {RegExp} pattern @returns {Promise<string>} */
    until: pattern =>
      new Promise((resolve, reject) => {
        const look = () => pattern.test(text) && resolve(text)
        heard.on('text', look)
        look()
        closed.then(() => reject(new Error(`closed before ${pattern} came: ${text}`)))
      }),
  }
}

/** @param {string} body @param {string[]} [headers] @param {string} [version] */
const runRequest = (body, headers = [`authorization: Bearer ${TOKEN}`], version = '1.1') =>
  [
    `POST /v1/run HTTP/${version}`,
    'host: worker',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

/** Parameters of an invocation that copies some bytes. @param {any} server the sandbox's store @param {{ etag: string, totalBytes: number }} source */
async function copyParameters(server, { etag, totalBytes }, bytes = 1000) {
  const store = openStore(server, 'bucket')
  const { request: read } = await store.read({ key: 'source', etag, range: { start: 0, end: bytes - 1 } })
  const attributes = { metadata: { headers: {}, user: {} } }
  const { request: write } = await store.put({ key: 'copy', bytes, attributes, checksum: true })
  store.close()
  return toParameters([{ partNumber: 1, bytes, read, write, sums: ['crc32'], expect: { etag, totalBytes } }])
}

/**
 * An invocation whose read stops in its middle, and the moment at which it does.
 *
 * @param {any} server the sandbox's store
 * @param {{ port: number }} worker
 * @param {Parameters<typeof copyParameters>[1]} source
 */
async function startStalled(server, worker, source) {
  server.faults.add({ operation: 'GetObject', stall: 100 })
  const begun = eventOf(server, 'begin', ({ operation }) => operation === 'GetObject')
  const run = dial(worker.port, runRequest(JSON.stringify(await copyParameters(server, source))))
  await begun
  return run
}

/** The sandbox's store with an object `source`. */
async function startSource() {
  const server = await startStore({ buckets: ['bucket'] })
  const store = openStore(server, 'bucket')
  const body = bytesOf(10_000)
  const source = { etag: await put(store, 'source', body), totalBytes: body.length }
  store.close()
  return { server, source, close: () => server.close() }
}

module.exports = { HEADERS, TOKEN, copyParameters, dial, openWorker, runRequest, startSource, startStalled }

'use strict'

const http = require('node:http')
const net = require('node:net')
const { buffer } = require('node:stream/consumers')
const zlib = require('node:zlib')
const { VERSION, closeConnections, main } = require('../../actions/copy-range')
const { framedLength } = require('../../actions/copy-range/dialects')
const { READ, WRITE } = require('../../lib/stores/s3/answers')
const { closeStores, listen } = require('../support/listen')

/** Parameters of an invocation whose tasks are of S3 stores. */
const S3 = { version: VERSION, accepts: { read: READ, write: WRITE } }

/** A write with its CRC-32 behind the bytes. */
const TRAILER = 'x-amz-checksum-crc32'

/** @param {number | Uint8Array} crc32 or what it is of */
const crc32Of = crc32 => (typeof crc32 === 'number' ? crc32 : zlib.crc32(crc32)).toString(16).padStart(8, '0')
const ETAG = '"source-etag"'

/** Waits for the end of a connection, however it comes. */
const closed = socket => socket.destroyed || new Promise(resolve => socket.once('close', resolve))

afterEach(closeConnections)

/** An HTTP store that answers with `handle`. */
function httpStore(handle) {
  return listen(http.createServer({ keepAliveTimeout: 0 }, handle))
}

/**
 * A store over a bare socket: `handle(socket, { head, rest, connection })` is called for every request head that arrives
 * while nothing else listens.
 */
async function rawStore(handle) {
  let count = 0
  return await listen(
    net.createServer(socket => {
      const connection = ++count
      let head = ''
      socket.on('data', chunk => {
        if (socket.bodyOnly) return
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const request = { head: head.slice(0, end), rest: head.slice(end + 4), connection }
        head = ''
        handle(socket, request)
      })
    }),
  )
}

/** A raw store that answers every request with the same text, and then closes when `close` is given. */
function answering(text, { close = false } = {}) {
  return rawStore(socket => {
    socket.write(text)
    if (close) socket.end()
  })
}

/** A source that serves ranges of `object` as S3 does, and keeps the requests it got. */
async function rangeSource(object, { etag = ETAG } = {}) {
  const requests = []
  const store = await httpStore((request, response) => {
    requests.push(request)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) {
      response.writeHead(200, { etag, 'content-length': object.length }).end(object)
      return
    }
    const part = object.subarray(Number(from), Number(to) + 1)
    const headers = { etag, 'content-length': part.length, 'content-range': `bytes ${from}-${to}/${object.length}` }
    response.writeHead(206, headers).end(part)
  })
  return Object.assign(store, { requests })
}

/** A destination that takes every PUT, and keeps the bodies it got whole. */
async function partSink(answer = { etag: '"part-etag"' }, status = 200) {
  const writes = []
  const store = await httpStore(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    writes.push({ url: request.url, headers: request.headers, body })
    response.writeHead(status, { 'content-length': 0, ...answer }).end()
  })
  return Object.assign(store, { writes })
}

/** The end of a successful raw write. */
const STORED = 'HTTP/1.1 200 OK\r\nETag: "part-etag"\r\nContent-Length: 0\r\n\r\n'

/** Bytes that differ from place to place. */
function someBytes(length) {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8) * 7) & 0xff
  return bytes
}

/** A task that reads `bytes` from `start` of an object of `total` bytes. */
function makeTask(source, sink, { bytes, start = 0, total = bytes, trailer, etag = ETAG, sums = ['crc32'], ...more }) {
  const ranged = bytes > 0 && more.ranged !== false
  const { ranged: _, read = {}, write = {}, ...fields } = more
  const framing = { type: 'aws-chunked', trailer, sum: 'crc32' }
  const range = ranged && { range: `bytes=${start}-${start + bytes - 1}` }
  const length = { 'content-length': String(trailer ? framedLength(bytes, framing) : bytes) }
  const authorization = 'secret-authorization'
  return {
    partNumber: 1,
    bytes,
    sums,
    read: {
      accepts: 'read',
      method: 'GET',
      url: `${source.url}/bucket/key?X-Amz-Signature=secret-query`,
      headers: { authorization, ...range, ...read },
    },
    write: {
      accepts: 'write',
      method: 'PUT',
      url: `${sink.url}/bucket/key?partNumber=1&uploadId=secret-query`,
      headers: { authorization, ...length, ...write },
      ...(trailer ? { framing } : {}),
    },
    expect: { etag, totalBytes: total },
    ...fields,
  }
}

/** The outcome of one task, alone. @param {any} task @param {object} [params] @param {object} [how] */
async function outcomeOf(task, params = {}, how = undefined) {
  const { outcomes } = await main({ ...S3, tasks: [task], ...params }, how)
  expect(outcomes).toHaveLength(1)
  return outcomes[0]
}

module.exports = {
  answering,
  closed,
  closeStores,
  crc32Of,
  ETAG,
  httpStore,
  listen,
  makeTask,
  outcomeOf,
  partSink,
  rangeSource,
  rawStore,
  S3,
  someBytes,
  STORED,
  TRAILER,
}

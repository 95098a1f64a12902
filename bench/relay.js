#!/usr/bin/env node
'use strict'

/**
 * The limit that xfer is compared with: a relay that only moves the bytes of ranges from GETs to PUTs, with one thread per
 * core. Raw sockets that read into its own buffers, no signatures, no checksums, no checks, no retries. It works with
 * synthetic stores only, and is the cheapest copy that we know with the sockets of Node.js.
 *
 *     node bench/relay.js '{"source":"http://…/bench/made","destination":"http://…/bench/copy","bytes":1073741824}'
 */

const { readFileSync } = require('node:fs')
const { once } = require('node:events')
const net = require('node:net')
const { availableParallelism } = require('node:os')
const tls = require('node:tls')
const { Worker, isMainThread, workerData } = require('node:worker_threads')

/** The most that one read can return; with smaller buffers a gigabyte costs up to twice as much. */
const BUFFER_BYTES = 1024 ** 2
const PART_BYTES = 100 * 1024 ** 2
const LANES_A_THREAD = 2
/** The content of a TLS record (RFC 8446 section 5.1): Node returns records one by one. */
const RECORD_BYTES = 16 * 1024
const HEAD_END = '\r\n\r\n'

/**
 * @typedef {{ source: string, destination: string, bytes: number, partBytes?: number, ca?: string }} Job source and destination:
 *   the objects' URLs; ca: a file
 * @typedef {{ number: number, start: number, bytes: number }} Part
 *
 * A buffer: how many bytes are filled, how many of them were passed to a write, and how many writes are in flight.
 * @typedef {{ bytes: Buffer, filled: number, written: number, writes: number }} Space
 */

/** @returns {Space} */
const newSpace = () => ({ bytes: Buffer.allocUnsafeSlow(BUFFER_BYTES), filled: 0, written: 0, writes: 0 })

/** @param {Job} job */
async function main(job) {
  const threads = availableParallelism()
  const uploadId = /<UploadId>([^<]+)/.exec(await ask(job, 'POST', '?uploads'))?.[1]
  const parts = cut(job.bytes, job.partBytes ?? PART_BYTES)
  /** @param {number} thread */
  const share = thread => ({ job, uploadId, parts: parts.filter((_, index) => index % threads === thread) })
  const others = Array.from({ length: threads - 1 }, (_, i) => new Worker(__filename, { workerData: share(i + 1) }))
  const ended = others.map(async worker => {
    const [code] = await once(worker, 'exit')
    if (code !== 0) throw new Error(`a thread ended with ${code}`)
  })
  await Promise.all([relay(share(0)), ...ended])
  const list = parts.map(({ number }) => `<Part><PartNumber>${number}</PartNumber></Part>`).join('')
  await ask(job, 'POST', `?uploadId=${uploadId}`, `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
}

/** @param {number} bytes @param {number} partBytes @returns {Part[]} */
function cut(bytes, partBytes) {
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, i) => {
    const start = i * partBytes
    return { number: i + 1, start, bytes: Math.min(partBytes, bytes - start) }
  })
}

/** Copies a thread's parts over several connections. @param {{ job: Job, uploadId: string | undefined, parts: Part[] }} share */
async function relay({ job, uploadId, parts }) {
  const queue = [...parts]
  const [from, to] = [job.source, job.destination].map(url => new URL(url))
  const lanes = Array.from({ length: Math.min(LANES_A_THREAD, queue.length) }, async () => {
    const lane = openLane(job)
    for (let part = queue.shift(); part; part = queue.shift()) {
      const range = `range: bytes=${part.start}-${part.start + part.bytes - 1}\r\n`
      const query = `?partNumber=${part.number}&uploadId=${uploadId}`
      await lane.move(
        `GET ${from.pathname} HTTP/1.1\r\nhost: ${from.host}\r\n${range}\r\n`,
        `PUT ${to.pathname}${query} HTTP/1.1\r\nhost: ${to.host}\r\ncontent-length: ${part.bytes}\r\n\r\n`,
        part.bytes,
      )
    }
    lane.close()
  })
  await Promise.all(lanes)
}

/**
 * Copies over one connection to each store. Buffers alternate: one is filled while another is written. TLS returns single
 * records; they are gathered, and written when the buffer is full or no more have come.
 *
 * @param {Job} job
 */
function openLane({ source, destination, ca }) {
  const secure = source.startsWith('https:')
  const leastRoom = secure ? RECORD_BYTES : BUFFER_BYTES
  /** @type {Space[]} */
  const spare = [newSpace(), newSpace()]
  let filling = /** @type {Space} */ (spare.pop())
  let inFlight = 0
  let scheduled = false
  let awaitingHead = false
  let left = 0
  let answer = ''
  /** @type {() => void} */
  let done = () => {}

  const input = connect(source, ca, { buffer: () => filling.bytes.subarray(filling.filled), callback: onRead })
  const output = connect(destination, ca)
  output.on('data', piece => {
    answer += piece.toString('latin1')
    if (left > 0 || !answer.includes(HEAD_END)) return
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`a part was answered ${answer.slice(0, 40)}`)
    answer = ''
    done()
  })

  /** @param {number} bytes @returns {boolean} whether more may come */
  function onRead(bytes) {
    const space = filling
    const start = space.filled
    space.filled += bytes
    left -= bytes
    if (awaitingHead) {
      const end = space.bytes.indexOf(HEAD_END, start)
      if (end < 0) throw new Error('the source answered in a way that this relay does not know')
      awaitingHead = false
      space.written = end + HEAD_END.length
      left += space.written - start
    }
    const full = BUFFER_BYTES - space.filled < leastRoom
    if (full) filling = spare.pop() ?? newSpace()
    if (full || left === 0) flush(space)
    else if (!scheduled) {
      scheduled = true
      setImmediate(() => {
        scheduled = false
        flush(filling)
      })
    }
    return inFlight < 2
  }

  /** @param {Space} space */
  function flush(space) {
    const piece = space.bytes.subarray(space.written, space.filled)
    if (piece.length === 0) return
    space.written = space.filled
    space.writes++
    inFlight++
    output.write(piece, () => {
      inFlight--
      space.writes--
      if (space !== filling && space.writes === 0) {
        Object.assign(space, { filled: 0, written: 0 })
        spare.push(space)
      }
      input.resume()
    })
  }

  return {
    /** @param {string} read @param {string} write @param {number} bytes @returns {Promise<void>} */
    move(read, write, bytes) {
      awaitingHead = true
      left = bytes
      return new Promise(resolve => {
        done = resolve
        input.write(read)
        output.write(write)
      })
    },
    close() {
      input.destroy()
      output.destroy()
    },
  }
}

/**
 * @param {string} url
 * @param {string | undefined} ca a file
 * @param {net.OnReadOpts | any} [onread]
 * @returns {net.Socket}
 */
function connect(url, ca, onread) {
  const { protocol, hostname: host, port } = new URL(url)
  /** @type {any} */
  const options = { host, port: Number(port), noDelay: true, ...(onread && { onread }) }
  const socket = protocol === 'https:' ? tls.connect({ ...options, ca: ca && readFileSync(ca) }) : net.connect(options)
  return socket.resume()
}

/**
 * @param {Job} job
 * @param {string} method
 * @param {string} query
 * @param {string} [body]
 * @returns {Promise<string>}
 */
async function ask({ destination, ca }, method, query, body = '') {
  const { pathname, host } = new URL(destination)
  const socket = connect(destination, ca)
  socket.write(
    `${method} ${pathname}${query} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  let text = ''
  for await (const piece of socket) {
    text += piece.toString('latin1')
    const [head, rest] = text.split(HEAD_END)
    if (rest !== undefined && rest.length >= Number(/content-length: (\d+)/.exec(head)?.[1])) break
  }
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`${method} ${query} was answered ${text.slice(0, 80)}`)
  return text
}

if (isMainThread) main(JSON.parse(process.argv[2]))
else relay(workerData)

'use strict'

/**
 * A store that does what it likes, by plan: it sends in pieces, waits some turns of the event loop, is slow to read,
 * refuses early, cuts and resets.
 */

const { once } = require('node:events')
const net = require('node:net')
const tls = require('node:tls')
const { SERVER } = require('../../support/tls')
const { ETAG, listen } = require('../stores')

/** Pseudo-random numbers of a seed (mulberry32). */
function createChance(seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  /** A whole number from 0 up to and not with `end`. */
  const below = end => Math.floor(next() * end)
  return { below, pick: list => list[below(list.length)], oneIn: times => below(times) === 0 }
}

/** So many turns of the event loop. */
async function turns(count) {
  for (let i = 0; i < count; i++) await new Promise(setImmediate)
}

/** Until more can be written, or nothing any more. */
async function drained(socket) {
  const over = new AbortController()
  const events = ['drain', 'close'].map(event => once(socket, event, { signal: over.signal }))
  await Promise.race(events).catch(() => {})
  over.abort()
  await Promise.allSettled(events)
}

/** Sends in pieces of up to `most` bytes; whether all of it could be given to the socket. */
async function send(socket, bytes, { chance, most }) {
  for (let at = 0; at < bytes.length; ) {
    if (socket.destroyed || !socket.writable) return false
    const end = Math.min(bytes.length, at + 1 + chance.below(most))
    if (!socket.write(bytes.subarray(at, end))) {
      await drained(socket)
    } else if (chance.oneIn(3)) await turns(chance.below(3))
    at = end
  }
  return true
}

/** Chunks of random sizes, of which some have an extension, and a trailer field. */
function inChunks(data, { chance, end = true }) {
  const parts = []
  for (let at = 0; at < data.length; ) {
    const size = Math.min(data.length - at, 1 + chance.below(1 + chance.pick([100, 9_000, 200_000])))
    parts.push(Buffer.from(`${size.toString(16)}${chance.oneIn(4) ? ';a=b' : ''}\r\n`))
    parts.push(data.subarray(at, at + size), Buffer.from('\r\n'))
    at += size
  }
  return Buffer.concat([...parts, ...(end ? [Buffer.from(chance.oneIn(2) ? '0\r\nx: y\r\n\r\n' : '0\r\n\r\n')] : [])])
}

/** Reads what comes, at its own pace. */
function createReader(socket) {
  const pieces = socket[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await pieces.next().catch(() => ({ done: true }))
    if (!done) rest = rest.length > 0 ? Buffer.concat([rest, value]) : value
    return !done
  }
  return {
    async head() {
      while (!rest.includes('\r\n\r\n')) if (!(await more())) return undefined
      const end = rest.indexOf('\r\n\r\n')
      const head = rest.toString('latin1', 0, end)
      rest = rest.subarray(end + 4)
      return head
    },
    /** @returns {Promise<Buffer>} shorter where the connection ended */
    async body(length, { chance, slow }) {
      const parts = []
      for (let left = length; left > 0; ) {
        if (rest.length === 0 && !(await more())) break
        if (slow) await turns(chance.below(slow))
        const part = rest.subarray(0, left)
        rest = rest.subarray(part.length)
        left -= part.length
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
  }
}

const SLOW_DOWN = '<Error><Code>SlowDown</Code></Error>'
const REFUSAL = status => `HTTP/1.1 ${status} No\r\nContent-Length: ${SLOW_DOWN.length}\r\n\r\n${SLOW_DOWN}`

/** @returns {Promise<boolean>} whether the connection goes on */
async function answerRead(socket, { data, total, source, seed }, reset) {
  const chance = createChance(seed)
  const { framing, fault, at, interim, most, close } = source
  if (fault === 'refuse') return send(socket, Buffer.from(REFUSAL(503)), { chance, most })
  if (fault === 'mute') return void socket.destroy()
  const long = fault === 'long'
  const whole = long ? Buffer.concat([data, Buffer.from('more')]) : data
  const cut = fault === 'cut' || fault === 'reset'
  const coding = { length: `Content-Length: ${data.length}`, chunked: 'Transfer-Encoding: chunked', close: 'Vary: x' }
  const head =
    `${'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(interim)}HTTP/1.1 ${total ? 206 : 200} Yes\r\nETag: ${ETAG}\r\n` +
    `${total ? `Content-Range: ${total}\r\n` : ''}${coding[framing]}\r\n${close ? 'Connection: close\r\n' : ''}\r\n`
  const bytes = cut ? whole.subarray(0, at) : whole
  const body = framing === 'chunked' ? inChunks(bytes, { chance, end: !cut }) : bytes
  if (!(await send(socket, Buffer.from(head), { chance, most: 80 }))) return false
  await turns(chance.below(3))
  if (!(await send(socket, body, { chance, most }))) return false
  if (fault === 'reset') return void reset(socket)
  if (fault === 'surplus') return void socket.end('surplus')
  if (cut || close || framing === 'close') return void socket.end()
  if (fault !== 'idle') return true
  await turns(chance.below(4))
  return void socket.end()
}

/** @returns {Promise<boolean>} whether the connection goes on */
async function answerWrite(socket, reader, head, plan, reset) {
  const chance = createChance(plan.seed + 1)
  const { sink, data } = plan
  const { fault, at, most, slow, close, chunked } = sink
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
  if (fault && fault !== 'late') {
    const early = Math.floor(at * length)
    await reader.body(early, { chance, slow })
    if (fault === 'cut') return void socket.destroy()
    if (fault === 'reset') return void reset(socket)
    if (!(await send(socket, Buffer.from(REFUSAL(403)), { chance, most: 50 }))) return false
    if (fault === 'refuse and close') return void socket.end()
    if (fault === 'refuse and reset') return void reset(socket)
    await reader.body(length - early, { chance, slow: 0 })
    return true
  }
  const body = await reader.body(length, { chance, slow })
  if (body.length < length) return false
  plan.stored.push(body.equals(data))
  await turns(chance.below(3))
  if (fault === 'late') return send(socket, Buffer.from(REFUSAL(503)), { chance, most: 50 })
  const coding = chunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 2'
  const text = chunked ? '1\r\no\r\n1\r\nk\r\n0\r\n\r\n' : 'ok'
  const answer = `HTTP/1.1 200 OK\r\nETag: "part"\r\n${coding}\r\n${close ? 'Connection: close\r\n' : ''}\r\n${text}`
  if (!(await send(socket, Buffer.from(answer), { chance, most }))) return false
  if (close) socket.end()
  return !close
}

/**
 * @param {Map<string, any>} plans by the names in the paths
 * @param {boolean} secure
 */
async function startWildStore(plans, secure) {
  const raws = new Map()
  const reset = socket => (raws.get(socket.remotePort) ?? socket).resetAndDestroy()
  const serve = async socket => {
    socket.on('error', () => {}).setNoDelay(true)
    const reader = createReader(socket)
    for (;;) {
      const head = await reader.head()
      const plan = plans.get(/\/plan\/(\S+) /.exec(head ?? '')?.[1] ?? '')
      if (!head || !plan) return void socket.destroy()
      const goesOn = head.startsWith('GET')
        ? await answerRead(socket, plan, reset)
        : await answerWrite(socket, reader, head, plan, reset)
      if (!goesOn) return
    }
  }
  const server = secure ? tls.createServer({ key: SERVER, cert: SERVER }, serve) : net.createServer(serve)
  if (secure) server.on('connection', raw => raws.set(raw.remotePort, raw)).on('tlsClientError', () => {})
  return listen(server)
}

module.exports = { createChance, startWildStore, turns }

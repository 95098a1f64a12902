'use strict'

const { once } = require('node:events')
const { download } = require('../../../lib')
const { eventOf } = require('../../support/events')
const { MiB, bytesOf, put, sha256 } = require('../../support/s3')
const { startThings } = require('./things')

/** The stream of an object from a real store: its bytes, its proof, how far it reads ahead, and how it ends. */

const BODY = bytesOf(11 * MiB + 7)

let server
let things
let options
let read
beforeAll(async () => {
  // Eleven whole ranges and a short one.
  ;({ server, things, options, read } = await startThings(BODY, {}, { chunk: '1MiB' }))
})
afterEach(() => server.faults.clear())

it('the proof of a small object is compared before a byte is handed out, and a passing flip is read again', async () => {
  await put(things, 'flipped', bytesOf(1000), { checksum: true })
  server.faults.add({ operation: 'GetObject', nth: 1, flipByteAt: 5 })
  const { bytes, last } = await read('flipped')
  expect(sha256(bytes)).toBe(sha256(bytesOf(1000)))
  expect(last).toMatchObject({ type: 'done', retried: 1 })
  server.faults.add({ operation: 'GetObject', flipByteAt: 5 })
  const damaged = await read('flipped')
  expect(damaged.bytes.length).toBe(0)
  expect(damaged.error).toMatchObject({ exitCode: 8 })
})

test('the object that is replaced while it is read ends the stream with exit status 6', async () => {
  await put(things, 'replaced', BODY)
  const onFirst = () => put(things, 'replaced', bytesOf(12 * MiB, 'other'))
  const { bytes, error } = await read('replaced', { concurrency: 1, onFirst })
  expect(error).toMatchObject({ code: 'OBJECT_CHANGED', exitCode: 6 })
  expect(bytes.length).toBeGreaterThan(0)
  expect(bytes.equals(BODY.subarray(0, bytes.length))).toBe(true)
})

it('the reader that does not read is not read for: no more ranges are asked for than the memory holds', async () => {
  const before = server.requests.GetObject ?? 0
  const stream = download('s3://things/large', { ...options, concurrency: 2 })
  await once(stream, 'readable')
  // The first range is handed out in part; both others wait behind it.
  while (server.requests.GetObject - before < 3) await eventOf(server, 'request')
  expect(stream.readableLength).toBeLessThanOrEqual(512 * 1024)
  stream.destroy()
  await once(stream, 'close')
  expect(server.requests.GetObject - before).toBe(3)
})

it('the reader that goes away ends everything, without an error', async () => {
  server.faults.add({ operation: 'GetObject', bytesPerSecond: MiB })
  const events = []
  const stream = download('s3://things/large', { ...options, onEvent: event => events.push(event.type) })
  const [piece] = await once(stream, 'data')
  expect(piece.length).toBeGreaterThan(0)
  stream.destroy()
  await once(stream, 'close')
  expect(stream.errored).toBeNull()
  expect(events).not.toContain('error')
})

test('a signal ends a stream that nobody reads, and one that waits for its store', async () => {
  const stop = new AbortController()
  const stream = download('s3://things/large', { ...options, signal: stop.signal })
  await once(stream, 'readable')
  const failed = once(stream, 'error')
  stop.abort()
  const [{ code, message }] = await failed
  expect({ code, message }).toEqual({ code: 'INTERRUPTED', message: 'The command was interrupted.' })
  server.faults.add({ operation: 'GetObject', stall: true })
  const other = new AbortController()
  const stalled = download('s3://things/large', { ...options, signal: other.signal })
  const atWork = eventOf(server, 'begin', ({ operation }) => operation === 'GetObject')
  const ended = once(stalled, 'error')
  await atWork
  other.abort()
  expect((await ended)[0]).toMatchObject({ code: 'INTERRUPTED' })
})

'use strict'

/** A source that is never silent, and never done either. */

const { closeConnections, main } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, rawStore, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

const headOf = bytes =>
  `HTTP/1.1 206 Partial Content\r\nETag: "source-etag"\r\nContent-Length: ${bytes}\r\nContent-Range: bytes 0-${bytes - 1}/${bytes}\r\n\r\n`

/** Sends so many bytes each time, for as long as it takes. @param {{ bytes: number, piece: number, everyMs: number }} how */
function dribble({ bytes, piece, everyMs }) {
  return rawStore(socket => {
    socket.write(headOf(bytes))
    let sent = 0
    const timer = setInterval(() => {
      const next = Math.min(piece, bytes - sent)
      if (next === 0) return clearInterval(timer)
      sent += next
      socket.write(someBytes(bytes).subarray(sent - next, sent))
    }, everyMs)
    socket.once('close', () => clearInterval(timer))
  })
}

test('one that sends a byte now and then has stalled', async () => {
  const [source, sink] = [await dribble({ bytes: 1_000, piece: 1, everyMs: 50 }), await partSink()]
  const startedMs = Date.now()
  const task = makeTask(source, sink, { bytes: 1_000 })
  const { outcomes } = await main({ ...S3, tasks: [task], stallMs: 400 })
  expect(outcomes).toMatchObject([{ error: { code: 'STALLED', side: 'read' } }])
  // To its end it would take fifty seconds.
  expect(Date.now() - startedMs).toBeLessThan(20_000)
})

test('one that is slow, and not as slow as that, is waited for', async () => {
  const bytes = 12_000
  const [source, sink] = [await dribble({ bytes, piece: 300, everyMs: 50 }), await partSink()]
  const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes })], stallMs: 1_500 })
  expect(outcomes).toMatchObject([{ bytes }])
})

test('what a rate holds back is not slow', async () => {
  // A piece of 64 KiB is held back for 1.3 seconds.
  const bytes = 150_000
  const [source, sink] = [await rangeSource(someBytes(bytes)), await partSink()]
  const params = { ...S3, tasks: [makeTask(source, sink, { bytes })], stallMs: 1_000, bytesPerSecond: 50_000 }
  expect((await main(params)).outcomes).toMatchObject([{ bytes }])
})

test.each([1e12, Number.MAX_VALUE])('a limit of %d ms is for ever, and not for a millisecond', async stallMs => {
  const [source, sink] = [await dribble({ bytes: 10, piece: 2, everyMs: 20 }), await partSink()]
  const { outcomes } = await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10 })], stallMs })
  expect(outcomes).toMatchObject([{ bytes: 10 }])
})

'use strict'

const { main } = require('../../actions/copy-range')
const { crc32Of, S3, httpStore, makeTask, partSink, rangeSource, someBytes, ETAG } = require('./stores')

const object = someBytes(300_000)

const run = (tasks, more = {}) => main({ ...S3, tasks, ...more })

test.each([
  ['in the middle', { start: 1000, bytes: 200_000 }],
  ['that is the whole object, without a range', { bytes: 300_000, ranged: false }],
])('a task copies a range %s byte for byte', async (_name, range) => {
  const source = await rangeSource(object)
  const sink = await partSink()
  const { outcomes } = await run([makeTask(source, sink, { total: object.length, ...range })])
  const { start = 0, bytes } = range
  const data = object.subarray(start, start + bytes)
  const sums = { crc32: crc32Of(data) }
  expect(outcomes).toEqual([{ partNumber: 1, bytes, etag: '"part-etag"', sums, timing: expect.any(Object) }])
  expect(sink.writes[0].body.equals(data)).toBe(true)
  expect(sink.writes[0].headers['content-length']).toBe(String(bytes))
})

test('a task sends path, query and headers exactly as they were signed', async () => {
  const source = await rangeSource(object)
  const sink = await partSink()
  const task = makeTask(source, sink, { bytes: 10, total: object.length, read: { host: 'signed.example' } })
  task.read.url = `${source.url}/bucket/./a/../%7Eb//c%2F..?x=%2B&y=/./&z`
  await run([task])
  expect(source.requests[0].url).toBe('/bucket/./a/../%7Eb//c%2F..?x=%2B&y=/./&z')
  expect(source.requests[0].headers).toEqual({ ...task.read.headers, connection: 'keep-alive' })
})

test('several tasks run as many at once as asked, and their outcomes keep the order', async () => {
  let [running, most] = [0, 0]
  /** @type {(() => void)[]} */
  const held = []
  const data = someBytes(6)
  const source = await httpStore((request, response) => {
    most = Math.max(most, ++running)
    const [, from] = /bytes=(\d)/.exec(request.headers.range ?? '') ?? []
    held.push(() => {
      running--
      const headers = { etag: ETAG, 'content-range': `bytes ${from}-${from}/6`, 'content-length': 1 }
      response.writeHead(206, headers).end(data.subarray(Number(from), Number(from) + 1))
    })
    // The last of each pair is answered first.
    if (held.length === 2) for (const answer of held.splice(0).reverse()) answer()
  })
  const sink = await partSink()
  const tasks = [0, 1, 2, 3, 4, 5].map(start =>
    makeTask(source, sink, { bytes: 1, start, total: 6, partNumber: start + 1 }),
  )
  const { outcomes } = await run(tasks, { parallel: 2 })
  expect(outcomes.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3, 4, 5, 6])
  expect(outcomes.map(outcome => outcome.sums.crc32)).toEqual([...data].map(byte => crc32Of(Buffer.from([byte]))))
  expect(most).toBe(2)
})

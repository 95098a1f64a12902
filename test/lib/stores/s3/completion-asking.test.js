'use strict'

/** Completions at stores that answer 501 to one or another thing that is said beside the parts. */

const { once } = require('node:events')
const http = require('node:http')
const { openStore } = require('../../../support/s3')

const RESULT = '<CompleteMultipartUploadResult><ETag>"made-1"</ETag></CompleteMultipartUploadResult>'
const SAYS = {
  size: ({ headers }) => headers['x-amz-mp-object-size'] !== undefined,
  checksum: ({ headers }) => headers['x-amz-checksum-crc32'] !== undefined,
  type: ({ headers }) => headers['x-amz-checksum-type'] !== undefined,
  parts: ({ body }) => body.includes('<ChecksumCRC32>'),
  condition: ({ headers }) => headers['if-none-match'] !== undefined,
}
const ALL = ['size', 'checksum', 'type', 'parts']

/** What each request says. @type {string[][]} */
let asked
/** @type {(says: string[]) => [status: number, code: string] | undefined} */
let judge
let server
let store
beforeAll(async () => {
  server = http.createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const says = Object.keys(SAYS).filter(name => SAYS[name]({ headers: req.headers, body }))
    asked.push(says)
    const [status, code] = judge(says) ?? [200]
    res.writeHead(status, { 'content-type': 'application/xml' })
    res.end(status === 200 ? RESULT : `<Error><Code>${code}</Code><Message>Words.</Message></Error>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => {
  asked = []
  const endpoint = `http://127.0.0.1:${server.address().port}`
  store = openStore({ endpoint, accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }, 'bucket')
})
afterEach(() => store.close())
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const PARTS = [{ partNumber: 1, etag: '"part"', bytes: 1, sums: { crc32: '00000001' } }]
const complete = (more = {}) =>
  store.upload.complete({ key: 'key', uploadId: 'id', bytes: 1, parts: PARTS, sums: { crc32: '00000001' }, ...more })
const refuses =
  (...names) =>
  says =>
    names.some(name => says.includes(name)) && [501, 'NotImplemented']
const without = (...names) => ALL.filter(name => !names.includes(name))

test.each(ALL)('where %s is refused, it alone is left out, and not asked for again', async name => {
  judge = says => refuses(name)(says) || undefined
  await expect(complete()).resolves.toMatchObject({ etag: '"made-1"' })
  expect(asked[0]).toEqual(ALL)
  expect(asked.at(-1)).toEqual(without(name))
  const before = asked.length
  await complete()
  expect(asked.slice(before)).toEqual([without(name)])
})

test('where two are refused, both are left out', async () => {
  judge = says => refuses('size', 'checksum')(says) || undefined
  await complete()
  expect(asked.at(-1)).toEqual(['type', 'parts'])
})

test('where the answer is 501 to all of it, the first refusal counts, and the next completion says everything', async () => {
  judge = () => [501, 'NotImplemented']
  await expect(complete()).rejects.toMatchObject({ code: 'STORE_REFUSED', facts: { status: 501 } })
  // Each by itself, then one more at a time.
  expect(asked).toHaveLength(1 + 4 + 3)
  judge = () => undefined
  asked = []
  await complete()
  expect(asked).toEqual([ALL])
})

test('a condition is not left out here', async () => {
  judge = says => refuses('condition')(says) || undefined
  await expect(complete({ condition: { ifNoneMatch: true } })).rejects.toMatchObject({ facts: { status: 501 } })
  expect(asked.every(says => says.includes('condition'))).toBe(true)
})

test('if the second answer differs, the second answer counts', async () => {
  judge = says => (says.includes('size') ? [501, 'NotImplemented'] : [400, 'BadDigest'])
  await expect(complete()).rejects.toMatchObject({ code: 'INTEGRITY' })
  expect(asked).toEqual([ALL, without('size')])
})

test('only the status 501 makes it leave something out', async () => {
  judge = () => [400, 'InvalidRequest']
  await expect(complete()).rejects.toMatchObject({ code: 'STORE_REFUSED', facts: { status: 400 } })
  expect(asked).toEqual([ALL])
})

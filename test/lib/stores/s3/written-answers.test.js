'use strict'

/** What says that a bucket was made, or tags were written. A success with a page is somebody else's. */

const { once } = require('node:events')
const http = require('node:http')
const { openStore } = require('../../../support/s3')

let server
let store
let body
let type
beforeAll(async () => {
  server = http.createServer((request, response) => {
    request.resume()
    if (request.method === 'HEAD') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  const endpoint = `http://127.0.0.1:${server.address().port}`
  store = openStore({ endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }, 'bucket')
})
afterEach(() => store.close())
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const CALLS = [
  ['CreateBucket', () => store.makeContainer({})],
  ['PutObjectTagging', () => store.tags.write({ key: 'k', tags: [['a', 'b']] })],
]

describe.each(CALLS)('%s', (_, call) => {
  test.each([
    ['nothing', 'application/xml', ''],
    ['blanks', 'text/html', ' \n'],
    ['a document', 'text/xml', '<Response xmlns="urn:x"><Bucket>bucket</Bucket></Response>'],
  ])('answered with %s is done', async (__, ...answer) => {
    ;[type, body] = answer
    await call()
  })

  test.each([
    ['a page', 'text/html', '<html>Log in</html>', 'NOT_A_STORE'],
    ['JSON', 'application/json', '{"ok":true}', 'NOT_A_STORE'],
    ['a list', 'application/xml', '<ListAllMyBucketsResult/>', 'NOT_A_STORE'],
    ['an error', 'application/xml', '<Error><Code>InternalError</Code></Error>', 'STORE_ERROR'],
  ])('answered with %s is not', async (__, ...answer) => {
    const [code] = answer.splice(2)
    ;[type, body] = answer
    await expect(call()).rejects.toMatchObject({ code })
  })
})

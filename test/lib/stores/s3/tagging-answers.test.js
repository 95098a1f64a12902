'use strict'

const { once } = require('node:events')
const http = require('node:http')
const { readSourceAttributes } = require('../../../../lib/object')
const { readAttributes } = require('../../../../lib/options')
const { openStore } = require('../../../support/s3')

let server
let store
let answer
let sent = 0
beforeAll(async () => {
  server = http.createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  store = openStore({ endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }, 'bucket')
})
afterAll(async () => {
  store.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const text = (status, body) => response => response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
const error = code => `<Error><Code>${code}</Code><Message>Why.</Message></Error>`

/** The object itself, which does not end. */
function endless(response) {
  response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 2 ** 40 })
  const more = () => {
    if (response.destroyed) return
    sent += 65_536
    response.write(Buffer.alloc(65_536), () => setImmediate(more))
  }
  more()
}

test.each([
  ['<Tagging><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tagging>', [['a', '1']]],
  [
    '<?xml version="1.0"?>\n<Tagging xmlns="urn:x"><TagSet><Tag><Key>ä</Key><Value></Value></Tag></TagSet></Tagging>',
    [['ä', '']],
  ],
  ['<Tagging><TagSet/></Tagging>', []],
  ['<Tagging><TagSet></TagSet></Tagging>', []],
  ['<Tagging/>', []],
])('%s are the tags %j', async (body, tags) => {
  answer = text(200, body)
  expect(await store.tags.read('key')).toEqual(tags)
})

test.each(['NoSuchTagSet', 'NoSuchTagSetError'])('%s is none', async code => {
  answer = text(404, error(code))
  expect(await store.tags.read('key')).toEqual([])
})

test.each([
  ['the object itself', endless, { code: 'NOT_A_STORE' }],
  ['another object', text(200, 'a,b\n1,2\n'), { code: 'NOT_A_STORE' }],
  ['a list', text(200, '<ListBucketResult/>'), { code: 'NOT_A_STORE' }],
  ['what it lacks', text(501, error('NotImplemented')), { code: 'STORE_REFUSED', facts: { status: 501 } }],
  ['what is missing', text(404, error('NoSuchKey')), { code: 'NO_SUCH_KEY' }],
])('a store that answers with %s is told so', async (_, how, expected) => {
  answer = how
  await expect(store.tags.read('key')).rejects.toMatchObject(expected)
  expect(sent).toBeLessThan(64 * 1024 ** 2)
})

test('an empty answer tells no tags: that of S3Mock', async () => {
  answer = text(200, '')
  expect(await store.tags.read('key')).toEqual([])
})

test.each([
  [undefined, 's3:GetObjectTagging'],
  ['v', 's3:GetObjectVersionTagging'],
])(
  'a copy without the tags of a store that answers with another object names the permission (version %s)',
  async (versionId, permission) => {
    answer = text(200, 'a,b\n1,2\n')
    const source = { store, key: 'key', text: 's3://bucket/key', versionId }
    const object = { metadata: { headers: {}, user: {} } }
    const { notices } = await readSourceAttributes({ source, destination: { store } }, object, readAttributes({}))
    expect(notices).toMatchObject([
      { code: 'TAGS_NOT_READ', message: expect.stringContaining(`its store knows no ${permission} (HTTP 200)`) },
    ])
  },
)

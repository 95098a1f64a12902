'use strict'

const { createS3Store } = require('../../../../lib/stores/s3/store')
const { READ, WRITE } = require('../../../../lib/stores/s3/rules')

const credentials = async () => ({ accessKeyId: 'AKIA', secretAccessKey: 'x' })
const settings = { side: 'destination', endpoint: 'http://127.0.0.1:1', region: 'r', addressing: 'path', credentials }
const attributes = { metadata: { headers: {}, user: {} } }

test.each([
  ['a read', store => store.read({ key: 'key', etag: '"e"' })],
  ['a write', store => store.put({ key: 'key', bytes: 1, attributes, checksum: true })],
  [
    'a write of a part',
    store => store.upload.part({ key: 'key', uploadId: 'id', partNumber: 1, bytes: 1, checksum: true }),
  ],
])('%s brings the rule for its answer', async (name, made) => {
  const store = createS3Store({ bucket: 'bucket', settings })
  const { request } = await made(store)
  store.close()
  expect(request.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
  expect(request.accepts).toBe(name === 'a read' ? READ : WRITE)
})

'use strict'

/** What a store may answer to a completion, byte for byte, and what is made of it: never a success that is none. */

const { once } = require('node:events')
const http = require('node:http')
const { openStore } = require('../../../support/s3')

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const RESULT =
  '<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Location>http://store/bucket/key</Location>' +
  '<Bucket>bucket</Bucket><Key>key</Key><ETag>"made-1"</ETag></CompleteMultipartUploadResult>'
const error = code => `<Error><Code>${code}</Code><Message>Words of the store.</Message></Error>`
const BLANKS = ' '.repeat(40)

/** Of the store that is used where nothing comes any more: far more than a busy machine takes for what does come. */
const SILENCE_MS = 1_000

let server
let store
let impatient
let answer
beforeAll(async () => {
  server = http.createServer((req, res) => req.resume().on('end', () => answer(res)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  const access = { endpoint, accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }
  store = openStore(access, 'bucket')
  impatient = openStore(access, 'bucket', { silenceMs: SILENCE_MS })
})
afterAll(() => {
  store.close()
  impatient.close()
  server.closeAllConnections()
  server.close()
})

const complete = (by = store) =>
  by.upload.complete({ key: 'key', uploadId: 'id', bytes: 1, parts: [{ partNumber: 1, etag: '"part"' }] })
const text =
  (body, status = 200, type = 'application/xml') =>
  res =>
    res.writeHead(status, { 'content-type': type }).end(body)

test.each([
  ['plain', RESULT],
  ['declared', `${DECLARATION}\n${RESULT}`],
  ['with blanks before it', `${BLANKS}\n${DECLARATION}${RESULT}`],
  ['with blanks within it', `${DECLARATION}${BLANKS}${RESULT}`],
  ['with blanks behind it', `${DECLARATION}${RESULT}${BLANKS}\n`],
])('a result %s is one', async (what, body) => {
  answer = text(body)
  expect(await complete()).toEqual({ etag: '"made-1"', versionId: undefined })
})

test.each([
  ['plain', body => body],
  ['declared', body => DECLARATION + body],
  ['with blanks before it', body => `${DECLARATION}${BLANKS}${body}`],
  ['with a line end behind it', body => `${DECLARATION}\n${body}\n`],
  ['with blanks behind it', body => `${DECLARATION}${body}${BLANKS}`],
])('an error in a 200, %s, is one', async (what, shape) => {
  for (const [storeCode, code, retryable] of [
    ['InternalError', 'STORE_ERROR', true],
    ['SlowDown', 'STORE_THROTTLED', true],
    ['PreconditionFailed', 'DESTINATION_EXISTS', false],
    ['ConditionalRequestConflict', 'UPLOAD_CONFLICT', false],
    ['NoSuchUpload', 'UPLOAD_GONE', false],
    ['InvalidPart', 'INTEGRITY', false],
    ['SomethingOfItsOwn', 'STORE_ERROR', true],
  ]) {
    answer = text(shape(error(storeCode)))
    await expect(complete()).rejects.toMatchObject({ code, retryable, facts: { storeCode } })
  }
})

test.each([
  ['nothing', text('')],
  ['nothing, with 204', res => res.writeHead(204).end()],
  ['blanks', text(BLANKS)],
  ['a declaration', text(DECLARATION)],
  ['half a result', text(RESULT.slice(0, 150))],
  ['a result without its last letter', text(RESULT.slice(0, -1))],
  ['half an error', text(error('InternalError').slice(0, 30))],
  ['another document', text('<ListBucketResult><ETag>"made-1"</ETag></ListBucketResult>')],
  ['a web page', text('<html><body>Welcome</body></html>', 200, 'text/html')],
  ['words', text('OK', 200, 'text/plain')],
])('%s is no success, and worth asking again', async (what, how) => {
  answer = how
  await expect(complete()).rejects.toMatchObject({ code: 'BAD_ANSWER', retryable: true })
})

test.each([
  ['cut off', res => res.write(DECLARATION, () => res.destroy())],
  ['cut off, of a known length', res => res.writeHead(200, { 'content-length': 500 }).write('<', () => res.destroy())],
  ['never finished', res => res.write(DECLARATION)],
  ['never begun', res => res.flushHeaders()],
])('an answer that is %s is no success, and worth asking again', async (what, how) => {
  answer = how
  await expect(complete(impatient)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retryable: true })
})

test('an answer may take its time, as long as something comes', async () => {
  answer = res => {
    res.writeHead(200, { 'content-type': 'application/xml' }).write(DECLARATION)
    let left = 20
    const timer = setInterval(() => {
      if (left-- > 0) return res.write(' ')
      clearInterval(timer)
      res.end(RESULT)
    }, SILENCE_MS / 10)
  }
  expect(await complete(impatient)).toMatchObject({ etag: '"made-1"' })
})

test('other answers that stop in the middle are given up too', async () => {
  answer = res => res.writeHead(200, { 'content-type': 'application/xml' }).write(DECLARATION)
  const listed = impatient.upload.parts({ key: 'key', uploadId: 'id' })
  await expect(listed).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retryable: true })
})

test('half a document of another call is worth asking again, where a store wrote it', async () => {
  answer = text(`${DECLARATION}<ListPartsResult><Part>`)
  const list = () => store.upload.parts({ key: 'key', uploadId: 'id' })
  await expect(list()).rejects.toMatchObject({ code: 'BAD_ANSWER', retryable: true })
  answer = text('<html><p>', 200, 'text/html')
  await expect(list()).rejects.toMatchObject({ code: 'NOT_A_STORE' })
})

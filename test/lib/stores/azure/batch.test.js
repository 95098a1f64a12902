'use strict'

const { readBatch, writeBatch } = require('../../../../lib/stores/azure/batch')

const TYPE = 'multipart/mixed; boundary=batchresponse_1'
const answer = (id, status, code) =>
  `--batchresponse_1\r\nContent-Type: application/http\r\nContent-ID: ${id}\r\n\r\nHTTP/1.1 ${status} Some Words\r\n` +
  `${code ? `x-ms-error-code: ${code}\r\n` : ''}x-ms-version: 2021-12-02\r\n\r\n`
const read = (...answers) => readBatch(Buffer.from(`${answers.join('')}--batchresponse_1--`), TYPE)

test('a batch is a body of requests, each with its headers', () => {
  const body = writeBatch(
    [{ target: '/box/a%20b?sig=1', headers: { 'x-ms-date': 'today', 'content-length': '0' } }],
    'b',
  )
  expect(body.toString()).toBe(
    '--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: 0\r\n\r\n' +
      'DELETE /box/a%20b?sig=1 HTTP/1.1\r\nx-ms-date: today\r\ncontent-length: 0\r\n\r\n\r\n--b--\r\n',
  )
})

test('the answers are read by their number, in any order', () => {
  expect([...read(answer(1, 404, 'BlobNotFound'), answer(0, 202))]).toEqual([
    [1, { status: 404, storeCode: 'BlobNotFound' }],
    [0, { status: 202, storeCode: undefined }],
  ])
})

test.each([
  ['nothing', ''],
  ['no boundary', answer(0, 202), 'multipart/mixed'],
  ['an answer twice', answer(0, 202) + answer(0, 404)],
  ['an answer without a number', answer('', 202)],
  ['an answer without a status', answer(0, 'all right')],
])('%s answers no deletion', (_, text, type = TYPE) => {
  expect([...readBatch(Buffer.from(text), type)]).toEqual([])
})

'use strict'

/** Journals to test with: folders that go when the test file ends, and facts of a small copy. */

const { newFolder } = require('../../support/folder')

/** What `create` is given. */
const JOB = {
  source: { text: 's3://from/big', place: '["store:1","from","big"]' },
  destination: { text: 's3://to/big', place: '["store:2","to","big"]' },
  options: { chunk: '5', clobber: true, worker: ['https://a:8080'], destination: { region: 'eu-west-1' } },
}

const part = (partNumber, upload = 'upload-1') => ({
  type: 'part',
  upload,
  partNumber,
  bytes: 5_242_880,
  etag: `"etag-${partNumber}"`,
  sums: { crc32: (0xffffffff - partNumber).toString(16) },
})

/** What a copy writes down that was killed before it completed. */
const FACTS = [
  { type: 'object', bytes: 15_728_640, etag: '"of-the-source"', lastModifiedMs: -1_700_000_000_000 },
  { type: 'plan', route: 'multipart', partBytes: 5_242_880, parts: 3 },
  { type: 'creating', atMs: 1_700_000_000_500 },
  { type: 'upload', id: 'upload-0', checksums: true },
  part(1, 'upload-0'),
  { type: 'gone', upload: 'upload-0' },
  { type: 'creating', atMs: 1_700_000_001_500 },
  { type: 'upload', id: 'upload-1', checksums: false },
  part(2),
  { ...part(1), sums: { ...part(1).sums, md5: '0123456789abcdef0123456789abcdef' } },
  part(3),
  { type: 'completing', upload: 'upload-1', sums: { crc32: '00000007' } },
]

/** The lines of a journal, each with its end. @param {Buffer} bytes @returns {Buffer[]} */
function linesOf(bytes) {
  return bytes
    .toString('latin1')
    .split(/(?<=\n)/)
    .map(line => Buffer.from(line, 'latin1'))
}

module.exports = { newFolder, JOB, FACTS, part, linesOf }

'use strict'

const { lineOf } = require('../../../lib/manifest/line')
const { csvRecords, lines, recordsOf } = require('../../../lib/manifest/records')
const { inventoryRow } = require('../../../lib/manifest/rows')

/** @param {Buffer} bytes @param {number} size of each chunk */
async function* inChunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function rowsOf(text, take, size) {
  const rows = []
  for await (const { first, records } of recordsOf(inChunks(Buffer.from(text), size), 'file', take)) {
    expect(first).toBe(rows.length + 1)
    rows.push(...records)
  }
  return rows
}

const CSV = '"a","b ""x"", y",c\r\n"ü","line\nend",""\n,"",€\n'
const ROWS = ['a|b "x", y|c', 'ü|line\nend|', '||€'].map(row => row.split('|'))

test.each([1, 2, 3, 5, 7, 100])('CSV and lines are the same in chunks of %i bytes, whatever their end', async size => {
  for (const text of [CSV, CSV.slice(0, -1)]) expect(await rowsOf(text, csvRecords, size)).toEqual(ROWS)
  for (const end of ['', '\n']) expect(await rowsOf(`ä\n\nb${end}`, lines, size)).toEqual(['ä', '', 'b'])
})

/** Reads all, for its end. */
async function readOut(bytes, size, take) {
  for await (const _ of recordsOf(inChunks(bytes, size), 'file', take));
}

test.each([
  ['a quoted field', csvRecords, '"'],
  ['many fields', csvRecords, '","'],
  ['a line', lines, 'x'],
])('what has no end is not read anew with each chunk: %s', async (_, take, begin) => {
  const bytes = Buffer.from(begin.padEnd(2 * 1024 ** 2, begin === '","' ? begin : 'x'))
  let looked = 0
  const counted = (text, last) => {
    looked += text.length
    return take(text, last)
  }
  await readOut(bytes, 4096, counted).catch(error => expect(error).toMatchObject({ code: 'BAD_MANIFEST' }))
  expect(looked).toBeLessThan(4 * bytes.length)
})

test.each([
  ['"a"b,c\n', 'row 1 of file'],
  ['a,b\na"b,c\n', 'row 2 of file'],
  ['a,b\n"c', 'row 2 of file'],
  ['a\rb,c\n', 'row 1 of file'],
  [Buffer.from([0x61, 0x2c, 0xff, 0x0a]), 'not UTF-8'],
])('what is no CSV is refused with its row: %j', async (text, where) => {
  const bytes = Buffer.from(text)
  const error = { code: 'BAD_MANIFEST', message: expect.stringContaining(where) }
  for (const size of [1, 100]) await expect(readOut(bytes, size, csvRecords)).rejects.toMatchObject(error)
})

test('columns count by their names, as CSV and Parquet write them; what is not the newest is left out', () => {
  const read = inventoryRow(['e_tag', 'key', 'is_latest', 'size', 'last_modified_date'], { encoded: false })
  const newest = { key: 'a+b', etag: '"x"', bytes: 7, lastModifiedMs: 1000, left: undefined }
  expect(read(['"x"', 'a+b', true, 7n, 1000])).toMatchObject(newest)
  expect(read([null, 'a', false, null, null])).toMatchObject({ left: 'old', bytes: undefined, etag: undefined })
  const csvRow = inventoryRow(['Bucket', 'Key', 'IsDeleteMarker'], { encoded: true })
  expect(csvRow(['b', 'a+b%2Bc', 'true'])).toMatchObject({ bucket: 'b', key: 'a b+c', left: 'markers' })
  expect(() => inventoryRow(['Bucket'], { encoded: true })).toThrow('no column Key')
})

const [LISTED, READ] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z']

test.each([
  ['is the listed one, with the version that was read', '"list"', LISTED],
  ['was replaced after it was listed', '"read"', READ],
])('the source of a line %s', (_, etag, lastModified) => {
  const read = { etag, versionId: 'v1', lastModifiedMs: Date.parse(READ) }
  const listed = { etag: '"list"', lastModifiedMs: Date.parse(LISTED) }
  const { source } = lineOf('copy', 'a', { bytes: 1, etag: '"copy"', read }, listed)
  expect(source).toEqual({ etag, versionId: 'v1', lastModified })
})

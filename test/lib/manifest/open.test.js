'use strict'

/** Parquet in a process of its own: what reads it is an ES module, which this test runner does not load. */

const { execFileSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { gzipSync } = require('node:zlib')
const { createTree, digestManifest, openManifest, openSealed, openFile, sealOf } = require('../../../lib/manifest')
const { encoderOf } = require('../../../lib/manifest/line')
const { newFolder, openStore, startStore } = require('../../support/opened')
const { sideEnv } = require('../../support/run-xfer')
const { put } = require('../../support/s3')

const ROOT = join(__dirname, '..', '..', '..')

const SCRIPT = `
const { openManifest } = require('./lib/manifest')
async function rowsFrom(from) {
  const { files, close } = await openManifest('test/e2e/inventory/rows.parquet', {})
  const numbers = []
  for await (const { first, rows } of files[0].batches(await files[0].open(), from)) {
    numbers.push(...rows.map((_, i) => first + i))
  }
  await close()
  return numbers
}
Promise.all([1, 2, 3, 4, 5].map(rowsFrom)).then(found => console.log(JSON.stringify(found)))
`

test('Parquet is read from any row on, and no group before it', () => {
  // Five rows, in groups of two.
  const found = JSON.parse(execFileSync(process.execPath, ['-e', SCRIPT], { cwd: ROOT, encoding: 'utf8' }))
  expect(found).toEqual([[1, 2, 3, 4, 5], [2, 3, 4, 5], [3, 4, 5], [4, 5], [5]])
})

const md5 = bytes => createHash('md5').update(bytes).digest('hex')
const SOURCE = { plain: 's3://here/tree', bucket: 'here' }
let folder
beforeEach(() => {
  folder = newFolder()
})
function file(name, content) {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** Of all data files the rows, each with its number, without fields that say nothing. */
async function rowsOf(path, how = {}) {
  const { files, close } = await openManifest(path, /** @type {any} */ ({ options: {}, source: SOURCE, ...how }))
  const found = []
  try {
    for (const one of files) {
      const opened = await one.open()
      try {
        for await (const { first, rows } of one.batches(opened, 1))
          for (const [i, row] of rows.entries()) if (row) found.push([first + i, JSON.parse(JSON.stringify(row))])
      } finally {
        await opened.handle.close()
      }
    }
  } finally {
    await close()
  }
  return found
}

test.each([
  ['lsjson', '[\n{"Path":"a","Size":1},\n{"Path":"d","Size":-1,"IsDir":true},\n{"Path":"b","Size":-1}\n]\n', [2, 4]],
  ['lsf', '1;a\n0;d/\n-1;b\n', [1, 3]],
  ['lines of lsjson', '{"Path":"a","Size":1}\r\n\n{"Path":"b"}\n', [1, 3]],
])('rows of rclone keep their numbers, and folders are none: %s', async (_, text, [one, other]) => {
  const [a, b] = [{ name: 'a', bytes: 1 }, { name: 'b' }]
  expect((await rowsOf(file('list', text))).flat()).toEqual([one, a, other, b])
})

test('of S3 Batch Operations keys are decoded, and a version is one that is named', async () => {
  const found = await rowsOf(file('batch', '\ufeffhere,a+%2B,v1\nhere,b\nhere,c,\n'))
  const [a, b, c] = [{ key: 'a +', versionId: 'v1' }, { key: 'b' }, { key: 'c' }]
  expect(found).toEqual([a, b, c].map((row, i) => [i + 1, { bucket: 'here', ...row }]))
})

/** An inventory of which each file is beside its folder, or in it. @param {object} [more] @param {(data: Buffer) => Buffer} [damage] */
function inventory(parts, more = {}, damage = data => data) {
  const files = parts.map((text, i) => {
    const data = gzipSync(text)
    file(i === 0 ? `data/${i}.gz` : `now/${i}.gz`, damage(data))
    return { key: `lists/data/${i}.gz`, MD5checksum: md5(data).toUpperCase() }
  })
  const usual = { sourceBucket: 'here', fileFormat: 'csv', fileSchema: 'Key, Size', files }
  return file('now/manifest.json', JSON.stringify({ ...usual, ...more }))
}

const UNSUMMED = { files: [{ key: '0.gz' }] }
const cutShort = data => data.subarray(0, -20)

test('an inventory has the rows of all its files', async () => {
  const parts = ['tree/a,1\ntree/b+c,\n', 'tree/d,3\n']
  const rows = [1, { key: 'tree/a', bytes: 1 }, 2, { key: 'tree/b c' }, 1, { key: 'tree/d', bytes: 3 }]
  for (const more of [{}, { sourceBucket: undefined }]) {
    expect((await rowsOf(inventory(parts, more))).flat()).toEqual(rows)
  }
})

test.each([
  ['ORC', () => inventory(['a,1\n'], { fileFormat: 'ORC' }), 'CSV or Parquet'],
  ['another bucket', () => inventory(['a,1\n'], { sourceBucket: 'other' }), 'of the bucket other'],
  ['no list of files', () => file('m', '{"files":5}'), 'no manifest that xfer knows'],
  ['a file without a name', () => file('m', '{"files":[{}]}'), 'no manifest that xfer knows'],
  ['no JSON', () => file('m', '{'), 'no manifest that xfer knows'],
  ['names', () => file('names', 'a\nb, c\n'), 'a list of names is for --files-from'],
  ['sums', () => file('sums', `${md5('a')}  a\n`), 'rclone lsjson -R'],
  ['nothing', () => file('empty', ''), 'no manifest that xfer knows'],
  ['no file', () => join(folder, 'none'), 'cannot be read (ENOENT)'],
  ['a folder', () => folder, 'it is no file'],
  ['no data file', () => inventory([], { files: [{ key: 'none.gz' }] }), 'none.gz is neither beside it nor in'],
  ['columns that are no text', () => inventory(['a,1\n'], { fileSchema: 5 }), 'no column Key'],
  ['an MD5 that is no text', () => inventory(['a,1\n'], { files: [{ key: '0.gz', MD5checksum: 5 }] }), 'says 5'],
  ['other bytes than its MD5 says', () => inventory(['a,1\n'], {}, () => gzipSync('b,1\n')), 'its MD5 is'],
  ['a data file that ends early', () => inventory(['a,1\n'.repeat(999)], UNSUMMED, cutShort), 'be read to its end'],
  ['a row too short', () => inventory(['a,1\nb\n']), 'row 2 of lists/data/0.gz'],
  ['an open quote', () => inventory(['"a']), 'ends within a quoted field'],
  ['a bad size', () => inventory(['a,1k\n']), 'no number of bytes'],
  ['a size that is no whole number', () => file('l', '{"Path":"a","Size":1.5}'), 'no number of bytes'],
  ['a bad time', () => inventory(['a,x\n'], { fileSchema: 'Key,LastModifiedDate' }), 'is no time'],
  ['a bad key', () => inventory(['%zz,1\n']), 'not encoded as in URLs'],
  ['no key', () => inventory([',1\n']), 'it has no key'],
  ['four fields', () => file('b', 'here,a\nhere,a,v,x\n'), 'row 2 of'],
  ['a line without a size', () => file('lsf', '1;a\nb\n'), 'row 2 of'],
  ['a line without a path', () => file('l', '{"Path":"a"}\n{"Name":"a"}\n'), 'row 2 of'],
  ['a line that is no JSON', () => file('l', '{"Path":"a"}\n{"Path"\n'), 'row 2 of'],
])('what is no manifest, or half of one, is refused: %s', async (_, make, message) => {
  const error = await rowsOf(make()).catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'BAD_MANIFEST' })
  expect(error.message.toLowerCase()).toContain(message.toLowerCase())
})

/** A manifest of xfer. */
function sealed(name, lines, { csv = false, result = 'done', ...head } = {}) {
  const { head: headOf, line, meta } = encoderOf(csv)
  const tree = createTree()
  const ends = { source: 's3://here/tree/', destination: 's3://there/to/' }
  const texts = [...headOf({ ...ends, ...head }), ...lines.map(line)]
  for (const text of texts) tree.add(text)
  const seal = { lines: tree.count(), root: tree.root() }
  const path = file(name, [...texts, meta(sealOf({ ...seal, result, time: '2026' })), ''].join('\n'))
  return { path, range: { file: name, ...seal } }
}
const LAST = '2026-01-02T00:00:00.000Z'
const copied = name => ({
  ...{ action: 'copy', name, bytes: 1, etag: '"copy"', versionId: 'v2' },
  source: { etag: '"source"', versionId: 'v1', lastModified: LAST },
})

test.each([false, true])('a manifest of xfer names the sources, or the copies of these (CSV: %s)', async csv => {
  const { path } = sealed('own', [copied('a, "+%\n'), { action: 'delete', name: 'b' }, copied('c')], { csv })
  const ofSources = { bytes: 1, etag: '"source"', versionId: 'v1', lastModifiedMs: Date.parse(LAST) }
  const ofCopies = { bytes: 1, etag: '"copy"', versionId: 'v2' }
  const rows = what => [1, { name: 'a, "+%\n', ...what }, 3, { name: 'c', ...what }]
  expect((await rowsOf(path)).flat()).toEqual(rows(ofSources))
  const source = { plain: 's3://there/to/', bucket: 'there' }
  expect((await rowsOf(path, { source })).flat()).toEqual(rows(ofCopies))
  const twins = { csv, source: 's3://here/tree/', destination: 's3://here/tree/' }
  const lines = [copied('d'), { ...copied('s'), etag: '"source"', versionId: 'v1' }]
  const [d, s] = await rowsOf(sealed('twins', lines, twins).path)
  expect([d[1], s[1]]).toEqual([
    { name: 'd', bytes: 1 },
    { name: 's', bytes: 1, etag: '"source"', versionId: 'v1' },
  ])
  const one = sealed('one', [copied('')], { csv, destination: 's3://there/one' })
  await expect(rowsOf(one.path)).rejects.toMatchObject({ code: 'BAD_MANIFEST' })
})

test('of the manifest of a job in ranges its own lines are newer, and each range is the one that was sealed', async () => {
  const [first, second] = [sealed('1', [copied('a'), copied('b')]), sealed('2', [copied('c')], { result: 'X' })].map(
    ({ range }) => range,
  )
  const { path } = sealed('own', [{ action: 'delete', name: 'a' }, copied('d')], { ranges: [first, second] })
  const emit = jest.fn()
  expect((await rowsOf(path, { emit })).map(([number, { name }]) => `${number} ${name}`)).toEqual(['2 d', '3 b', '4 c'])
  const opened = await openFile(path)
  const whole = await openSealed(opened, path, { beside: name => openFile(join(folder, name)) })
  expect(whole).toMatchObject({ objects: 3, result: 'X' })
  expect(emit).toHaveBeenCalledTimes(1)
  await whole.close()
  await opened.handle.close()
  for (const changed of [{ lines: first.lines + 1 }, { root: second.root }]) {
    const { path: wrong } = sealed('wrong', [], { ranges: [{ ...first, ...changed }] })
    await expect(rowsOf(wrong)).rejects.toMatchObject({ code: 'SEAL_BROKEN' })
  }
})

test('in a store a manifest has its files by their keys or beside it, and is the one that was begun with', async () => {
  const server = await startStore({ buckets: ['lists'] })
  const store = openStore(server, 'lists')
  const options = { env: { HOME: folder, ...sideEnv('SOURCE', server) } }
  const cancel = new AbortController().signal
  const files = [{ key: 'data/0.gz' }]
  await put(store, 'data/0.gz', gzipSync('tree/a,1\n'))
  await put(store, 'x/now/m', Buffer.from(JSON.stringify({ fileFormat: 'CSV', fileSchema: 'Key,Size', files })))
  const place = 's3://lists/x/now/m'
  const digest = await digestManifest(place, options)
  expect(await rowsOf(place, { options, cancel, digest })).toEqual([[1, { key: 'tree/a', bytes: 1 }]])
  const { range } = sealed('1', [copied('b')])
  await put(store, 'x/now/1', readFileSync(join(folder, '1')))
  await put(store, 'x/now/m', readFileSync(sealed('own', [], { ranges: [range] }).path))
  await expect(rowsOf(place, { options, cancel, digest })).rejects.toMatchObject({ code: 'BAD_MANIFEST' })
  // The digest is of the index, not of the files beside it.
  const now = { options, cancel, digest: await digestManifest(place, options) }
  expect(await rowsOf(place, now)).toMatchObject([[1, { name: 'b' }]])
  // A file is known by its bytes.
  expect(await digestManifest(file('m', 'a'), options)).toBe(createHash('sha256').update('a').digest('hex'))
})

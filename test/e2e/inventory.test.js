'use strict'

/** `--manifest`: copies of the objects that inventories and other lists name, as their rows describe them. */

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { gzipSync } = require('node:zlib')
const { openStore, startStore } = require('../support/opened')
const { eventOf } = require('../support/events')
const { jobFiles, newStateHome } = require('../support/journals')
const { openTrees, sizesOf } = require('../support/prefixes')
const { counted } = require('../support/requests')
const { get, put } = require('../support/s3')

const md5 = bytes => createHash('md5').update(bytes).digest('hex')
const SCHEMA =
  'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag, StorageClass, IsMultipartUploaded'
const encode = key => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+')

/** @param {string} key @param {string} text @param {{ bucket?: string, latest?: boolean, marker?: boolean }} [how] */
function csvRow(key, text, { bucket = 'origin', latest = true, marker = false } = {}) {
  const [size, etag] = marker ? ['', ''] : [Buffer.byteLength(text), md5(text)]
  const which = [bucket, encode(key), '', latest, marker]
  const fields = [...which, size, '2026-11-01T10:00:00.000Z', etag, 'STANDARD', false]
  return `${fields.map(field => `"${field}"`).join(',')}\n`
}

let source
let destination
let trees
let state
let kept
beforeEach(async () => {
  const buckets = [{ name: 'origin', versions: true }, 'lists']
  ;[source, destination] = await Promise.all([startStore({ buckets }), startStore()])
  trees = await openTrees({ source, destination })
  state = newStateHome()
  kept = { env: { XDG_STATE_HOME: state } }
})

// Tags are asked for of the first objects.
const run = (...args) => trees.run([...args, '--tags', 'none'], kept)
const there = async () => {
  const keys = Object.keys(await sizesOf(trees.to))
  return Object.fromEntries(await Promise.all(keys.map(async key => [key, (await get(trees.to, key)).toString()])))
}
const failures = events =>
  events.flatMap(({ type, name, code }) => (type === 'failure' ? [`${name} ${code}`] : [])).sort()

/** An inventory in a store. @param {string[]} parts the rows of each data file */
async function inventory(parts) {
  const files = []
  const lists = openStore(source, 'lists')
  for (const [i, text] of parts.entries()) {
    const [key, bytes] = [`origin/all/data/${i}.csv.gz`, gzipSync(text)]
    await put(lists, key, bytes)
    files.push({ key, size: bytes.length, MD5checksum: md5(bytes) })
  }
  const manifest = { sourceBucket: 'origin', fileFormat: 'CSV', fileSchema: SCHEMA, files }
  await put(lists, 'origin/all/now/manifest.json', Buffer.from(JSON.stringify(manifest)))
  return 's3://lists/origin/all/now/manifest.json'
}

test('an inventory in a store is copied without a list or a HEAD for each object, and what is not as it says fails alone', async () => {
  const names = ['a', 'b +%ü', 'c', 'replaced', 'gone']
  const texts = Object.fromEntries(names.map(name => [`tree/${name}`, `of ${name}`]))
  await trees.fill({ ...texts, 'tree/unlisted': 'x', 'tree/replaced': 'other', other: 'x' })
  await trees.from.remove({ key: 'tree/gone' })
  const rows = Object.entries(texts).map(([key, text]) => csvRow(key, text))
  const parts = [
    rows.slice(0, 2).join('') + csvRow('tree/old', 'x', { latest: false }) + csvRow('tree/c', '', { marker: true }),
    rows.slice(2).join('') + csvRow('other', 'x') + csvRow('tree/d', 'x', { bucket: 'another' }),
  ]
  const manifest = await inventory(parts)
  const { result, asked } = await counted(source, () => run('copy', '--manifest', manifest))
  expect(result).toMatchObject({ status: 1, last: { code: 'OBJECTS_FAILED' } })
  expect(await there()).toEqual({ 'tree/a': 'of a', 'tree/b +%ü': 'of b +%ü', 'tree/c': 'of c' })
  expect(failures(result.events)).toEqual(['d BAD_MANIFEST', 'gone ROW_OUTDATED', 'replaced ROW_OUTDATED'])
  const { message } = result.events.find(({ code }) => code === 'ROWS_LEFT_OUT')
  expect(message).toContain('1 not below s3://origin/tree/')
  // Of the manifest and its files two each; none of an object.
  expect(asked.ListObjectsV2).toBeUndefined()
  expect(asked.HeadObject).toBe(4)
})

const NAMES = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`)

test('a job that was killed goes on at the row, with what failed before it, and refuses another manifest', async () => {
  await trees.fill(Object.fromEntries(NAMES.map(name => [`tree/${name}`, `of ${name}`])))
  const rows = NAMES.toReversed().map(name => csvRow(`tree/${name}`, `of ${name}`))
  const manifest = await inventory([rows.slice(0, 10).join(''), rows.slice(10).join('')])
  source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/n35', status: 403 })
  destination.faults.add({ operation: 'PutObject', key: 'tree/n15', delayMs: 60_000 })
  const { child, ended } = trees.start(['copy', '--manifest', manifest, '--tags', 'none'], kept)
  await eventOf(destination, 'request', ({ operation }) => operation === 'PutObject', 38)
  child.kill('SIGTERM')
  await ended
  source.faults.clear()
  destination.faults.clear()
  const [job] = jobFiles(state)
  const ranges = readFileSync(join(state, 'xfer', 'jobs', job), 'utf8')
    .split('\n')
    .filter(line => line.includes('"ranges"'))
  // From row 15 of the second file on, or from the one before that shares its invocation. What failed before it is found by its name.
  expect(JSON.parse(ranges.at(-1).slice(9)).ranges).toEqual([
    { id: 0, after: expect.stringMatching(/^00000100000000(13|14)$/) },
  ])
  let reads = 0
  source.on('begin', ({ operation, bucket }) => operation === 'GetObject' && bucket === 'origin' && reads++)
  const resumed = await run('copy', '--manifest', manifest)
  expect(resumed.last).toMatchObject({ type: 'done', objects: { listed: 40, failed: 0 } })
  const { copied, earlier } = resumed.last.objects
  expect(copied + earlier).toBe(40)
  expect(resumed.objects.map(({ name }) => name)).toEqual(expect.arrayContaining(['n35', 'n15']))
  expect(copied).toBeLessThanOrEqual(3)
  expect(reads).toBe(copied)
  expect(Object.keys(await there())).toHaveLength(40)
})

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
const { put } = require('../support/s3')

const md5 = bytes => createHash('md5').update(bytes).digest('hex')
const SCHEMA =
  'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag, StorageClass, IsMultipartUploaded'

/** @param {string} key @param {string} text */
function csvRow(key, text) {
  const fields = ['origin', key, '', true, false, Buffer.byteLength(text), '2026-11-01T10:00:00.000Z', md5(text)]
  return `${[...fields, 'STANDARD', false].map(field => `"${field}"`).join(',')}\n`
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

const NAMES = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`)

test('a job of an inventory that was killed goes on at the row, with what failed before it', async () => {
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
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(40)
})

'use strict'

/** `--manifest-out`, and `xfer verify --manifest`: every object once, sealed, and what differs from it later. */

const { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder, openStore, startStore } = require('../support/opened')
const { openKeptTrees } = require('../support/prefixes')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, put } = require('../support/s3')

/** @type {Awaited<ReturnType<typeof openKeptTrees>>} */
let at
let trees
let run
let xfer
let folder
let file
beforeEach(async () => {
  at = await openKeptTrees()
  ;({ trees, run, xfer } = at)
  folder = newFolder()
  file = join(folder, 'm.ndjson')
})

const textsOf = (path = file) => readFileSync(path, 'utf8').split('\n').slice(0, -1)
/** Of objects, as `action name`, in the order of names. */
const linesOf = path =>
  textsOf(path)
    .slice(1, -1)
    .map(text => JSON.parse(text))
const shown = path =>
  linesOf(path)
    .map(({ action, name }) => `${action} ${name}`)
    .sort()

/** @param {...string} args */
async function verify(...args) {
  const { events, status, last } = await xfer('verify', '--manifest', file, ...args, '--engine', 'local', '--json')
  const found = events.filter(({ type }) => type === 'difference').map(({ found, name, why }) => [found, name, why])
  return { status, code: last.code, found, last }
}

test('where a source keeps versions, a line names the one that was read', async () => {
  const source = await startStore({ buckets: [{ name: 'kept', versions: true }] })
  const kept = openStore(source, 'kept')
  await put(kept, 'a', Buffer.from('one'))
  const args = ['copy', '-r', 's3://kept/', 's3://target/v/', '--manifest-out', file]
  expect(await runXfer(args, { env: copyEnv(source, at.destination) })).toMatchObject({ status: 0 })
  const { versionId } = await kept.head('a')
  expect(linesOf()).toMatchObject([{ source: { versionId: expect.stringMatching(versionId) } }])
})

test('a prefix: one changed byte, one added and one missing object are found, and nothing else', async () => {
  const large = bytesOf(12 * MiB, 'large')
  await trees.fill({ 'tree/a': 'one', 'tree/b': 'two', 'tree/c, "d"\n': 'three', 'tree/ü/large': large })
  expect((await run('copy', '--manifest-out', file)).status).toBe(0)
  const [head] = textsOf()
  expect(JSON.parse(head)).toMatchObject({ type: 'manifest', version: 1, source: 's3://origin/tree/' })
  expect(shown()).toEqual(['copy a', 'copy b', 'copy c, "d"\n', 'copy ü/large'])
  const line = linesOf().find(({ name }) => name === 'a')
  const { etag, lastModifiedMs } = await trees.from.head('tree/a')
  const source = { etag, lastModified: new Date(lastModifiedMs).toISOString() }
  const proof = expect.arrayContaining(['source-etag'])
  expect(line).toMatchObject({ bytes: 3, etag, source, sums: { crc32: expect.any(String) }, proof })
  expect(await verify()).toMatchObject({ status: 0, last: { pairs: { listed: 4, equal: 4 } } })

  const flipped = Buffer.from(large)
  flipped[7 * MiB] ^= 1
  await put(trees.to, 'tree/ü/large', flipped)
  await put(trees.to, 'tree/added', Buffer.from('?'))
  await trees.to.removeAll(['tree/b'])
  const { found, ...ended } = await verify()
  expect(ended).toMatchObject({ status: 8, code: 'OBJECTS_DIFFER' })
  expect(found.sort()).toEqual([
    ['differs', 'ü/large', expect.stringMatching(/^(?:bytes|checksum)$/)],
    ['extra', 'added', undefined],
    ['missing', 'b', undefined],
  ])
  expect((await verify('--one-way')).found).toHaveLength(2)
})

test('a sync tells what it skipped and deleted; what failed fails the comparison', async () => {
  await trees.fill({ 'tree/a': '1', 'tree/b': '2' })
  expect((await run('sync')).status).toBe(0)
  await put(trees.to, 'tree/old', Buffer.from('old'))
  await trees.fill({ 'tree/c': '3' })
  expect((await run('sync', '--delete', '--manifest-out', file)).status).toBe(0)
  expect(shown()).toEqual(['copy c', 'delete old', 'skip a', 'skip b'])
  expect(await verify()).toMatchObject({ status: 0, last: { pairs: { listed: 3, equal: 3 } } })
  // It has come back.
  await put(trees.to, 'tree/old', Buffer.from('old'))
  expect((await verify()).found).toEqual([['extra', 'old', undefined]])

  file = join(folder, 'second.ndjson')
  await trees.fill({ 'tree/d': '4' })
  at.source.faults.add({ operation: ['GetObject', 'HeadObject'], keyPattern: 'd$', status: 403 })
  expect((await run('sync', '--manifest-out', file)).status).toBe(1)
  at.source.faults.clear()
  expect(shown()).toContain('failed d')
  expect(await verify('--one-way')).toMatchObject({ status: 1, code: 'OBJECTS_FAILED', last: { pairs: { failed: 1 } } })
})

test('at a location it is uploaded once it is sealed, and no other object is replaced', async () => {
  await trees.fill({ 'tree/a': 'one' })
  const location = 's3://target/manifests/m.ndjson'
  expect((await run('copy', '--manifest-out', location)).status).toBe(0)
  writeFileSync(file, await get(trees.to, 'manifests/m.ndjson'))
  expect(await verify()).toMatchObject({ status: 0 })
  expect(await run('copy', '--manifest-out', location)).toMatchObject({ status: 2, last: { code: 'USAGE' } })
  expect(existsSync(join(at.state, 'xfer', 'jobs')) ? readdirSync(join(at.state, 'xfer', 'jobs')) : []).toEqual([])
})

test('a job goes on with its manifest under another name, or with the one that it has', async () => {
  await trees.fill({ 'tree/a': '1', 'tree/b': '2', 'tree/c': '3' })
  at.destination.faults.add({ operation: 'PutObject', key: 'tree/c', status: 403, code: 'ExpiredToken' })
  const [monday, tuesday] = [join(folder, 'monday.ndjson'), join(folder, 'tuesday.ndjson')]
  const begun = await run('copy', '--manifest-out', monday, '--concurrency', '1')
  expect(begun).toMatchObject({ status: 4, last: { job: expect.any(String) } })
  expect((await xfer('verify', '--manifest', monday, '--json')).last.message).toContain(`xfer resume ${begun.last.job}`)
  expect((await run('copy', '--manifest-out', tuesday, '--concurrency', '1')).last.job).toBe(begun.last.job)
  at.destination.faults.clear()
  expect((await run('copy')).status).toBe(0)
  expect(JSON.parse(textsOf(tuesday)[0])).toMatchObject({ job: begun.last.job, continues: monday })
  expect(shown(tuesday)).toEqual(['copy a', 'copy b', 'copy c'])
  expect(linesOf(tuesday).filter(({ sums }) => sums === undefined)).toEqual([])
  expect(JSON.parse(textsOf(tuesday).at(-1))).toMatchObject({ type: 'seal', result: 'done' })
})

test('a manifest whose job broke off proves no prefix, and a copy of what it names says so', async () => {
  await trees.fill({ 'tree/a': 'one' })
  expect((await run('copy', '--manifest-out', file)).status).toBe(0)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"result":"done"', '"result":"ACCESS_DENIED"'))
  const pairs = { listed: 1, equal: 1 }
  expect(await verify()).toMatchObject({ status: 1, code: 'MANIFEST_INCOMPLETE', found: [], last: { pairs } })
  const { status, events } = await run('copy', '--manifest', file)
  expect(status).toBe(0)
  expect(events.filter(({ code }) => code === 'MANIFEST_INCOMPLETE')).toHaveLength(1)
  await put(trees.to, 'tree/a', Buffer.from('two'))
  expect(await verify()).toMatchObject({ status: 8, code: 'OBJECTS_DIFFER' })
})

test('a sample reads the destination for so many objects, and lists nothing', async () => {
  await trees.fill(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`tree/${i}`, `of ${i}`])))
  expect((await run('copy', '--manifest-out', file)).status).toBe(0)
  await put(trees.to, 'tree/added', Buffer.from('?'))
  const asked = []
  at.destination.on('begin', ({ operation }) => asked.push(operation))
  expect(await verify('--sample', '5')).toMatchObject({
    status: 0,
    last: { pairs: { listed: 5, equal: 5 }, sampledOf: 20 },
  })
  expect(new Set(asked)).toEqual(new Set(['HeadObject']))
  const { stdout } = await xfer('verify', '--manifest', file, '--sample', '5', '--engine', 'local')
  expect(stdout).toContain('are equal: 5 of 20 objects, drawn at random, with ')
})

test('an ETag that is no MD5, or may be none, is not compared with what is read', async () => {
  ;({ trees, run, xfer } = await openKeptTrees({ inOne: true }))
  await trees.fill({ 'tree/a': 'one' })
  await run('copy', '--sse', 'aws:kms', '--route', 'server', '--manifest-out', file)
  expect(linesOf()[0].sums).toBeUndefined()
  expect(await verify()).toMatchObject({ status: 0, last: { methods: { etag: 1 } } })
  const unproved = { status: 1, code: 'OBJECTS_FAILED', found: [] }
  expect(await verify('--read')).toMatchObject(unproved)
  for (const kind of ['AES256', 'aws:kms']) {
    await xfer('copy', '-r', 's3://target/tree/', `s3://target/${kind}/`, '--sse', kind)
    expect(await verify(`s3://target/${kind}/`)).toMatchObject(unproved)
  }
  file = join(folder, 'plain.ndjson')
  await run('copy', '--route', 'server', '--manifest-out', file)
  expect(linesOf()[0].sums).toBeUndefined()
  await put(trees.to, 'plain/a', Buffer.from('two'))
  expect(await verify('s3://target/plain/')).toMatchObject({ status: 8, found: [['differs', 'a', 'bytes']] })
})

test('a file is read, whatever its time says, and not proved where its line has no checksum', async () => {
  await trees.fill({ 'tree/a': 'one' })
  const there = `${newFolder()}/`
  await xfer('sync', 's3://origin/tree/', there, '--manifest-out', file)
  const verifyChanged = async text => {
    const { atime, mtime } = statSync(join(there, 'a'))
    writeFileSync(join(there, 'a'), text)
    utimesSync(join(there, 'a'), atime, mtime)
    return await verify()
  }
  expect(await verify()).toMatchObject({ status: 0, last: { methods: { read: 1 } } })
  expect(await verifyChanged('two')).toMatchObject({ status: 8, found: [['differs', 'a', 'bytes']] })
  file = join(folder, 'skipped.ndjson')
  await xfer('sync', 's3://origin/tree/', there, '--manifest-out', file)
  expect(shown()).toEqual(['skip a'])
  // Its source has an ETag, which may be an MD5 or none.
  expect(await verifyChanged('one')).toMatchObject({ status: 0, last: { methods: { read: 1 } } })
  expect(await verifyChanged('six')).toMatchObject({ status: 1, code: 'OBJECTS_FAILED', found: [] })
})

test('of one empty object that is gone from its folder', async () => {
  await trees.fill({ 'tree/a': '' })
  const copy = join(newFolder(), 'a')
  await xfer('copy', 's3://origin/tree/a', copy, '--manifest-out', file)
  rmSync(copy)
  expect((await verify()).found).toMatchObject([['missing', '', undefined]])
})

test('of one object, and nothing else is looked for', async () => {
  await trees.fill({ 'tree/a': 'one' })
  await put(trees.to, 'tree/other', Buffer.from('?'))
  await xfer('copy', 's3://origin/tree/a', 's3://target/tree/b', '--manifest-out', file)
  expect(linesOf()).toMatchObject([{ action: 'copy', name: '', bytes: 3, source: { etag: expect.any(String) } }])
  await put(trees.to, 'replica/a', Buffer.from('one'))
  expect(await verify('s3://target/replica/')).toMatchObject({ status: 0, last: { pairs: { equal: 1 } } })
  await put(trees.to, 'tree/b', Buffer.from('two'))
  expect((await verify()).found).toMatchObject([['differs', '', expect.any(String)]])
})

test('a manifest that cannot be written ends the job, and a resumed one has all of it', async () => {
  const names = Array.from({ length: 120 }, (_, i) => `${i}`)
  await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, `of ${name}`])))
  // Blocks of a kilobyte.
  const limited = { node: 'bash', nodeArgs: ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath] }
  const { last } = await trees.run(['copy', '--manifest-out', file], { ...at.kept, ...limited })
  expect(last).toMatchObject({ code: 'MANIFEST_UNWRITABLE', exitCode: 1 })
  expect((await xfer('resume', '--json')).status).toBe(0)
  expect(shown()).toEqual(names.map(name => `copy ${name}`).sort())
  expect(await verify()).toMatchObject({ status: 0, last: { pairs: { equal: 120 } } })
})

'use strict'

/** What the store does to files: only below its root, and never to a target before its copy is complete; and what of it stays. */

const { execFileSync } = require('node:child_process')
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { open } = require('node:fs/promises')
const { join } = require('node:path')

/** What Linux tells of mounts. */
let mockMounts
jest.mock('node:fs/promises', () => {
  const real = jest.requireActual('node:fs/promises')
  return { ...real, readFile: async () => mockMounts.shift() ?? '' }
})

const { openStore, parsePlace } = require('../../../../lib/stores')
const { checksOf } = require('../../../../lib/stores/file/place')
const { makeHome } = require('../../../support/home')
const { bytesOf, play, sumsOf } = require('../../../support/stores')

let outer
let root
let store
let key
beforeEach(() => {
  mockMounts = []
  outer = makeHome({ secret: 'secret' })
  root = join(outer, 'root')
  mkdirSync(root)
  store = openStore(parsePlace(`${root}/`, 'destination'), { side: 'destination', keep: {} })
  key = name => `${root.slice(1)}/${name}`
})

const ATTRIBUTES = { metadata: { headers: {}, user: {} } }
const text = name => readFileSync(join(root, name), 'utf8')
/** Makes a file. */
const make = (name, content = '', how = {}) => writeFileSync(join(root, name), content, how)
/** All files, with what is in them. */
const texts = () => readdirSync(root).map(name => [name, text(name)])
const partialOf = id => join(root, `.xfer-${id.split('.')[0]}.partial`)
/** What a write of so many bytes is asked with. */
const writing = (name, bytes = 1) => ({ key: key(name), bytes, attributes: ATTRIBUTES, checksum: false })
/** What came of a write of the byte `x` at once. */
const putX = async name => await play(store, 'put', (await store.put(writing(name))).request, Buffer.from('x'))
test('a link that was named and read goes, and what it leads to stays', async () => {
  make('real', 'x')
  symlinkSync('real', join(root, 'link'))
  const named = openStore(parsePlace(join(root, 'link'), 'source'), { side: 'source', keep: {} })
  const { etag } = await named.head(key('link'))
  await named.remove({ key: key('link'), etag })
  expect(texts()).toEqual([['real', 'x']])
})

/** Nothing was changed outside the root. */
function expectOuter() {
  expect(readdirSync(outer).sort()).toEqual(['root', 'secret'])
  expect(readFileSync(join(outer, 'secret'), 'utf8')).toBe('secret')
}

/** An upload with one part there. */
async function begin(name, body, more = {}) {
  const { id } = await store.upload.create(writing(name, body.length))
  const upload = { ...writing(name, body.length), uploadId: id }
  await play(store, 'part', (await store.upload.part({ ...upload, partNumber: 1, start: 0 })).request, body)
  return { id, complete: () => store.upload.complete({ ...upload, parts: [], ...more }) }
}

test('a target stays as it is until the completion, and no list has the partial file', async () => {
  make('a', 'before')
  const { complete } = await begin('a', Buffer.from('after'))
  expect(text('a')).toBe('before')
  expect((await store.list({ prefix: key('') })).objects.map(({ key: one }) => one)).toEqual([key('a')])
  const { etag } = await complete()
  expect(await store.head(key('a'))).toMatchObject({ etag, bytes: 5 })
  expect(texts()).toEqual([['a', 'after']])
})

test('a time is corrected only of the file that was written, and nobody else has to be able to write it', async () => {
  make('a', 'ours', { mode: 0o444 })
  const { etag } = await store.head(key('a'))
  const now = await store.setTime({ key: key('a'), etag, seconds: '-1.25' })
  expect(await store.head(key('a'))).toMatchObject({ etag: now, lastModifiedMs: -1250 })
  expect(now).not.toBe(etag)
  expect(await store.setTime({ key: key('a'), etag, seconds: '5' })).toBe(etag)
  expect(await store.head(key('a'))).toMatchObject({ etag: now, lastModifiedMs: -1250 })
  rmSync(join(root, 'a'))
  symlinkSync(join(outer, 'secret'), join(root, 'a'))
  await expect(store.setTime({ key: key('a'), etag: now, seconds: '5' })).rejects.toMatchObject({ code: 'NOT_A_FILE' })
})

test('a completion that finds another size replaces nothing', async () => {
  make('a', 'before')
  const { id, complete } = await begin('a', Buffer.from('after'))
  writeFileSync(partialOf(id), 'cut')
  await expect(complete()).rejects.toMatchObject({ code: 'STORE_REFUSED', facts: { partsDiffer: true } })
  expect(text('a')).toBe('before')
})

test('a sync that fails is not repeated, and what was written is dropped', async () => {
  make('a', 'before')
  const { complete } = await begin('a', Buffer.from('after'))
  const handle = await open(join(root, 'a'))
  await handle.close()
  // Linux reports lost bytes to the first sync alone.
  const sync = jest.spyOn(Object.getPrototypeOf(handle), 'sync')
  sync.mockRejectedValueOnce(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' }))
  await expect(complete()).rejects.toMatchObject({ code: 'FILE_SYNC_FAILED', retryable: false, final: true })
  expect(texts()).toEqual([['a', 'before']])
  await expect(complete()).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
})

test.each([
  ['another file than the one that was named', () => make('a', 'x')],
  ['no file where one was named', () => {}],
])('a condition is kept: %s', async (_, prepare) => {
  const { complete } = await begin('a', Buffer.from('ours'), { condition: { ifMatch: '"1-1-1"' } })
  prepare()
  const before = texts()
  await expect(complete()).rejects.toMatchObject({ code: 'DESTINATION_EXISTS', exitCode: 7 })
  expect(texts()).toEqual(before)
})

test('a folder is not replaced by a file', async () => {
  mkdirSync(join(root, 'a'))
  const create = store.upload.create(writing('a'))
  await expect(create).rejects.toMatchObject({ code: 'NOT_A_FILE', message: expect.stringContaining('is a folder') })
  await expect(store.remove({ key: key('a') })).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  expect(await putX('a')).toMatchObject({ accepted: false, error: { code: 'NOT_A_FILE' } })
})

test.each(['link/', 'link/sub/'])('a folder behind a link that leads nowhere is refused: %s', async name => {
  symlinkSync('../unmounted', join(root, 'link'))
  const place = parsePlace(join(root, name), 'destination')
  store = openStore(place, { side: 'destination', keep: {} })
  const [{ run }] = checksOf(place, { side: 'destination' })
  const create = store.upload.create(writing(`${name}x`))
  const message = expect.stringContaining('lies behind a symbolic link that leads nowhere.')
  const refused = { code: 'NOT_A_FILE', message, hint: expect.stringContaining('Mount or make the folder') }
  for (const call of [create, run()]) await expect(call).rejects.toMatchObject(refused)
  expect((await putX(`${name}x`)).error).toMatchObject(refused)
})

test('a file that is a mount point, as in a container, is refused before the first byte', async () => {
  make('a', 'before')
  mockMounts = ['mnt_id:\t701\n', 'mnt_id:\t70\n']
  const message = expect.stringContaining('is a mount point, which no file can replace.')
  const refused = { code: 'NOT_A_FILE', message, hint: expect.stringContaining('SRC - >') }
  await expect(store.upload.create(writing('a'))).rejects.toMatchObject(refused)
  expect(store.explain({ of: 'write', status: 403, storeCode: 'MOUNT' })).toMatchObject(refused)
  expect(texts()).toEqual([['a', 'before']])
})

test('a full disk is found before the first byte, and leaves nothing', async () => {
  const message = expect.stringMatching(/bytes free for .*\/root\/a, which needs 1,125,899,906,842,624/)
  const refused = { code: 'DISK_FULL', exitCode: 1, message }
  await expect(store.upload.create(writing('a', 2 ** 50))).rejects.toMatchObject(refused)
  expect(readdirSync(root)).toEqual([])
})

test('a named pipe in place of the file that was written is not waited for', async () => {
  const { id, complete } = await begin('a', Buffer.from('after'))
  const partial = partialOf(id)
  rmSync(partial)
  execFileSync('mkfifo', [partial])
  // A reader that waits for a writer of the pipe would wait for ever.
  const parts = store.upload.parts({ key: key('a'), uploadId: id, ranges: [{ partNumber: 1, start: 0, bytes: 5 }] })
  await expect(parts).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
  await expect(complete()).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
})

describe('a link that is planted below the root leads nowhere', () => {
  beforeEach(() => symlinkSync('..', join(root, 'link')))

  test.each([
    ['head', () => store.head(key('link/secret'))],
    ['list', () => store.list({ prefix: key('link/') })],
    ['remove', () => store.remove({ key: key('link/secret') })],
    ['create', () => store.upload.create(writing('link/x'))],
    ['makeFolder', () => store.makeFolder(key('link/x/'))],
  ])('%s', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'NOT_A_FILE', exitCode: 4 })
    expectOuter()
  })

  test('put and read', async () => {
    const read = await play(store, 'read', (await store.read({ key: key('link/secret'), etag: '"x"' })).request)
    const refused = { accepted: false, error: { code: 'NOT_A_FILE' } }
    expect([await putX('link/secret'), read]).toMatchObject([refused, refused])
    expectOuter()
  })

  test('complete and abort, of an upload that began before', async () => {
    const { id, complete } = await begin('sub/secret', Buffer.from('x'))
    rmSync(join(root, 'sub'), { recursive: true })
    symlinkSync('..', join(root, 'sub'))
    const refused = { code: expect.stringMatching(/^(NOT_A_FILE|UPLOAD_GONE)$/) }
    // What is still open is the folder that was removed.
    await expect(complete()).rejects.toMatchObject(refused)
    await expect(store.upload.abort({ key: key('sub/secret'), uploadId: id })).rejects.toMatchObject(refused)
    expectOuter()
  })

  test('as the target itself it is replaced, and what it leads to stays', async () => {
    symlinkSync('../secret', join(root, 'target'))
    await (await begin('target', Buffer.from('ours'))).complete()
    expect(text('target')).toBe('ours')
    symlinkSync('../secret', join(root, 'gone'))
    await store.remove({ key: key('gone') })
    expectOuter()
  })
})

const OUTSIDE = ['../secret', 'a/../../secret', './a', 'a//b', '/secret', 'a\0b', 'n'.repeat(256)]
test.each(OUTSIDE)('the key %j is refused before anything is done', async name => {
  const of = { ...writing(name), etag: '"x"', uploadId: '0123456789abcdef.1', partNumber: 1, start: 0 }
  const { put, read, remove, upload } = store
  for (const call of [() => store.head(key(name)), put, read, remove, upload.create, upload.part, upload.abort]) {
    await expect(call(of)).rejects.toMatchObject({ code: 'KEY_INVALID' })
  }
  expectOuter()
  expect(readdirSync(root)).toEqual([])
})

test('an upload is found again by its target, and by a prefix, with what it has', async () => {
  const body = bytesOf(3000)
  const { id } = await begin('sub/a', body)
  const one = { key: key('sub/a'), id, initiatedMs: expect.any(Number) }
  expect(await store.upload.pending({ prefix: key('sub/a') })).toEqual({ uploads: [one] })
  // Before the target is there, its name is not known.
  const named = { ...one, key: key(`sub/.xfer-${id.split('.')[0]}.partial`) }
  expect(await store.upload.pending({ prefix: key('') })).toEqual({ uploads: [named] })
  make('sub/a')
  expect(await store.upload.pending({ prefix: key('') })).toEqual({ uploads: [one] })
  const crc64nvme = expect.stringMatching(/^[0-9a-f]{16}$/)
  const ranges = [
    { partNumber: 1, start: 0, bytes: 1000 },
    { partNumber: 2, start: 1000, bytes: 2000, sums: ['crc32', 'crc64nvme'] },
    { partNumber: 3, start: 3000, bytes: 1 },
  ]
  expect((await store.upload.parts({ key: key('sub/a'), uploadId: id, ranges })).parts).toEqual([
    { partNumber: 1, etag: '', bytes: 1000, sums: sumsOf(body.subarray(0, 1000)) },
    { partNumber: 2, etag: '', bytes: 2000, sums: { ...sumsOf(body.subarray(1000)), crc64nvme } },
  ])
  await store.upload.abort({ key: named.key, uploadId: id })
  expect(readdirSync(join(root, 'sub'))).toEqual(['a'])
})

test('files are removed many at once, and what cannot be is named', async () => {
  for (const name of ['a', 'b']) make(name)
  mkdirSync(join(root, 'folder'))
  const refused = await store.removeAll(['a', 'b', 'missing', 'folder'].map(key))
  expect(refused).toEqual([{ key: key('folder'), code: 'NOT_A_FILE', message: expect.any(String) }])
  expect(readdirSync(root)).toEqual(['folder'])
})

/** By other means than the store's. */
function isOne(name, other) {
  const place = mkdtempSync(join(outer, 'spellings-'))
  for (const spelling of [name, other]) writeFileSync(join(place, spelling), '')
  return readdirSync(place).length === 1
}

test('whether the file system takes two names for one is found out, also by the folder above one that is not there yet, and leaves nothing', async () => {
  const expected = { case: isOne('a', 'A'), unicode: isOne('\u00e9', 'e\u0301') }
  expect(await store.folds()).toEqual(expected)
  expect(readdirSync(root)).toEqual([])
  const missing = parsePlace(`${root}/not/there/`, 'destination')
  expect(await openStore(missing, { side: 'destination', keep: {} }).folds()).toEqual(expected)
  expect(readdirSync(root)).toEqual([])
})

test('what a killed process leaves of that question is no object, and is found as a partial file', async () => {
  for (const letter of ['\u00e9', 'e\u0301']) make(`.xfer-0123456789abcdef${letter}.partial`)
  mkdirSync(join(root, 'below'))
  expect((await store.list({ prefix: key('') })).objects).toEqual([])
  const { uploads } = await store.upload.pending({ prefix: key('') })
  expect(uploads).toHaveLength(2)
  for (const upload of uploads) await store.upload.abort({ key: upload.key, uploadId: upload.id })
  expect(readdirSync(root)).toEqual(['below'])
})

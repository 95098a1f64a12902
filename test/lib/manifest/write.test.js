'use strict'

/** A manifest that several runs of a job write. */

const { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { checkManifest } = require('../../../lib/manifest')
const { openManifestOut } = require('../../../lib/manifest/write')
const { newFolder } = require('../../support/folder')

let folder
beforeEach(() => {
  folder = newFolder()
})

const linesOf = path => {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line))
}

const copied = etag => ({ bytes: 1, etag, proof: ['store-crc32'] })

const HEAD = { type: 'manifest', version: 1, source: 's3://a/', destination: 's3://b/', job: 'j' }
const path = () => join(folder, 'out.ndjson')
const held = () => `${path()}.held`
const timeOf = second => `2026-01-31T00:00:0${second}.000Z`
const line = (name, etag, second, action = 'copy') => ({ action, name, etag, time: timeOf(second) })
const textOf = records => records.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
const open = (goesOn, head = { job: 'j', source: 's3://a/', destination: 's3://b/' }) =>
  openManifestOut({ path: path(), csv: false, head, goesOn })
const read = () => linesOf(path())
const named = () =>
  read().flatMap(({ action, name, etag = '', why = '' }) => (name ? `${action} ${name} ${etag}${why}` : []))

/** What was held is newer or older than the file. */
const [IN_FILE, BESIDE] = [line('n', 'v1', 2), line('n', 'v2', 3)]
const [MOVED, SKIPPED] = ['move', 'skip'].map(action => line('n', 'v1', 2, action))
const there = etag => ({ name: 'n', destination: { etag } })

const NOTHING = () => {}
const SKIPS_M = m => m.skipped({ name: 'm' }, 'near')
const FAILS_AND_DELETES = m => [m.failed('n', 'X'), m.deleted('m')]
const COPIES_V3 = m => m.copied('copy', 'n', copied('v3'))
const skips = (etag, why) => m => m.skipped(there(etag), why)
test.each([
  ['a name of the file stays', [IN_FILE], [], '', NOTHING, 'copy n v1'],
  ['one that is open stays, if it is not met', [IN_FILE], [], 'n', NOTHING, 'copy n v1'],
  ['one that is met has its new line alone', [IN_FILE], [], 'n', COPIES_V3, 'copy n v3'],
  ['one that is done, and met, too', [IN_FILE], [], '', COPIES_V3, 'copy n v3'],
  ['what is held and newer counts', [IN_FILE], [BESIDE], '', NOTHING, 'copy n v2'],
  ['what is held and older does not', [IN_FILE], [line('n', 'v0', 1)], '', NOTHING, 'copy n v1'],
  ['nor what is of the same time', [IN_FILE], [line('n', 'v0', 2)], '', NOTHING, 'copy n v1'],
  ['nor what is held of an open name', [IN_FILE], [BESIDE], 'n', NOTHING, 'copy n v1'],
  ['what is only held is there', [], [BESIDE], '', NOTHING, 'copy n v2'],
  ['what the file has twice is there once', [IN_FILE, BESIDE], [BESIDE], '', NOTHING, 'copy n v2'],
  ['a line of no record beside it is none', [IN_FILE], ['{"na', BESIDE], '', NOTHING, 'copy n v2'],
  ['nothing counts behind a seal', [IN_FILE, { type: 'seal' }, line('m', 'v1', 2)], [], '', NOTHING, 'copy n v1'],
  ['what failed and is not met again is not there', [line('n', '', 2, 'failed')], [], 'n', NOTHING, ''],
  ['what was to be deleted is gone', [], [line('n', '', 2, 'delete')], '', NOTHING, 'delete n '],
  ['unless the run was stopped', [IN_FILE], [line('m', '', 2, 'delete')], '', NOTHING, 'copy n v1', 'stopped'],
  ['what is skipped keeps the line of its copy', [IN_FILE], [], 'n', skips('v1', 'same-etag'), 'copy n v1'],
  ['or of an unknown ETag', [IN_FILE], [], 'n', skips(undefined, 'same-etag'), 'copy n v1'],
  ['unless another one is there', [IN_FILE], [], 'n', skips('v2', 'same-etag'), 'skip n v2same-etag'],
  ['or the copy failed', [line('n', 'v1', 2, 'failed')], [], 'n', skips('v1', 'near'), 'skip n v1near'],
  ['a name that is done and skipped keeps its line', [IN_FILE], [], '', skips('v2', 'near'), 'copy n v1'],
  ['what was copied is there, though the run was stopped', [IN_FILE], [], 'n', NOTHING, 'copy n v1', 'stopped'],
  ['what was deleted is gone, too', [IN_FILE], [line('n', '', 3, 'delete')], '', NOTHING, 'delete n ', 'stopped'],
  ['what was moved, and is skipped, keeps its line', [MOVED], [], 'n', skips('v1', 'near'), 'move n v1'],
  ['what was skipped, and is so again, too', [SKIPPED], [], 'n', skips('v1', 'near'), 'skip n v1'],
  ['what an earlier run has copied is no skip', [IN_FILE], [], 'n', skips('v2', 'earlier'), 'copy n v2earlier'],
  ['what is new and skipped has a line', [], [], 'n', skips('v2', 'near'), 'skip n v2near'],
  ['what is skipped and not there has no line', [IN_FILE], [], 'n m', SKIPS_M, 'copy n v1'],
  ['what failed and what was deleted', [], [], 'n m', FAILS_AND_DELETES, 'failed n X,delete m '],
  ['what was to be moved is there', [], [], 'n', m => m.intend('move', 'n', copied('v1')), 'move n v1'],
])('%s', async (_, lines, beside, isOpen, act, expected, result = 'done') => {
  writeFileSync(path(), textOf([HEAD, ...lines]))
  writeFileSync(held(), textOf(beside))
  const manifest = await open(true)
  await manifest.begin(name => isOpen.split(' ').includes(name))
  await act(manifest)
  await manifest.end(result)
  expect(named().join()).toBe(expected)
  expect(existsSync(held())).toBe(false)
  const { objects } = await checkManifest(createReadStream(path()), path())
  expect(objects).toBe(expected.split(',').filter(text => text && !text.startsWith('delete')).length)
})

test('a run that ends before it begins keeps every line', async () => {
  writeFileSync(path(), textOf([HEAD, IN_FILE]))
  writeFileSync(held(), textOf([BESIDE]))
  const manifest = await open(true)
  await manifest.end('stopped')
  expect(named()).toEqual(['copy n v2'])
})

test('a run that is to go on leaves what it held, and no seal', async () => {
  writeFileSync(path(), textOf([HEAD, IN_FILE]))
  const manifest = await open(true)
  await manifest.begin(() => true)
  manifest.intend('delete', 'm')
  await manifest.end()
  expect(read()).toEqual([HEAD])
  expect(linesOf(held()).map(({ name }) => name)).toEqual(['n', 'm'])
})

test.each([['{"type":'], [{ action: 1, name: 'n' }]])('a damaged line is refused: %j', async wrong => {
  writeFileSync(path(), textOf([HEAD, wrong, IN_FILE]))
  await expect((await open(true)).begin(() => false)).rejects.toMatchObject({ code: 'SEAL_BROKEN' })
})

test.each([
  ['of another job', { ...HEAD, job: 'k' }, undefined],
  ['of no job', { ...HEAD, job: undefined }, { source: 's3://a/', destination: 's3://b/' }],
  ['whose second line alone is right', textOf([IN_FILE, HEAD]).trim(), undefined],
  ['of another kind', { ...HEAD, type: 'seal' }, undefined],
  ['that is none', 'text', undefined],
  ['behind a byte order mark', `\ufeff${JSON.stringify(HEAD)}`, undefined],
])('a file %s is not written to', async (_, first, head) => {
  writeFileSync(path(), textOf([first]))
  await expect(open(false, head)).rejects.toMatchObject({ code: 'USAGE' })
  expect(readFileSync(path(), 'utf8')).toBe(textOf([first]))
})

test('one that is missing, or that is a folder, neither', async () => {
  await expect(open(true)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('not there') })
  mkdirSync(path())
  await expect(open(false)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('no file') })
  const missing = { path: join(folder, 'none', 'out'), csv: false, head: { job: 'j' }, goesOn: false }
  await expect(openManifestOut(missing)).rejects.toMatchObject({ code: 'MANIFEST_UNWRITABLE' })
})

test('an empty file is taken, and what was held beside it is of nobody', async () => {
  writeFileSync(path(), '')
  writeFileSync(held(), textOf([BESIDE]))
  const manifest = await open(false)
  await manifest.begin(() => true)
  expect(existsSync(held())).toBe(false)
  await manifest.end('done')
  expect(read()).toMatchObject([HEAD, { type: 'seal', lines: 1, result: 'done' }])
})

test.each([
  ['nothing', () => {}, false],
  ['a line', m => m.failed('n', 'X'), true],
  ['a skip', m => m.skipped(there('v1'), 'near'), true],
])('a run that is stopped after %s leaves its file: %j', async (_, act, left) => {
  const manifest = await open(false)
  await manifest.begin(() => false)
  act(manifest)
  await manifest.end('stopped')
  expect(existsSync(path())).toBe(left)
  if (left) expect(read().at(-1)).toMatchObject({ type: 'seal', result: 'stopped' })
})

test('what waits is bounded, is there when it is asked for, and nothing comes behind the end', async () => {
  const manifest = await open(false)
  await manifest.begin(() => true)
  manifest.failed('n', 'X')
  expect(named()).toEqual([])
  expect(manifest.flush()).toBe(true)
  expect(named()).toHaveLength(1)
  manifest.failed('m'.repeat(64 * 1024), 'X')
  expect(named()).toHaveLength(2)
  manifest.failed('o', 'X')
  expect([await manifest.sync(), named().length]).toEqual([true, 3])
  await manifest.end('done')
  const sealed = readFileSync(path(), 'utf8')
  manifest.failed('p', 'X')
  manifest.flush()
  await manifest.end('done')
  expect(readFileSync(path(), 'utf8')).toBe(sealed)
})

test.each([0, 2])('what cannot be written is told once, and the end fails; of %i lines none is lost', async had => {
  writeFileSync(path(), textOf([HEAD, IN_FILE].slice(0, had)))
  const manifest = await open(false)
  const told = []
  const tell = error => told.push(error.code)
  const begun = manifest.begin(() => true, tell)
  mkdirSync(held())
  await begun
  for (const name of ['n', 'm']) manifest.intend('delete', name)
  expect([manifest.flush(), await manifest.sync()]).toEqual([false, false])
  await expect(manifest.end('done')).rejects.toMatchObject({ code: 'MANIFEST_UNWRITABLE' })
  expect(told).toEqual(['MANIFEST_UNWRITABLE'])
  expect(read()).toEqual([HEAD, IN_FILE].slice(0, had || 1))
})

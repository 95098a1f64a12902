'use strict'

/** Files as source and destination: up, down and across, killed and gone on with, and what must never be lost or left. */

const fs = require('node:fs')
const { dirname, join } = require('node:path')
const { copyPrefix, resume } = require('../../lib')
const { newFolder, openStore, startStore } = require('../support/opened')
const { eventOf } = require('../support/events')
const { journalHolds, newStateHome } = require('../support/journals')
const { copyEnv, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, createBuckets, put } = require('../support/s3')

let server
let store
let root
let env
beforeAll(async () => {
  server = await startStore()
  await createBuckets(server, 'bkt')
  store = openStore(server, 'bkt')
})
beforeEach(() => {
  root = newFolder()
  env = { ...copyEnv(server, server), XDG_STATE_HOME: newStateHome() }
})

/** @param {Record<string, string | Buffer>} files by path @returns {string} a new folder */
function treeOf(files) {
  const folder = fs.mkdtempSync(join(root, 'folder-'))
  for (const [path, bytes] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (!path.endsWith('/')) fs.writeFileSync(join(folder, path), bytes)
  }
  return folder
}

test('a folder goes up and comes down with its bytes and times, and nothing is copied twice', async () => {
  const folder = treeOf({ a: 'one', b: bytesOf(12 * MiB) })
  fs.utimesSync(join(folder, 'a'), 1_000_000_000, 1_000_000_000.25)
  const how = { env, chunk: '5MiB' }
  await copyPrefix(folder, 's3://bkt/up', how)
  expect((await store.head('up/a')).metadata.user).toEqual({ mtime: '1000000000.25' })
  const down = join(root, 'down', 'new')
  await copyPrefix('s3://bkt/up/', down, how)
  expect(fs.readFileSync(join(down, 'b')).equals(bytesOf(12 * MiB))).toBe(true)
  expect(fs.statSync(join(down, 'a')).mtimeMs).toBe(1_000_000_000_250)
  for (const [from, to] of [
    ['s3://bkt/up/', down],
    [folder, 's3://bkt/up/'],
    [folder, down],
  ]) {
    const { objects } = await copyPrefix(from, to, { ...how, recursive: 'sync' })
    expect(objects).toMatchObject({ copied: 0, skipped: 2 })
  }
})

test('a download that was killed goes on with what its partial file has, and no more', async () => {
  await put(store, 'object', bytesOf(17 * MiB))
  const folder = treeOf({ target: 'before' })
  const target = join(folder, 'target')
  // Killed once it has the first part: the second one crawls.
  server.faults.add({ operation: 'GetObject', nth: 2, bytesPerSecond: 64 * 1024 })
  const begun = eventOf(server, 'begin', ({ operation }) => operation === 'GetObject')
  const args = ['copy', 's3://bkt/object', target, '--chunk', '5', '--concurrency', '1']
  const { child, ended } = startXfer(args, { env })
  await begun
  await journalHolds(env.XDG_STATE_HOME, 'part')
  child.kill('SIGKILL')
  await ended
  server.faults.clear()
  expect(fs.readFileSync(target, 'utf8')).toBe('before')
  const [partial] = fs.readdirSync(folder).filter(name => name !== 'target')
  // The journal names a part whose bytes are lost: nothing tells but the file.
  const handle = fs.openSync(join(folder, partial), 'r+')
  fs.writeSync(handle, 'x', 1000)
  fs.closeSync(handle)
  const { resumedBytes, proof } = await resume(undefined, { env })
  expect({ resumedBytes, proof }).toEqual({ resumedBytes: 0, proof: expect.arrayContaining(['written']) })
  expect(fs.readFileSync(target).equals(bytesOf(17 * MiB))).toBe(true)
  expect(fs.readdirSync(folder)).toEqual(['target'])
})

/** A tree of files as a text. @param {string} folder */
const filesOf = folder =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap(one => (one.isFile() ? [join(one.parentPath, one.name).slice(folder.length + 1)] : []))
    .sort()
    .join()

describe('a sync, where files have the names of folders, and the other way round', () => {
  const LARGE = bytesOf(6 * MiB)
  let events
  let sync
  beforeEach(() => {
    events = []
    sync = { env, recursive: 'sync', delete: true, chunk: '5MiB', onEvent: event => events.push(event) }
  })
  const failures = () =>
    events.flatMap(({ type, name, code }) => (type === 'failure' ? [`${name} ${code}`] : [])).sort()

  test('makes room for them, or tells what is in the way', async () => {
    const from = treeOf({ small: 'ss', large: LARGE, 'below/it': 'it', empty: '' })
    const to = treeOf({ below: 'bb', 'small/x': 'x', 'small/deep/none': '', 'large/x': 'x', 'empty/deep/deeper/': '' })
    fs.rmSync(join(to, 'small/deep/none'))
    const refused = copyPrefix(from, to, { ...sync, maxDelete: '2' })
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_DELETIONS', facts: { objects: { failed: 3 } } })
    expect(failures()).toEqual(['below/it', 'large', 'small'].map(name => `${name} NOT_A_FILE`))
    expect(filesOf(to)).toBe('below,empty,large/x,small/x')
    const { objects, bytes } = await copyPrefix(from, to, sync)
    expect([objects, bytes]).toEqual([expect.objectContaining({ copied: 3, deleted: 3, failed: 0 }), 6 * MiB + 4])
    expect(filesOf(to)).toBe(filesOf(from))
    await expect(copyPrefix(from, to, sync)).resolves.toMatchObject({ objects: { copied: 0, skipped: 4, deleted: 0 } })
  })

  test('deletes nothing where something else is in the way', async () => {
    const from = treeOf({ a: 'aa', 'link/f': 'ff' })
    const to = treeOf({ 'a/kept': 'k', 'a/gone': 'g', old: 'o' })
    fs.symlinkSync(treeOf({}), join(to, 'link'))
    const refused = copyPrefix(from, to, { ...sync, filters: [{ exclude: 'a/*' }] })
    await expect(refused).rejects.toMatchObject({ code: 'OBJECTS_FAILED' })
    expect(failures()).toEqual(['a NOT_A_FILE', 'link/f NOT_A_FILE'])
    expect(events.find(({ name }) => name === 'link/f').message).toContain(join(to, 'link/f'))
    expect(filesOf(to)).toBe('a/gone,a/kept,old')
  })

  test('that is ended meanwhile goes on later', async () => {
    const [from, to] = [treeOf({ a: 'aa', b: 'bb' }), treeOf({ 'a/x': 'x', b: 'bb' })]
    const ended = new AbortController()
    const onEvent = ({ action }) => action === 'delete' && ended.abort()
    const cut = await copyPrefix(from, to, { ...sync, onEvent, signal: ended.signal }).catch(error => error)
    expect(cut).toMatchObject({ code: 'INTERRUPTED', facts: { job: expect.any(String) } })
    await resume(cut.facts.job, { env })
    expect(filesOf(to)).toBe('a,b')
  })
})

'use strict'

/** `--preserve-mode`: permissions go up as the metadata `mode`, and come down from there. */

const { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, copyPrefix } = require('../../../..')
const { startStore } = require('../../../../sandbox/store')
const { modeFor } = require('../../../../lib/stores/file/modes')
const { newStateHome } = require('../../../support/journals')
const { copyEnv } = require('../../../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../../../support/s3')

const MiB = 1024 ** 2
const MODES = { run: 0o755, secret: 0o600, shared: 0o664, 'deep/read-only': 0o440 }
let server
let store
let root
let env
beforeAll(async () => {
  server = await startStore()
  await createBuckets(server, 'bkt')
  store = openStore(server, 'bkt')
})
afterAll(() => server.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'xfer-modes-'))
  env = { ...copyEnv(server, server), XDG_STATE_HOME: newStateHome() }
  mkdirSync(join(root, 'from/deep'), { recursive: true })
  for (const [name, mode] of Object.entries(MODES)) fill(name, mode)
})
afterEach(() => rmSync(root, { recursive: true }))

function fill(name, mode, bytes = name) {
  const path = join(root, 'from', name)
  writeFileSync(path, bytes)
  chmodSync(path, mode)
  return path
}
const bits = path => statSync(path).mode & 0o7777
const modesOf = folder => Object.fromEntries(Object.keys(MODES).map(name => [name, bits(join(root, folder, name))]))

test('many files keep their permissions up and down, whatever their neighbours have', async () => {
  const options = { env, preserveMode: true }
  await copyPrefix(join(root, 'from/'), 's3://bkt/up/', options)
  expect((await store.head('up/secret')).metadata.user).toMatchObject({ mode: '100600' })
  await copyPrefix('s3://bkt/up/', join(root, 'to/'), options)
  expect(modesOf('to')).toEqual(MODES)
})

test('without the option nothing is noted, and nothing is taken', async () => {
  await copyPrefix(join(root, 'from/'), 's3://bkt/plain/', { env })
  expect((await store.head('plain/secret')).metadata.user).not.toHaveProperty('mode')
  await put(store, 'noted', Buffer.from('x'), { user: { mode: '100600' } })
  const usual = bits(fill('usual', 0o666 & ~process.umask()))
  await copy('s3://bkt/noted', join(root, 'noted'), { env })
  expect(bits(join(root, 'noted'))).toBe(usual)
})

test.each([
  ['beside the target', {}],
  ['in place', { destination: { inplace: true } }],
])('a large file that is written %s keeps them too', async (_, more) => {
  const options = { env, preserveMode: true, chunk: '5MiB' }
  await copy(fill('large', 0o640, bytesOf(11 * MiB)), 's3://bkt/large', options)
  await copy('s3://bkt/large', join(root, 'large'), { ...options, ...more })
  expect(bits(join(root, 'large'))).toBe(0o640)
  await copy(join(root, 'from/run'), join(root, 'run'), { ...options, ...more })
  expect(bits(join(root, 'run'))).toBe(0o755)
})

test('a sync does not compare them', async () => {
  const options = { env, preserveMode: true, recursive: 'sync' }
  await copyPrefix(join(root, 'from/'), join(root, 'to/'), options)
  chmodSync(join(root, 'from/run'), 0o700)
  expect((await copyPrefix(join(root, 'from/'), join(root, 'to/'), options)).objects).toMatchObject({ copied: 0 })
})

test.each([
  ['100644', 0o644],
  ['0100755', 0o755],
  ['600', 0o600],
  ['0600', 0o600],
  ['04755', 0o755],
  ['106755', 0o755],
  ['0', undefined],
  // Of s3fs, decimal: 0600, 0777 of a link.
  ['33152', undefined],
  ['41471', undefined],
  ['040755', undefined],
  [undefined, undefined],
  ['', undefined],
  ['rw-r--r--', undefined],
  ['100888', undefined],
  ['-1', undefined],
  ['12345670', undefined],
])('the metadata mode %p is %p, and never setuid, setgid or sticky', (mode, expected) => {
  const user = mode === undefined ? {} : { mode }
  expect(modeFor({ metadata: { headers: {}, user } })).toBe(expected)
})

test('what cannot be read as permissions leaves those of a new file', async () => {
  await put(store, 'odd', Buffer.from('x'), { user: { mode: 'rwx' } })
  await copy('s3://bkt/odd', join(root, 'odd'), { env, preserveMode: true })
  expect(bits(join(root, 'odd'))).toBe(0o666 & ~process.umask())
})

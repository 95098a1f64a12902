'use strict'

/** xfer doctor: the real program against real stores, a real platform, files and servers of the web; and interrupted. */

const { once } = require('node:events')
const { mkdir, readdir, writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { putRandom } = require('../../sandbox/objects')
const { keep, newFolder, openStore, startDeployed, startGate, startStore } = require('../support/opened')
const { startHttpsHost } = require('../support/https-host')
const { bareEnv, copyEnv, eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { expectNothingLeft, uploadsOf } = require('../support/s3')

const BOTH = ['s3://src/object', 's3://dst/new']

let platform
let source
let destination
let base
beforeAll(async () => {
  ;[platform, source, destination] = await Promise.all([
    startDeployed(),
    startStore({ buckets: ['src'] }),
    startStore({ buckets: ['dst'] }),
  ])
  base = copyEnv(source, destination, platform)
  await putRandom(source, { bucket: 'src', key: 'object', bytes: 12_345 })
  await putRandom(source, { bucket: 'src', key: 'empty', bytes: 0 })
})
afterEach(() => {
  platform.faults.clear()
  source.faults.clear()
  destination.faults.clear()
})
const NAMES = [
  ...['node', 'platform', 'key', 'limits', 'action', 'access', 'invocation', 'containers', 'runner'],
  ...['source credentials', 'source reading', 'source name'],
  ...['destination credentials', 'destination writing', 'destination name'],
  ...['clock', 'source from functions', 'destination from functions'],
]

const OF_STORES = NAMES.filter(name => /^(source|destination) \w+$/.test(name))

test('--engine local checks this machine and both stores, and asks no platform', async () => {
  const { status, checks } = await examine([...BOTH, '--engine', 'local'], { ...base, APIHOST: 'http://127.0.0.1:1' })
  expect([status, Object.keys(checks)]).toEqual([0, ['node', 'invocation', ...OF_STORES, 'clock']])
  expect(checks.invocation.detail).toMatch(/^Copies run on \d+ threads? of this machine; one answered in \d+ ms\.$/)
})

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ status: number, checks: Record<string, any>, failed: string[], stdout: string }>}
 */
async function examine(args, env = base) {
  const { status, stdout, stderr } = await runXfer(['doctor', ...args, '--json'], { env })
  expect(stderr).toBe('')
  const events = eventsOf({ stdout })
  expect(events.pop()).toEqual({ type: 'done', ok: status === 0, time: expect.any(String) })
  for (const { type, time, name, ok, detail, hint } of events) {
    expect({ type, iso: new Date(time).toISOString() }).toEqual({ type: 'check', iso: time })
    expect([true, false, null]).toContain(ok)
    expect(name).toMatch(/^[a-z ]+$/)
    for (const text of [detail, ...(hint || ok === false ? [hint] : [])]) {
      expect(text).toMatch(/^\S.*[^.]\.$/)
      expect(text).not.toMatch(/[.!?] +[A-Z]|undefined|NaN|\[object/)
    }
    const secrets = [source, destination].map(store => store.secretAccessKey)
    expect(secrets.filter(secret => `${detail}${hint}`.includes(secret))).toEqual([])
  }
  const checks = Object.fromEntries(events.map(event => [event.name, event]))
  return { status, checks, failed: named(checks, false), stdout }
}

/** By mark, which checks have it. @param {Record<string, any>} checks */
const named = (checks, ok) => Object.keys(checks).filter(name => checks[name].ok === ok)

test('where all is good every check says so, in order, and nothing is left', async () => {
  const { status, checks } = await examine(BOTH)
  expect({ status, names: Object.keys(checks) }).toEqual({ status: 0, names: NAMES })
  expect(named(checks, true)).toEqual(NAMES)
  expect(checks.limits.detail).toContain('30 invocations at once')
  expect(checks.invocation.detail).toMatch(/ in \d+ ms \((cold|warm)\) and \d+ ms \((cold|warm)\)\.$/)
  expect(checks['source reading'].detail).toContain('12,345 bytes')
  expect(checks['destination writing'].detail).toContain('s3://dst/new')
  const today = new Date().toISOString().slice(0, 10)
  expect(checks['source name'].detail).toBe(
    `The name "src" breaks no rule of the store; the bucket was created on ${today}, 0 days ago.`,
  )
  await expectNothingLeft(destination, 'dst')
})

test('where all is good buckets alone are enough, and an empty object', async () => {
  const buckets = await examine(['s3://src', 's3://dst'])
  expect(buckets).toMatchObject({ status: 0, failed: [] })
  expect(buckets.checks['source reading'].detail).toContain('can be listed')
  expect(buckets.checks['destination writing'].detail).toMatch(
    /s3:\/\/dst\/xfer-doctor-[0-9a-f]+ was begun and aborted/,
  )
  const empty = await examine(['s3://src/empty'])
  expect(empty.checks['source reading']).toMatchObject({ ok: true, detail: expect.stringContaining('none of them') })
  expect(empty.checks['destination writing']).toBeUndefined()
  await expectNothingLeft(destination, 'dst')
})

test.each([
  ['that is down', { APIHOST: 'http://127.0.0.1:1' }, 'platform', 'cannot be reached'],
  ['with a wrong key', { AUTH: 'wrong:KEY' }, 'key', 'refuses the credentials'],
])('the platform %s is found out, and the stores all the same', async (_, env, name, words) => {
  const { status, checks } = await examine(BOTH, { ...base, ...env })
  expect([status, named(checks, false)[0]]).toEqual([5, name])
  expect(checks[name].detail).toContain(words)
  expect(named(checks, true)).toEqual(expect.arrayContaining(OF_STORES))
  for (const name of ['invocation', 'source from functions']) {
    expect(checks[name]).toMatchObject({ ok: null, detail: expect.stringMatching(/^Skipped, for the check "/) })
  }
})

test.each([
  ['a wrong secret', [], { XFER_SOURCE_SECRET_ACCESS_KEY: 'wrong-SECRET' }, 'source reading'],
  ['no credentials', [], { XFER_DEST_ACCESS_KEY_ID: '', XFER_DEST_SECRET_ACCESS_KEY: '' }, 'destination credentials'],
  ['no such profile', ['--dest-profile', 'none'], {}, 'destination credentials'],
])('a store with %s is found out, and the other side all the same', async (_, args, env, name) => {
  const { status, checks, failed } = await examine([...BOTH, ...args], { ...base, ...env })
  expect({ status, failed }).toEqual({ status: 4, failed: [name] })
  const other = name.startsWith('source') ? 'destination writing' : 'source reading'
  expect(checks[other].ok).toBe(true)
  await expectNothingLeft(destination, 'dst')
})

test('a store that does not abort what it began has that told, with what was left', async () => {
  destination.faults.add({ operation: 'AbortMultipartUpload', status: 403, code: 'AccessDenied' })
  const { status, checks, failed } = await examine(BOTH)
  expect({ status, failed }).toEqual({ status: 4, failed: ['destination writing'] })
  const store = openStore(destination, 'dst')
  const [{ id, key }] = await uploadsOf(store, 'new')
  expect(checks['destination writing'].hint).toContain(id)
  destination.faults.clear()
  await store.upload.abort({ key, uploadId: id })
})

test('a file and a folder are read and written, and nothing is left', async () => {
  const folder = newFolder()
  const [big, out] = [join(folder, 'big'), join(folder, 'out')]
  await writeFile(big, 'twelve bytes')
  await mkdir(out)
  const { status, checks, failed } = await examine([big, out], bareEnv)
  expect({ status, failed }).toEqual({ status: 0, failed: [] })
  expect(checks['source reading'].detail).toContain(`${big} has 12 bytes, and one of them was read`)
  expect(checks['destination writing'].detail).toContain(`written to ${out}, synced and removed.`)
  expect(checks['source from functions']).toMatchObject({ ok: null })
  expect(checks['destination from functions'].detail).toContain('only threads of this machine')
  expect(await readdir(out)).toEqual([])
})

describe('a server of the web', () => {
  let host
  beforeAll(async () => {
    host = await keep(startHttpsHost())
  })

  test.each([
    ['a strong ETag', {}, undefined, 'sends ranges, and its strong ETag shows a change'],
    ['nothing', { etag: null, modified: null }, 'unnoticed', 'tells neither an ETag nor a time'],
  ])('with %s', async (name, page, hint, says) => {
    const url = host.put(`/${encodeURIComponent(name)}?token=xQu3ry-SECRET`, { body: Buffer.from('body'), ...page })
    const { status, checks, stdout } = await examine([url], bareEnv)
    expect([status, checks['source credentials'].ok]).toEqual([0, true])
    const found = { detail: expect.stringContaining(says), hint: hint && expect.stringContaining(hint) }
    expect({ hint: undefined, ...checks['source reading'] }).toMatchObject(found)
    expect(stdout).not.toContain('SECRET')
  })

  test('that wants a password', async () => {
    const authorization = 'Bearer xH3ader-SECRET'
    const url = host.put('/closed', { body: Buffer.from('body'), wants: { authorization } })
    expect(await examine([url], bareEnv)).toMatchObject({ status: 4, failed: ['source reading'] })
    const given = [url, '--source-header', `Authorization: ${authorization}`]
    const { status, checks, stdout } = await examine(given, bareEnv)
    expect(status).toBe(0)
    expect(checks['source credentials'].detail).toContain('headers from --source-header')
    expect(stdout).not.toContain('SECRET')
  })
})

test('Ctrl-C while an upload is being begun leaves none', async () => {
  const gate = await startGate(destination)
  const held = gate.hold(({ method, url }) => method === 'POST' && url.includes('uploads'))
  const env = copyEnv(source, { ...destination, endpoint: gate.endpoint })
  const { child, ended } = startXfer(['doctor', ...BOTH, '--json'], { env })
  const letGo = await held
  const stopping = once(child.stderr, 'data')
  child.kill('SIGINT')
  await stopping
  letGo()
  const { status, stdout, stderr } = await ended
  expect([status, stderr]).toEqual([130, 'xfer: stopping; press Ctrl-C again to exit at once.\n'])
  const interrupted = { type: 'error', code: 'INTERRUPTED', message: 'The check was interrupted.', exitCode: 130 }
  expect(eventsOf({ stdout }).at(-1)).toMatchObject(interrupted)
  await expectNothingLeft(destination, 'dst')
})

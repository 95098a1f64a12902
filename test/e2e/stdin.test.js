'use strict'

/** `xfer copy -` with real processes and pipes: what a producer, a signal and a terminal's absence make of it. */

const { execFileSync, spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { closeSync, openSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { jobFiles, newStateHome } = require('../support/journals')
const { runShell } = require('../support/run-shell')
const { bareEnv, eventsOf, sideEnv, XFER } = require('../support/run-xfer')
const { bytesOf, createBuckets, get, openStore, put, sha256, uploadsOf } = require('../support/s3')

const BODY = bytesOf(21 * 1024 ** 2)

let server
let store
let env
beforeAll(async () => {
  server = await startStore()
  await createBuckets(server, 'streams')
  store = openStore(server, 'streams')
  env = { ...bareEnv, ...sideEnv('DEST', server), XDG_STATE_HOME: newStateHome() }
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  store?.close()
  await server?.close()
})

/** @param {string[]} flags @param {any} [input] a stream of a child, or a pipe */
function start(flags, input = 'pipe') {
  const child = spawn(process.execPath, [XFER, 'copy', '-', 's3://streams/key', '--json', ...flags], {
    env,
    stdio: [input, 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
    for (const line of text.split('\n')) if (line.startsWith('{"type":"part"')) child.emit('part')
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  // Who is killed reads no more.
  child.stdin?.on('error', () => {})
  const ended = once(child, 'close').then(([status]) => {
    return { status, stderr, events: eventsOf({ stdout: stdout.slice(0, stdout.lastIndexOf('\n') + 1) }) }
  })
  return { child, ended }
}

const left = async () => ({ uploads: await uploadsOf(store, 'key'), jobs: jobFiles(env.XDG_STATE_HOME) })

it('writes what comes through a pipe of the shell', async () => {
  const line = `head -c 21000000 /dev/zero | "${process.execPath}" "${XFER}" copy - s3://streams/zeros --json --chunk 5`
  const shell = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  shell.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  expect(await once(shell, 'close')).toEqual([0, null])
  expect(eventsOf({ stdout }).at(-1)).toMatchObject({
    type: 'done',
    bytes: 21_000_000,
    parts: 5,
    proof: ['store-crc32'],
  })
  expect((await get(store, 'zeros')).equals(Buffer.alloc(21_000_000))).toBe(true)
  expect(await left()).toEqual({ uploads: [], jobs: [] })
})

it('makes an empty object of an empty input, and of none', async () => {
  for (const input of ['pipe', 'ignore']) {
    const { child, ended } = start([], input)
    child.stdin?.end()
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
    expect(await get(store, 'key')).toHaveLength(0)
  }
  await store.remove({ key: 'key' })
})

describe('of what Node.js would read nothing', () => {
  const BEFORE = bytesOf(1000)
  beforeEach(() => put(store, 'key', BEFORE))
  afterAll(() => store.remove({ key: 'key' }))

  it.each([
    ['a folder', () => openSync(tmpdir()), { code: 'INPUT_FAILED', exitCode: 1 }],
    // Of a process that lives: there are no bytes at 0.
    ['a descriptor whose read fails', () => openSync('/proc/self/mem'), { code: 'INPUT_FAILED', exitCode: 1 }],
    [
      'a descriptor that is open for writing only',
      () => openSync(join(env.XDG_STATE_HOME, 'written'), 'w'),
      { code: 'INPUT_FAILED', exitCode: 1 },
    ],
  ])('fails, and writes nothing, if it is %s', async (_, open, error) => {
    const input = open()
    const { status, events } = await start([], input).ended
    closeSync(input)
    expect(events.at(-1)).toMatchObject(error)
    expect(status).toBe(error.exitCode)
    expect(sha256(await get(store, 'key'))).toBe(sha256(BEFORE))
    expect(await left()).toEqual({ uploads: [], jobs: [] })
  })

  it('is refused, and writes nothing, if it is closed', async () => {
    const line = `"${process.execPath}" "${XFER}" copy - s3://streams/key <&-`
    const { status, output } = await runShell(line, { env })
    expect(output).toContain('Standard input is closed')
    expect(status).toBe(2)
    expect(sha256(await get(store, 'key'))).toBe(sha256(BEFORE))
  })

  // Only root makes one, and not in every container.
  const canMake = process.getuid?.() === 0 && spawnSync('losetup', ['--find']).status === 0
  const withDevice = canMake ? it : it.skip
  withDevice('writes all of a block device', async () => {
    const image = join(env.XDG_STATE_HOME, 'image')
    const body = BODY.subarray(0, 6 * 1024 ** 2)
    writeFileSync(image, body)
    const device = blockDeviceOf(image)
    const input = openSync(device)
    try {
      const { status, events } = await start(['--chunk', '5'], input).ended
      expect({ status, last: events.at(-1) }).toMatchObject({ status: 0, last: { type: 'done', bytes: body.length } })
      expect(sha256(await get(store, 'key'))).toBe(sha256(body))
    } finally {
      closeSync(input)
      spawnSync('losetup', ['--detach', device])
    }
  })
})

/** @param {string} image a file of whole sectors @returns {string} the path of a device that has its bytes */
function blockDeviceOf(image) {
  return execFileSync('losetup', ['--show', '--read-only', '--find', image], { encoding: 'utf8' }).trim()
}

it('writes only what was expected', async () => {
  const wrong = start(['--expect-sha256', '0'.repeat(64)])
  wrong.child.stdin.end(BODY)
  expect((await wrong.ended).events.at(-1)).toMatchObject({ code: 'INPUT_DIFFERS', exitCode: 8 })
  expect(await store.head('key').catch(({ code }) => code)).toBe('NO_SUCH_KEY')
  const right = start(['--expect-sha256', sha256(BODY), '--chunk', '5'])
  right.child.stdin.end(BODY)
  expect(await right.ended).toMatchObject({ status: 0 })
  expect(sha256(await get(store, 'key'))).toBe(sha256(BODY))
  await store.remove({ key: 'key' })
  expect(await left()).toEqual({ uploads: [], jobs: [] })
})

it('leaves nothing when it is interrupted, and lets its producer go', async () => {
  const { child, ended } = start(['--chunk', '5'])
  child.stdin.write(BODY)
  await eventOf(child, 'part')
  const gone = eventOf(child.stdin, 'close')
  child.kill('SIGINT')
  await gone
  expect((await ended).events.at(-1)).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
  expect(await store.head('key').catch(({ code }) => code)).toBe('NO_SUCH_KEY')
  expect(await left()).toEqual({ uploads: [], jobs: [] })
})

it('leaves an upload when it is killed, and no job', async () => {
  const { child, ended } = start(['--chunk', '5'])
  child.stdin.write(BODY)
  await eventOf(child, 'part')
  child.kill('SIGKILL')
  await ended
  const { uploads, jobs } = await left()
  expect({ uploads: uploads.length, jobs }).toEqual({ uploads: 1, jobs: [] })
  // By the store's clock, which tells seconds.
  await delay((Math.floor(uploads[0].initiatedMs / 1000) + 1) * 1000 - Date.now())
  const clean = ['clean', 's3://streams', '--older-than', '0.001s', '--yes']
  const cleaner = spawn(process.execPath, [XFER, ...clean], { env, stdio: 'ignore' })
  expect(await once(cleaner, 'close')).toEqual([0, null])
  expect(await left()).toEqual({ uploads: [], jobs: [] })
})

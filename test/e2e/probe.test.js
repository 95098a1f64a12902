'use strict'

/** `xfer probe` with the real program on a store of the sandbox: what it finds, what it writes, and that it leaves nothing. */

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { copyEnv, eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { createBuckets, keysOf, openStore, put } = require('../support/s3')

jest.setTimeout(120_000)

const QUICK = ['--max-bytes', '64M', '--for', '300ms', '--concurrency', '4', '--yes']

let source
let env
beforeEach(async () => {
  source = await startStore()
  await createBuckets(source, 'bkt')
  env = copyEnv(source, source)
})
afterEach(() => source.close())

const keys = async () => await keysOf(openStore(source, 'bkt'))
const probe = (...args) => runXfer(['probe', ...args], { env })

/** The program, at work: it has begun so many writes. */
async function startUntilWrites(most) {
  let writes = 0
  const started = startXfer(['probe', 's3://bkt', ...QUICK], { env })
  await new Promise(resolve => {
    source.on('request', ({ operation }) => {
      if (operation === 'PutObject' && ++writes === most) resolve(undefined)
    })
  })
  return started
}

test('measures, says what was found, and leaves only what was there', async () => {
  await put(openStore(source, 'bkt'), 'kept', Buffer.from('mine'))
  source.faults.add({ operation: ['GetObject', 'PutObject'], delayMs: 60 })
  const folder = mkdtempSync(join(tmpdir(), 'xfer-probe-'))
  const file = join(folder, 'report.json')
  const { status, stdout, stderr } = await probe('s3://bkt', ...QUICK, '--out', file)
  expect([status, stderr]).toEqual([0, expect.stringContaining('Writing up to 64.0 MiB below s3://bkt')])
  expect(stdout).toMatch(/PUT 5 MB/)
  expect(stdout).toMatch(/xfer copy s3:\/\/bkt DEST --engine local --chunk \d+/)
  const report = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(folder, { recursive: true })
  const [{ times, gets, puts }] = report.places
  // Each waits 60 ms; what this machine adds is not.
  for (const op of ['get', 'put']) expect(times[op].p50).toBeGreaterThanOrEqual(60)
  for (const { bytes, steps } of [...gets, ...puts]) {
    expect(bytes).toBeGreaterThan(0)
    for (const step of steps) expect(step.bytesPerSecond).toBeGreaterThan(0)
  }
  expect(await keys()).toEqual(['kept'])
})

test('a copy takes what a report recommends, and refuses what is none', async () => {
  await put(openStore(source, 'bkt'), 'a', Buffer.alloc(100))
  const folder = mkdtempSync(join(tmpdir(), 'xfer-probe-'))
  const file = join(folder, 'report.json')
  const copy = async text => {
    writeFileSync(file, text)
    return await runXfer(['copy', 's3://bkt/a', 's3://bkt/b', '--dry-run', '--json', '--probe', file], { env })
  }
  const good = await copy(JSON.stringify({ recommended: { chunkBytes: 10_000_000, concurrency: 3 } }))
  expect(eventsOf(good).find(({ type }) => type === 'plan')).toMatchObject({ partBytes: 10 * 1024 ** 2 })
  for (const text of ['{}', 'no JSON', 'null']) {
    const { status, stdout } = await copy(text)
    expect([status, stdout]).toEqual([2, expect.stringMatching(/is no report of xfer probe/)])
  }
  rmSync(folder, { recursive: true })
})

test('needs a yes, and is refused what is too little', async () => {
  expect((await probe('s3://bkt')).stderr).toMatch(/has to ask first.*\n.*--yes/)
  expect((await probe('s3://bkt', '--yes', '--expect', 'put.p99<2')).stderr).toMatch(/is no expectation/)
  expect((await probe('s3://bkt', '--yes', '--max-bytes', '10B')).status).toBe(2)
  expect(await keys()).toEqual([])
})

test('is as expected, or ends with 1', async () => {
  const small = ['--max-bytes', '1M', '--for', '200ms', '--concurrency', '1', '--yes', '--json']
  const good = await probe('s3://bkt', ...small, '--expect', 'put.p99<20s', '--expect', 'get.rate>1MB/s')
  expect([
    good.status,
    eventsOf(good)
      .at(-1)
      .expectations.map(({ ok }) => ok),
  ]).toEqual([0, [true, true]])
  const bad = await probe('s3://bkt', ...small, '--expect', 'head.p50<0.001ms')
  expect([bad.status, eventsOf(bad).at(-1).expectations]).toEqual([
    1,
    [{ text: 'head.p50<0.001ms', found: expect.any(Number), ok: false }],
  ])
})

test('two places: how long a copy takes', async () => {
  const { status, stdout } = await probe('s3://bkt/a/', 's3://bkt/b/', ...QUICK, '--bytes', '1G')
  expect(status).toBe(0)
  expect(stdout).toMatch(/A copy of 1\.00 GiB takes about /)
  expect(await keys()).toEqual([])
})

test('what a killed one has left is deleted by --clean, and nothing else', async () => {
  await put(openStore(source, 'bkt'), 'kept', Buffer.from('mine'))
  const { child, ended } = await startUntilWrites(20)
  child.kill('SIGKILL')
  await ended
  expect((await keys()).length).toBeGreaterThan(10)
  const { status, stdout } = await probe('s3://bkt', '--clean')
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Deleted \d+ objects of earlier probes\./)])
  expect(await keys()).toEqual(['kept'])
})

test('Ctrl-C leaves nothing', async () => {
  const { child, ended } = await startUntilWrites(20)
  child.kill('SIGINT')
  expect((await ended).status).toBe(130)
  expect(await keys()).toEqual([])
})

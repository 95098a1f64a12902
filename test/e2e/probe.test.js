'use strict'

/** `xfer probe` with the real program on a store of the sandbox: what it finds, what it writes, and that it leaves nothing. */

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { eventOf } = require('../support/events')
const { keep, newFolder, openStore, startDeployed, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { createBuckets, keysOf, put } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const QUICK = ['--max-bytes', '64M', '--for', '300ms', '--concurrency', '4', '--yes']

let source
let env
beforeEach(async () => {
  source = await startStore()
  await createBuckets(source, 'bkt')
  env = copyEnv(source, source)
})

const keys = async () => await keysOf(openStore(source, 'bkt'))
const probe = (...args) => runXfer(['probe', ...args], { env })

/** The program, at work: it has begun so many writes. */
async function startUntilWrites(most) {
  const started = startXfer(['probe', 's3://bkt', ...QUICK], { env })
  await eventOf(source, 'request', ({ operation }) => operation === 'PutObject', most)
  return started
}

test('measures, says what was found, and leaves only what was there', async () => {
  await put(openStore(source, 'bkt'), 'kept', Buffer.from('mine'))
  source.faults.add({ operation: ['GetObject', 'PutObject'], delayMs: 60 })
  const file = join(newFolder(), 'report.json')
  const { status, stdout, stderr } = await probe('s3://bkt', ...QUICK, '--out', file)
  expect([status, stderr]).toEqual([0, expect.stringContaining('Writing up to 64.0 MiB below s3://bkt')])
  expect(stdout).toMatch(/PUT 5 MB/)
  expect(stdout).toMatch(/xfer copy -r s3:\/\/bkt DEST --engine local --chunk \d+/)
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const [{ times, gets, puts }] = report.places
  // Each waits 60 ms; what this machine adds is not.
  for (const op of ['get', 'put']) expect(times[op].p50).toBeGreaterThanOrEqual(60)
  for (const { bytes, steps } of [...gets, ...puts]) {
    expect(bytes).toBeGreaterThan(0)
    for (const step of steps) expect(step.bytesPerSecond).toBeGreaterThan(0)
  }
  expect(await keys()).toEqual(['kept'])
})

test('many small objects, and one large one: a time for both, and commands that run as they are printed', async () => {
  await put(openStore(source, 'bkt'), 'a/kept', Buffer.from('mine'))
  source.faults.add({ operation: ['GetObject', 'PutObject'], delayMs: 40 })
  const places = ['s3://bkt/a/', "s3://bkt/it's b/"]
  const { status, stdout } = await probe(...places, ...QUICK, '--objects', '3000000', '--size', '40kB')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^A copy of 1.00 TiB takes about/m)
  const SENTENCE = /^A copy of 3,000,000 objects of 40 kB takes about \d+ h.* \(([\d.]+) objects a second; /m
  const [, rate] = SENTENCE.exec(stdout)
  // A lane waits 80 ms for each, and there are four.
  expect(Number(rate)).toBeGreaterThan(5)
  expect(Number(rate)).toBeLessThanOrEqual(50)
  const commands = stdout.split('\n').flatMap(line => /(?<=: xfer )copy .*/.exec(line) ?? [])
  expect(commands).toHaveLength(2)
  for (const command of commands) {
    expect(command).toMatch(/^copy -r s3:\/\/bkt\/a\/ 's3:\/\/bkt\/it'\\''s b\/' --engine local/)
    const words = command.replace("'s3://bkt/it'\\''s b/'", 'B').split(' ')
    const run = await runXfer([...words.map(word => (word === 'B' ? places[1] : word)), '--dry-run'], { env })
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('Would copy 1 object') })
  }
})

test('a copy takes what a report recommends, and refuses what is none', async () => {
  await put(openStore(source, 'bkt'), 'a', Buffer.alloc(100))
  const file = join(newFolder(), 'report.json')
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
})

test('is as expected, or ends with 1', async () => {
  const small = ['--max-bytes', '1M', '--for', '200ms', '--concurrency', '1', '--yes', '--json']
  const good = await probe('s3://bkt', ...small, '--expect', 'put.p99<20s', '--expect', 'get.rate>1MB/s')
  const foundBy = run => [run.status, eventsOf(run).at(-1).expectations]
  expect(foundBy(good)).toMatchObject([0, [{ ok: true }, { ok: true }]])
  source.faults.add({ operation: 'PutObject', keyPattern: '/write-', status: 503 })
  const refused = await probe('s3://bkt', ...small, '--expect', 'put.p99<20s')
  expect(foundBy(refused)).toEqual([1, [{ text: 'put.p99<20s', found: 0, ok: false }]])
  source.faults.clear()
  const bad = await probe('s3://bkt', ...small, '--expect', 'head.p50<0.001ms')
  expect(foundBy(bad)).toEqual([1, [{ text: 'head.p50<0.001ms', found: expect.any(Number), ok: false }]])
})

test('three places: how many times as fast as the first each is', async () => {
  await createBuckets(source, 'slow')
  source.faults.add({ bucket: 'slow', operation: ['GetObject', 'PutObject'], delayMs: 40 })
  const args = ['s3://bkt/a/', 's3://bkt/b/', 's3://slow', '--size', '10kB', '--yes', '--json']
  const { status, stdout } = await probe(...args)
  const { comparison, places } = eventsOf({ stdout }).at(-1)
  expect([status, places, comparison.length]).toEqual([0, [], 3])
  const [first, , slow] = comparison
  expect([first.put.ratio, first.get.ratio]).toEqual([1, 1])
  for (const op of ['put', 'get']) {
    expect(slow[op].ms).toBeGreaterThanOrEqual(40)
    expect(slow[op].high).toBeLessThan(1)
  }
  expect([...(await keys()), ...(await keysOf(openStore(source, 'slow')))]).toEqual([])
})

test('users: times by their number, and what failed', async () => {
  source.faults.add({ operation: 'GetObject', status: 403, code: 'AccessDenied', nth: 3 })
  const how = ['--users', '1,4', '--mix', 'put,get', '--requests', '6', '--size', '10kB', '--yes', '--json']
  const { status, stdout } = await probe('s3://bkt', ...how)
  const { users } = eventsOf({ stdout }).at(-1)
  expect(status).toBe(0)
  expect(users.map(({ users, op, errors, times }) => [users, op, errors, times.count])).toEqual([
    [1, 'put', 0, 6],
    [1, 'get', 1, 5],
    [4, 'put', 0, 6],
    [4, 'get', 0, 6],
  ])
  expect(await keys()).toEqual([])
})

test('from functions: calls, and what they move', async () => {
  const platform = await startDeployed()
  const run = { env: { ...env, APIHOST: platform.apihost, AUTH: platform.auth } }
  // Of functions the smallest part that is measured has 10 MB.
  const MORE = [...QUICK, '--max-bytes', '128M']
  const { status, stdout } = await runXfer(['probe', 's3://bkt', ...MORE, '--from', 'functions', '--json'], run)
  const { from, places, recommended } = eventsOf({ stdout }).at(-1)
  expect([status, from]).toEqual([0, platform.apihost])
  const [{ calls, gets, puts }] = places
  expect([calls.firstMs > 0, calls.warmMs > 0]).toEqual([true, true])
  for (const { steps } of [...gets, ...puts]) expect(steps[0].bytesPerSecond).toBeGreaterThan(0)
  expect(recommended.chunkBytes).toBeGreaterThan(0)
  expect(await keys()).toEqual([])
})

const withLocks = SERVERS.find(({ name }) => name === 'versitygw')
const testLocks = withLocks ? test : test.skip
testLocks('a bucket with a default retention is refused', async () => {
  const server = await keep(withLocks.start())
  const { S3Client, CreateBucketCommand, PutObjectLockConfigurationCommand } = require('@aws-sdk/client-s3')
  const { accessKeyId, secretAccessKey, endpoint, region } = server
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: 'locked', ObjectLockEnabledForBucket: true }))
  const Rule = { DefaultRetention: { Mode: 'GOVERNANCE', Days: 1 } }
  const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule }
  await client.send(new PutObjectLockConfigurationCommand({ Bucket: 'locked', ObjectLockConfiguration }))
  client.destroy()
  const { status, stderr } = await runXfer(['probe', 's3://locked', '--yes'], { env: copyEnv(server, server) })
  expect([status, stderr]).toEqual([2, expect.stringMatching(/keeps every new object \(GOVERNANCE, 1 days\)/)])
  expect(await keysOf(openStore(server, 'locked'))).toEqual([])
})

test('what a killed one has left is deleted by --clean, and nothing else', async () => {
  await put(openStore(source, 'bkt'), 'kept', Buffer.from('mine'))
  const { child, ended } = await startUntilWrites(20)
  child.kill('SIGKILL')
  await ended
  expect((await keys()).length).toBeGreaterThan(10)
  const { status, stdout } = await probe('s3://bkt', '--clean')
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Deleted \d+ objects? of earlier probes\./)])
  expect(await keys()).toEqual(['kept'])
})

test('Ctrl-C leaves nothing', async () => {
  const { child, ended } = await startUntilWrites(20)
  child.kill('SIGINT')
  expect([(await ended).status, await keys()]).toEqual([130, []])
})

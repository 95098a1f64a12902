'use strict'

/** `xfer doctor --deep`: what it finds of servers that do it otherwise, what it leaves, and what copies make of it. */

const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { counted } = require('../support/requests')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, keysOf, put, uploadsOf } = require('../support/s3')
const { SERVERS } = require('../support/servers')

let config
beforeEach(() => {
  config = newFolder()
})

/** The questions that do not hold, by their names, and the row. */
async function examine(server, ...flags) {
  const env = { ...copyEnv(server, server), XDG_CONFIG_HOME: config }
  const run = await runXfer(['doctor', '--deep', 's3://bucket/below', '--json', ...flags], { env })
  const checks = eventsOf(run).filter(({ type }) => type === 'check')
  return {
    ...{ status: run.status, checks, row: checks.find(({ row }) => row)?.row },
    odd: checks.filter(({ holds }) => holds === false).map(({ name }) => name),
    unknown: checks.filter(({ holds }) => holds === null).map(({ name }) => name),
  }
}

/** @param {object} [options] */
const startWithBucket = options => startStore({ buckets: ['bucket'], ...options })

const file = () => join(config, 'xfer', 'servers.json')

const heldBy = async server => {
  const store = openStore(server, 'bucket')
  return [await keysOf(store), await uploadsOf(store)]
}

test('a server like Amazon S3: all holds, nothing is left, and the row is kept until it is forgotten', async () => {
  const server = await startWithBucket()
  await put(openStore(server, 'bucket'), 'below/mine', bytesOf(10))
  const found = await examine(server)
  expect(found).toMatchObject({ status: 0, odd: [], unknown: [], row: { sums: 'checked', keepsMetadata: true } })
  expect(await heldBy(server)).toEqual([['below/mine'], []])
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ [server.endpoint]: { facts: found.row } })
  const env = { ...copyEnv(server, server), XDG_CONFIG_HOME: config }
  expect((await runXfer(['doctor', '--forget', 's3://bucket'], { env })).stdout).toMatch(/is forgotten/)
  expect(existsSync(file())).toBe(false)
  for (const args of [[], ['s3://bucket', 's3://bucket']])
    expect((await runXfer(['doctor', '--deep', ...args], { env })).stderr).toMatch(/--deep applies to one location/)
})

test.each([
  ['checksums', ['checksum of a PUT', 'checksum behind a PUT'], 'sums', undefined],
  ['conditions', ['condition of a PUT', 'condition of an upload'], 'conditions', 'ignored'],
])('a server that ignores %s', async (ignored, odd, name, value) => {
  const server = await startWithBucket({ serverName: '', [ignored]: false })
  const found = await examine(server)
  expect(found).toMatchObject({ status: 0, odd: expect.arrayContaining(odd) })
  expect([found.row[name], await heldBy(server)]).toEqual([value, [[], []]])
})

test.each([
  ['no such bucket', 3, [], {}],
  ['no right to write', 4, ['bucket'], { secretAccessKey: 'wrong' }],
])('%s says nothing of the server: no row is kept, and nothing is left', async (_, status, buckets, credentials) => {
  const found = await examine({ ...(await startStore({ buckets })), ...credentials })
  const bad = found.checks.filter(({ ok }) => ok === false).map(({ name }) => name)
  expect([found.status, bad, found.row]).toEqual([status, ['a small object'], undefined])
  expect(existsSync(file())).toBe(false)
})

for (const { name, start } of SERVERS.filter(({ name }) => name !== 'sandbox')) {
  test(`${name}: answers, and nothing is left`, async () => {
    const server = await keep(start())
    await createBuckets(server, 'bucket')
    const found = await examine(server)
    expect([found.status, found.checks.length]).toEqual([0, 20])
    const { detail } = found.checks.find(check => check.name === 'keys')
    const pattern = found.row.keys?.pattern ?? ''
    expect(/ \.\.\/ \(/.test(detail)).toBe(pattern.includes('\\.\\.'))
    expect(await heldBy(server)).toEqual([[], []])
  })
}

test('a copy to a server that nothing is known of reads everything back; once it was asked, nothing', async () => {
  const server = await startWithBucket({ serverName: 'Homemade/1', md5Etags: false })
  const source = await startWithBucket()
  for (let i = 0; i < 20; i++) await put(openStore(source, 'bucket'), `o${i}`, bytesOf(2000))
  const env = { ...copyEnv(source, server), XDG_CONFIG_HOME: config }
  const copy = async to => {
    const args = ['copy', '-r', 's3://bucket/', `s3://bucket/${to}/`, '--engine', 'local', '--json']
    const { result, asked } = await counted(server, () => runXfer(args, { env }))
    return { ...result, reads: asked.GetObject ?? 0 }
  }
  const before = await copy('before')
  expect(before).toMatchObject({ status: 0, stdout: expect.stringMatching(/READ_BACK_NEEDED.*xfer doctor --deep/) })
  expect(before.reads).toBeGreaterThanOrEqual(20)
  await examine(server)
  expect(await copy('after')).toMatchObject({ status: 0, reads: 0 })
})

'use strict'

/** `xfer doctor --deep`: what it finds of servers that do it otherwise, what it leaves, and what copies make of it. */

const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, keysOf, put, uploadsOf } = require('../support/s3')
const { SERVERS } = require('../support/servers')

jest.setTimeout(120_000)

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

async function withStore(options, use) {
  const server = await startStore(options)
  await createBuckets(server, 'bucket')
  return await use(server)
}

const file = () => join(config, 'xfer', 'servers.json')

test('a server like Amazon S3: all holds, nothing is left, and the row is kept until it is forgotten', async () => {
  await withStore({}, async server => {
    await put(openStore(server, 'bucket'), 'below/mine', bytesOf(10))
    const found = await examine(server)
    expect(found).toMatchObject({ status: 0, odd: [], unknown: [], row: { sums: 'checked', keepsMetadata: true } })
    expect(await keysOf(openStore(server, 'bucket'))).toEqual(['below/mine'])
    expect(await uploadsOf(openStore(server, 'bucket'))).toEqual([])
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ [server.endpoint]: { facts: found.row } })
    const env = { ...copyEnv(server, server), XDG_CONFIG_HOME: config }
    expect((await runXfer(['doctor', '--forget', 's3://bucket'], { env })).stdout).toMatch(/is forgotten/)
    expect(existsSync(file())).toBe(false)
    for (const args of [['--deep'], ['--deep', 's3://bucket', 's3://bucket']]) {
      expect((await runXfer(['doctor', ...args], { env })).stderr).toMatch(/--deep applies to one location/)
    }
  })
})

test.each([
  [
    'checks no checksum',
    { serverName: '', checksums: false },
    ['checksum of a PUT', 'checksum behind a PUT'],
    { sums: undefined },
  ],
  [
    'ignores conditions',
    { serverName: '', conditions: false },
    ['condition of a PUT', 'condition of an upload'],
    { conditions: 'ignored' },
  ],
])('a server that %s', async (_, options, odd, row) => {
  await withStore(options, async server => {
    const found = await examine(server)
    expect(found.status).toBe(0)
    expect(found.odd).toEqual(expect.arrayContaining(odd))
    for (const [name, value] of Object.entries(row)) expect(found.row[name]).toEqual(value)
    expect(await keysOf(openStore(server, 'bucket'))).toEqual([])
  })
})

test.each([
  ['no such bucket', 3, {}],
  ['no right to write', 4, { secretAccessKey: 'wrong' }],
])('%s says nothing of the server: no row is kept, and nothing is left', async (_, status, credentials) => {
  const server = await startStore({})
  if (status === 4) await createBuckets(server, 'bucket')
  const found = await examine({ ...server, ...credentials })
  const bad = found.checks.filter(({ ok }) => ok === false).map(({ name }) => name)
  expect([found.status, bad, found.row]).toEqual([status, ['a small object'], undefined])
  expect(existsSync(file())).toBe(false)
})

const others = SERVERS.filter(({ name }) => name !== 'sandbox')
for (const { name, start } of others) {
  test(`${name}: answers, and nothing is left`, async () => {
    const server = await keep(start())
    await createBuckets(server, 'bucket')
    const found = await examine(server)
    expect([found.status, found.checks.length]).toEqual([0, 20])
    const { detail } = found.checks.find(check => check.name === 'keys')
    const pattern = found.row.keys?.pattern ?? ''
    expect(/ \.\.\/ \(/.test(detail)).toBe(pattern.includes('\\.\\.'))
    expect(await keysOf(openStore(server, 'bucket'))).toEqual([])
    expect(await uploadsOf(openStore(server, 'bucket'))).toEqual([])
  })
}

test('a copy to a server that nothing is known of reads everything back; once it was asked, nothing', async () => {
  const asked = server =>
    withStore({}, async source => {
      await createBuckets(source, 'source')
      for (let i = 0; i < 20; i++) await put(openStore(source, 'source'), `o${i}`, bytesOf(2000))
      const env = { ...copyEnv(source, server), XDG_CONFIG_HOME: config }
      let reads = 0
      server.on('request', ({ operation }) => {
        if (operation === 'GetObject') reads++
      })
      const copy = async to => {
        reads = 0
        const args = ['copy', '-r', 's3://source/', `s3://bucket/${to}/`, '--engine', 'local', '--json']
        return { run: await runXfer(args, { env }), reads }
      }
      const before = await copy('before')
      expect([before.run.status, before.reads >= 20]).toEqual([0, true])
      expect(before.run.stdout).toMatch(/READ_BACK_NEEDED.*xfer doctor --deep/)
      await examine(server)
      const after = await copy('after')
      expect([after.run.status, after.reads]).toEqual([0, 0])
    })
  await withStore({ serverName: 'Homemade/1', md5Etags: false }, asked)
})

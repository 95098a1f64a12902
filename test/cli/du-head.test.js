'use strict'

/** `xfer du` and `xfer head`, with the real program: what they print, and their status. */

const { startStore } = require('../../sandbox/store')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { bytesOf, openStore, put } = require('../support/s3')

let server
let env
let etag
let modified
beforeAll(async () => {
  server = await startStore({ buckets: ['things'] })
  env = sideEnv('SOURCE', server)
  const store = openStore(server, 'things')
  const more = { headers: { 'content-type': 'text/plain' }, user: { team: 'a' }, tags: [['color', 'blue']] }
  etag = await put(store, 'a.txt', bytesOf(2048), { ...more, checksum: true })
  for (const [key, bytes] of [
    ['dir/one', 1500],
    ['dir/in/two', 3],
    ['other/three', 1],
  ])
    await put(store, key, bytesOf(bytes))
  modified = new Date((await store.head('a.txt')).lastModifiedMs).toISOString().replace('.000Z', 'Z')
  store.close()
})
afterAll(() => server?.close())

const xfer = (...args) => runXfer(args, { env })

describe('xfer du', () => {
  it('prints bytes, objects and prefix, and the total last', async () => {
    expect(await xfer('du', 's3://things')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: [
        '           1503          2 dir/',
        '              1          1 other/',
        '           3552          4 s3://things/',
        '',
      ].join('\n'),
    })
    expect((await xfer('du', '-s', 's3://things', '--human')).stdout).toBe('       3.47 KiB          4 s3://things/\n')
  })

  it('prints JSON, the total last', async () => {
    expect(eventsOf(await xfer('du', '--json', 's3://things/dir/'))).toEqual([
      { type: 'prefix', location: 's3://things/dir/in/', key: 'dir/in/', name: 'in/', bytes: 3, objects: 1 },
      { type: 'done', location: 's3://things/dir/', bytes: 1503, objects: 2, time: expect.any(String) },
    ])
  })

  it('ends with 3 where nothing is', async () => {
    const { status, stdout, stderr } = await xfer('du', 's3://things/none')
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toContain('There is nothing')
  })
})

describe('xfer head', () => {
  it('prints what is told of an object', async () => {
    const { status, stdout } = await xfer('head', 's3://things/a.txt')
    expect(status).toBe(0)
    expect(stdout.split('\n')).toEqual([
      's3://things/a.txt',
      '  size             2,048 bytes (2.00 KiB)',
      `  last modified    ${modified}`,
      `  ETag             ${etag}`,
      expect.stringMatching(/^ {2}CRC-32 {11}[\w+/]{6}==$/),
      '  content-type     text/plain',
      '  metadata         team: a',
      '  tag              color: blue',
      '',
    ])
  })

  it('prints JSON on one line', async () => {
    const [info, ...rest] = eventsOf(await xfer('head', '--json', 's3://things/a.txt'))
    expect(rest).toEqual([])
    expect(info).toMatchObject({ location: 's3://things/a.txt', bytes: 2048, etag, tags: { color: 'blue' } })
  })

  it('ends with 3 for what is not there, and names ls for a prefix', async () => {
    expect(await xfer('head', 's3://things/dir')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('Perhaps you mean what is below it: xfer ls lists that.'),
    })
  })
})

'use strict'

/** `xfer ls`, with the real program: what it prints, its status, and readers that go away. */

const { once } = require('node:events')
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { eventsOf, runXfer, sideEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, openStore, put } = require('../support/s3')

let server
let env
let modifiedMs
beforeAll(async () => {
  server = await startStore({ buckets: ['things', 'empty'] })
  env = { TZ: 'UTC', ...sideEnv('SOURCE', server) }
  const store = openStore(server, 'things')
  for (const [key, bytes] of [
    ['a.txt', 5],
    ['dir/one', 2048],
    ['dir/in/two', 3],
    ['bell\u0007', 0],
  ])
    await put(store, key, bytesOf(bytes))
  modifiedMs = (await store.head('a.txt')).lastModifiedMs
  store.close()
})
afterAll(() => server?.close())

/** Without the times, which are all alike in form. */
const timeless = text => text.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm, 'TIME')
const ls = (...args) => runXfer(['ls', ...args], { env })

describe('xfer ls', () => {
  it('prints one level: times, sizes, names, and PRE for what lies deeper', async () => {
    const { status, stdout, stderr } = await ls('s3://things')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.slice(0, 19)).toBe(new Date(modifiedMs).toISOString().slice(0, 19).replace('T', ' '))
    expect(timeless(stdout)).toBe(
      ['TIME          5 a.txt', 'TIME          0 bell\\u0007', '                           PRE dir/', ''].join('\n'),
    )
  })

  it('prints all below with -r, with whole keys, and sizes with units if asked', async () => {
    const { stdout } = await ls('-r', 's3://things/dir/', '--human')
    expect(timeless(stdout)).toBe('TIME        3 B dir/in/two\nTIME   2.00 KiB dir/one\n')
  })

  it('prints files by their names below the folder, however that is typed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xfer-ls-'))
    mkdirSync(join(folder, 'in'))
    writeFileSync(join(folder, 'in', 'two'), 'two')
    for (const place of [folder, `${folder}/`, `file://${folder}`]) {
      expect(timeless((await ls('-r', place)).stdout)).toBe('TIME          3 in/two\n')
    }
    rmSync(folder, { recursive: true })
  })

  it('prints JSON, one entry a line, and at the end how many there were', async () => {
    const events = eventsOf(await ls('--json', 's3://things/dir/'))
    expect(events).toEqual([
      { type: 'prefix', location: 's3://things/dir/in/', key: 'dir/in/', name: 'in/' },
      {
        type: 'object',
        location: 's3://things/dir/one',
        key: 'dir/one',
        name: 'one',
        bytes: 2048,
        etag: expect.stringMatching(/^"[\da-f]{32}"$/),
        lastModifiedMs: expect.any(Number),
      },
      { type: 'done', objects: 1, prefixes: 1, containers: 0, bytes: 2048, time: expect.any(String) },
    ])
  })

  it('ends with 3 where nothing is, and says that wildcards are not expanded; an empty bucket is no error', async () => {
    const nothing = await ls('s3://things/none')
    expect(nothing).toMatchObject({ status: 3, stdout: '' })
    expect(nothing.stderr).toContain('There is nothing whose location begins with s3://things/none.')
    const wild = await ls('s3://things/*.txt')
    expect(wild).toMatchObject({ status: 3, stdout: '' })
    expect(wild.stderr).toContain('Wildcards are not expanded')
    expect(await ls('s3://empty')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(await ls('s3://missing')).toMatchObject({ status: 3, stdout: '' })
  })

  it('lists buckets where none is named', async () => {
    const { stdout } = await ls('s3://')
    expect(timeless(stdout)).toBe('TIME empty\nTIME things\n')
  })

  it('reports what it cannot reach on standard error', async () => {
    const refused = await runXfer(['ls', 's3://things'], {
      env: { ...env, XFER_SOURCE_SECRET_ACCESS_KEY: 'wrong' },
    })
    expect(refused).toMatchObject({ status: 4, stdout: '', stderr: expect.stringContaining('xfer: ') })
  })
})

describe('a list without an end', () => {
  let endless
  let pages = 0
  beforeAll(async () => {
    endless = http.createServer((_, response) => {
      const page = String(pages++).padStart(9, '0')
      const contents = Array.from(
        { length: 1000 },
        (_, i) =>
          `<Contents><Key>${page}/${String(i).padStart(4, '0')}</Key><Size>1</Size><ETag>"e"</ETag><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`,
      )
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          `<ListBucketResult><Name>bucket</Name><IsTruncated>true</IsTruncated><NextContinuationToken>${page}</NextContinuationToken>${contents.join('')}</ListBucketResult>`,
        )
    })
    await once(endless.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => endless?.close())

  it('is read page by page, no faster than its reader, and ends with 0 when that goes away', async () => {
    const endpoint = `http://127.0.0.1:${endless.address().port}`
    const { child, ended } = startXfer(['ls', '-r', 's3://bucket'], {
      env: sideEnv('SOURCE', { endpoint, accessKeyId: 'a', secretAccessKey: 'b', region: 'us-east-1' }),
    })
    child.stdout.removeAllListeners('data')
    await once(child.stdout, 'readable')
    child.stdout.destroy()
    const { status, stderr } = await ended
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    // What a pipe holds, and what was asked for ahead.
    expect(pages).toBeLessThan(20)
  })
})

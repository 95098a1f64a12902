'use strict'

/** What is read of a destination comes from the disk, not from the cache of the kernel; where it may not, a notice says so. */

const { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, verify } = require('../../../..')
const { openStore, parsePlace } = require('../../../../lib/stores')
const { startHttpsHost } = require('../../../support/https-host')

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-read-back-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** ext4, XFS. */
const DISKS = [0xef53, 0x58465342]
const onDisk = process.platform === 'linux' && DISKS.includes(statfsSync(tmpdir()).type) ? test : test.skip
const options = codes => ({
  engine: 'local',
  env: { XDG_STATE_HOME: folder },
  onEvent: ({ type, code }) => type === 'notice' && codes.push(code),
})

test('a destination is asked for what the disk has, a source is not', async () => {
  writeFileSync(join(folder, 'a'), 'a')
  const headersOf = async side => {
    const store = openStore(parsePlace(`${folder}/`, side), { side, keep: {} })
    const key = `${folder.slice(1)}/a`
    return (await store.read({ key, etag: (await store.head(key)).etag })).request.headers
  }
  expect(await headersOf('destination')).toMatchObject({ 'x-cache': 'bypass' })
  expect(await headersOf('source')).not.toHaveProperty('x-cache')
})

/** A file with a size, on a file system that refuses O_DIRECT. */
const CACHED = '/sys/kernel/notes'
const withCached = existsSync(CACHED) ? test : test.skip

withCached('a file system without reads past the cache is told', async () => {
  const codes = []
  const same = join(folder, 'same')
  copyFileSync(CACHED, same)
  await verify(same, CACHED, { ...options(codes), read: true })
  expect(codes).toContain('READ_FROM_CACHE')
})

withCached('so it is of a file that is compared with a source that can be read only once', async () => {
  const host = await startHttpsHost()
  try {
    const codes = []
    const url = host.put('/same', { body: readFileSync(CACHED), ranges: false, chunked: true })
    await verify(url, CACHED, { ...options(codes), read: true })
    expect(codes).toContain('READ_FROM_CACHE')
  } finally {
    await host.close()
  }
})

onDisk.each([
  ['in one piece', '8MiB', 1],
  ['in parts', '5MiB', 11],
])('--verify full reads a copy %s back from the disk', async (_, chunk, mebibytes) => {
  const bytes = Buffer.alloc(mebibytes * 1024 * 1024 + 1, 'abcdefg')
  writeFileSync(join(folder, 'from'), bytes)
  const codes = []
  const { proof } = await copy(join(folder, 'from'), join(folder, 'to'), { ...options(codes), verify: 'full', chunk })
  expect(proof).toContain('read-back')
  expect(codes).not.toContain('READ_FROM_CACHE')
})

'use strict'

const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { createLocalEngine } = require('../../../../../lib/engines/local/engine')
const { fileEtag } = require('../../../../../lib/files')
const { closeStores, httpStore, rangeSource, someBytes } = require('../../../../action/stores')
const { get, put, RULE, sumOf, taskOf } = require('./tasks')

const engine = createLocalEngine({ threads: 1 })
const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'xfer-write-')))
afterEach(closeStores)
afterAll(async () => {
  await engine.close()
  fs.rmSync(folder, { recursive: true })
})

const MiB = 1024 * 1024
const BYTES = someBytes(5 * MiB + 1)
const urlOf = name => pathToFileURL(join(folder, name)).href
const etagOf = path => fileEtag(fs.statSync(path, { bigint: true }))
const read = name => fs.readFileSync(join(folder, name), 'utf8')

/** Writes this content to a file. */
async function write(name, content, more) {
  const source = await rangeSource(Buffer.from(content))
  const bytes = Buffer.byteLength(content)
  const [outcome] = await engine.run([taskOf(bytes, get(`${source.url}/b/k`), put(urlOf(name), bytes, more))])
  return outcome
}

/** Waits until the file of a failed write is gone, which nobody waits for. */
async function emptied(path = folder) {
  while (fs.readdirSync(path).some(name => name.endsWith('.partial'))) await new Promise(setImmediate)
}

test.each([0, 1, 4096, BYTES.length])('a file of %i bytes is written, and no other is left', async size => {
  const root = fs.mkdtempSync(join(folder, 'size-'))
  const source = await rangeSource(BYTES.subarray(0, size))
  const path = join(root, 'new')
  const [outcome] = await engine.run([taskOf(size, get(`${source.url}/b/k`), put(pathToFileURL(path).href, size))])
  expect(outcome).toMatchObject({ etag: etagOf(path), sums: { crc32: sumOf(BYTES.subarray(0, size)) } })
  expect(fs.readFileSync(path).equals(BYTES.subarray(0, size))).toBe(true)
  expect(fs.readdirSync(root)).toEqual(['new'])
})

test('a file is replaced by another one, never half', async () => {
  fs.writeFileSync(join(folder, 'old'), 'old')
  const { ino } = fs.statSync(join(folder, 'old'))
  await write('old', 'new')
  expect(read('old')).toBe('new')
  expect(fs.statSync(join(folder, 'old')).ino).not.toBe(ino)
})

test('a link is replaced, and its aim is left', async () => {
  fs.writeFileSync(join(folder, 'aim'), 'aim')
  fs.symlinkSync('aim', join(folder, 'link'))
  await write('link', 'new')
  expect([read('aim'), read('link')]).toEqual(['aim', 'new'])
  expect(fs.lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(false)
})

test('the file gets the time that the request names', async () => {
  await write('described', 'x', { headers: { 'x-mtime': '1234567890.5' } })
  expect(fs.statSync(join(folder, 'described')).mtimeMs).toBe(1234567890500)
})

test.each([
  ['its own', '5.25', '5.25'],
  ['none', undefined, '7'],
  ['what are no seconds', 'yesterday', '7'],
])('a file gets the time of a header of the answer to the read: %s', async (_, noted, mtime) => {
  const { url } = await httpStore((_, response) => {
    response.writeHead(200, { etag: '"e"', 'content-length': 1, ...(noted && { 'x-noted': noted }) }).end('x')
  })
  const headers = { 'x-mtime-from': 'x-noted', 'x-mtime': '7' }
  const accepts = { ...RULE, tells: ['x-mtime'] }
  const task = taskOf(1, get(`${url}/b/k`), put(urlOf('noted'), 1, { headers, accepts }), { tell: true })
  const [outcome] = await engine.run([task])
  expect(outcome).toMatchObject({ etag: etagOf(join(folder, 'noted')), headers: { write: { 'x-mtime': mtime } } })
  expect(fs.statSync(join(folder, 'noted')).mtimeMs).toBe(Number(mtime) * 1000)
})

describe('a condition', () => {
  const conditional = (name, headers) => write(name, 'new', { headers })

  test('that nothing is there', async () => {
    expect(await conditional('none', { 'if-none-match': '*' })).toMatchObject({ bytes: 3 })
    const outcome = await conditional('none', { 'if-none-match': '*' })
    expect(outcome).toMatchObject({ error: { side: 'write', status: 412, storeCode: 'EXISTS' } })
    await emptied()
  })
  test('that this very version is there', async () => {
    fs.writeFileSync(join(folder, 'version'), 'old')
    const etag = etagOf(join(folder, 'version'))
    expect(await conditional('version', { 'if-match': etag })).toMatchObject({ bytes: 3 })
    const outcome = await conditional('version', { 'if-match': etag })
    expect(outcome).toMatchObject({ error: { side: 'write', status: 412, storeCode: 'CHANGED' } })
    expect(await conditional('nothing', { 'if-match': etag })).toMatchObject({ error: { storeCode: 'CHANGED' } })
    await emptied()
  })
  test('of two writers that both find nothing one succeeds', async () => {
    const how = { headers: { 'if-none-match': '*' } }
    const outcomes = await Promise.all([write('race', 'one', how), write('race', 'two', how)])
    expect(outcomes.map(({ error }) => error?.storeCode).sort()).toEqual(['EXISTS', undefined])
  })
})

describe('below a root', () => {
  const root = join(folder, 'root')
  const into = (name, content = 'in') => write(`root/${name}`, content, { root })

  test('missing folders are made, the root too', async () => {
    expect(await into('a/b/c')).toMatchObject({ bytes: 2 })
    expect(read('root/a/b/c')).toBe('in')
  })
  test('a folder that was removed a moment ago is made again', async () => {
    await into('gone/x')
    fs.rmSync(join(root, 'gone'), { recursive: true })
    expect(await into('gone/x')).toMatchObject({ bytes: 2 })
    expect(read('root/gone/x')).toBe('in')
  })
  test('nothing is written through a link that was there', async () => {
    fs.mkdirSync(join(folder, 'outside'))
    fs.symlinkSync('../outside', join(root, 'planted'))
    expect(await into('planted/x')).toMatchObject({ error: { side: 'write', status: 403, storeCode: 'LINK' } })
    expect(await into('planted/y/x')).toMatchObject({ error: { storeCode: 'LINK' } })
    expect(await write('beside', 'x', { root })).toMatchObject({ error: { storeCode: 'OUTSIDE' } })
    expect(fs.readdirSync(join(folder, 'outside'))).toEqual([])
  })
  test('nothing is written through a link that is planted while the body comes', async () => {
    fs.mkdirSync(join(root, 'victim'))
    fs.mkdirSync(join(folder, 'trap'))
    const source = await httpStore((_, response) => {
      response.writeHead(200, { etag: '"e"', 'content-length': 4 })
      response.write('12')
      // The folder is open, and the partial file is in it, when the first bytes are there.
      const plant = () => {
        if (fs.readdirSync(join(root, 'victim')).length === 0) return setImmediate(plant)
        fs.renameSync(join(root, 'victim'), join(root, 'moved'))
        fs.symlinkSync('../trap', join(root, 'victim'))
        response.end('34')
      }
      plant()
    })
    const request = put(urlOf('root/victim/x'), 4, { root })
    const [outcome] = await engine.run([taskOf(4, get(`${source.url}/b/k`), request)])
    expect(outcome).toMatchObject({ bytes: 4 })
    expect(fs.readdirSync(join(folder, 'trap'))).toEqual([])
    expect(read('root/moved/x')).toBe('1234')
  })
})

test('without a root a missing folder is refused', async () => {
  expect(await write('missing/x', 'x')).toMatchObject({ error: { side: 'write', status: 404, storeCode: 'ENOENT' } })
})

test('what cannot be replaced by a file is refused, and nothing is left', async () => {
  fs.mkdirSync(join(folder, 'taken/x'), { recursive: true })
  expect(await write('taken', 'x')).toMatchObject({ error: { side: 'write', status: 409 } })
  const long = 'n'.repeat(256)
  expect(await write(long, 'x')).toMatchObject({ error: { status: 400, storeCode: 'ENAMETOOLONG' } })
  expect(await write('bad', 'x', { headers: { 'x-mtime': 'today' } })).toMatchObject({ error: { status: 400 } })
  await emptied()
})

describe('a source that breaks off leaves nothing:', () => {
  test.each([
    ['it closes its connection', response => response.destroy()],
    ['it has another checksum', response => response.end('34')],
  ])('%s', async (_, go) => {
    const source = await httpStore((_, response) => {
      response.writeHead(200, { etag: '"e"', 'content-length': 4 })
      response.write('12', () => go(response))
    })
    fs.writeFileSync(join(folder, 'broken'), 'old')
    const task = taskOf(4, get(`${source.url}/b/k`), put(urlOf('broken'), 4))
    const [outcome] = await engine.run([{ ...task, expect: { ...task.expect, sums: { crc32: '00000000' } } }])
    expect(outcome.error).toBeDefined()
    await emptied()
    expect(read('broken')).toBe('old')
  })
  test('the copy is cancelled', async () => {
    const controller = new AbortController()
    const source = await httpStore((_, response) => {
      response.writeHead(200, { etag: '"e"', 'content-length': 4 })
      response.write('12')
      controller.abort()
    })
    const task = taskOf(4, get(`${source.url}/b/k`), put(urlOf('cancelled'), 4))
    await expect(engine.run([task], { signal: controller.signal })).rejects.toThrow()
    await emptied()
    expect(fs.existsSync(join(folder, 'cancelled'))).toBe(false)
  })
})

/** A file system of 1 MiB. @returns {string | undefined} its folder, if this user may mount one */
function smallDisk() {
  const path = fs.mkdtempSync(join(folder, 'disk-'))
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status === 0 ? path : undefined
}

test('a full disk is answered with 507, and is as full as before', async () => {
  const disk = smallDisk()
  // Only root may mount one. The full device shows the same (write-part.test.js).
  if (!disk) return expect(process.getuid?.()).not.toBe(0)
  try {
    const source = await rangeSource(BYTES)
    const url = pathToFileURL(join(disk, 'large')).href
    const [outcome] = await engine.run([taskOf(BYTES.length, get(`${source.url}/b/k`), put(url, BYTES.length))])
    expect(outcome).toMatchObject({ error: { side: 'write', status: 507, storeCode: 'ENOSPC' } })
    await emptied(disk)
    expect(fs.readdirSync(disk)).toEqual([])
  } finally {
    // The folder may be open for another second.
    execFileSync('umount', ['--lazy', disk])
  }
})

const onShell = process.platform === 'win32' ? test.skip : test
onShell('a file that may not be so large is answered with 413', () => {
  const script = join(__dirname, 'fixtures/write-5-mib.js')
  const path = join(folder, 'limited')
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 1024; exec "$@"', '-', process.execPath, script, path],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ side: 'write', status: 413, storeCode: 'EFBIG' })
  expect(fs.existsSync(path)).toBe(false)
  expect(fs.existsSync(dirname(path))).toBe(true)
})

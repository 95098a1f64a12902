'use strict'

const fs = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { newFolder } = require('../../../../support/opened')
const { httpStore, rangeSource, someBytes } = require('../../../../action/stores')
const { engine, etagOf, get, getRange, put, run, sumOf, taskOf } = require('./tasks')

const folder = fs.realpathSync(newFolder())
const MiB = 1024 * 1024
const BYTES = someBytes(5 * MiB + 1)
const urlOf = name => pathToFileURL(join(folder, name)).href
const read = name => fs.readFileSync(join(folder, name), 'utf8')

/** Writes this content to a file. */
async function write(name, content, more) {
  const source = await rangeSource(Buffer.from(content))
  const bytes = Buffer.byteLength(content)
  return await run(taskOf(bytes, get(`${source.url}/b/k`), put(urlOf(name), bytes, more)))
}

/** Waits until the file of a failed write is gone, which nobody waits for. */
async function emptied() {
  while (fs.readdirSync(folder).some(name => name.endsWith('.partial'))) await new Promise(setImmediate)
}

test.each([0, BYTES.length])('a file of %i bytes is written, and no other is left', async size => {
  const root = fs.mkdtempSync(join(folder, 'size-'))
  const source = await rangeSource(BYTES.subarray(0, size))
  const path = join(root, 'new')
  const outcome = await run(taskOf(size, get(`${source.url}/b/k`), put(pathToFileURL(path).href, size)))
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

const conditional = (name, headers) => write(name, 'new', { headers })

test('a write has a condition: that this very version is there', async () => {
  fs.writeFileSync(join(folder, 'version'), 'old')
  const etag = etagOf(join(folder, 'version'))
  expect(await conditional('version', { 'if-match': etag })).toMatchObject({ bytes: 3 })
  const outcome = await conditional('version', { 'if-match': etag })
  expect(outcome).toMatchObject({ error: { side: 'write', status: 412, storeCode: 'CHANGED' } })
  expect(await conditional('nothing', { 'if-match': etag })).toMatchObject({ error: { storeCode: 'CHANGED' } })
  await emptied()
})
test('of two writers with a condition that both find nothing one succeeds', async () => {
  const how = { headers: { 'if-none-match': '*' } }
  const outcomes = await Promise.all([write('race', 'one', how), write('race', 'two', how)])
  expect(outcomes.map(({ error }) => error?.storeCode).sort()).toEqual(['EXISTS', undefined])
  await emptied()
})

describe('below a root', () => {
  const root = join(folder, 'root')
  const into = (name, content = 'in') => write(`root/${name}`, content, { root })
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
    // The folder is open, and the partial file is in it, when the first bytes are there.
    const source = await halfSource(function plant(response) {
      if (fs.readdirSync(join(root, 'victim')).length === 0) return setImmediate(plant, response)
      fs.renameSync(join(root, 'victim'), join(root, 'moved'))
      fs.symlinkSync('../trap', join(root, 'victim'))
      response.end('34')
    })
    const request = put(urlOf('root/victim/x'), 4, { root })
    const outcome = await run(taskOf(4, get(`${source.url}/b/k`), request))
    expect(outcome).toMatchObject({ bytes: 4 })
    expect(fs.readdirSync(join(folder, 'trap'))).toEqual([])
    expect(read('root/moved/x')).toBe('1234')
  })
})

test('what cannot be replaced by a file is refused, and nothing is left', async () => {
  fs.mkdirSync(join(folder, 'taken/x'), { recursive: true })
  expect(await write('taken', 'x')).toMatchObject({ error: { side: 'write', status: 409 } })
  expect(await write('n'.repeat(256), 'x')).toMatchObject({ error: { status: 400, storeCode: 'ENAMETOOLONG' } })
  expect(await write('bad', 'x', { headers: { 'x-mtime': 'today' } })).toMatchObject({ error: { status: 400 } })
  await emptied()
})

/** A source whose answer has begun, and goes on as it is told. @param {(response: any) => void} goOn */
const halfSource = goOn =>
  httpStore((_, response) => {
    response.writeHead(200, { etag: '"e"', 'content-length': 4 })
    response.write('12', () => goOn(response))
  })

test('a source that breaks off leaves nothing: it has another checksum', async () => {
  const source = await halfSource(response => response.end('34'))
  fs.writeFileSync(join(folder, 'broken'), 'old')
  const task = taskOf(4, get(`${source.url}/b/k`), put(urlOf('broken'), 4))
  const { error } = await run({ ...task, expect: { ...task.expect, sums: { crc32: '00000000' } } })
  expect(error).toBeDefined()
  await emptied()
  expect(read('broken')).toBe('old')
})
test('a source that breaks off leaves nothing: the copy is cancelled', async () => {
  const controller = new AbortController()
  const source = await halfSource(() => controller.abort())
  const task = taskOf(4, get(`${source.url}/b/k`), put(urlOf('cancelled'), 4))
  await expect(engine.run([task], { signal: controller.signal })).rejects.toThrow()
  await emptied()
  expect(fs.existsSync(join(folder, 'cancelled'))).toBe(false)
})

describe('a part', () => {
  const BYTES = someBytes(9 * MiB + 5)

  /** The outcomes of parts between these offsets. */
  async function writeParts(source, name, offsets, more) {
    const tasks = offsets.slice(0, -1).map((start, i) => {
      const bytes = offsets[i + 1] - start
      const read = getRange(`${source.url}/b/k`, start, bytes)
      const headers = { 'content-range': `bytes ${start}-${start + bytes - 1}/${BYTES.length}` }
      const write = put(urlOf(name), bytes, { headers, ...more })
      return taskOf(bytes, read, write, { total: BYTES.length, partNumber: i + 1 })
    })
    return engine.run(tasks, { parallel: tasks.length })
  }

  test('parts are written in place, at once, from a store', async () => {
    const path = join(folder, 'parts')
    fs.writeFileSync(path, Buffer.alloc(BYTES.length))
    const { ino } = fs.statSync(path)
    const source = await rangeSource(BYTES)
    expect(await writeParts(source, 'parts', [0, 4 * MiB, 8 * MiB + 1, BYTES.length])).toMatchObject([
      { etag: `"0-${4 * MiB - 1}"`, sums: { crc32: sumOf(BYTES.subarray(0, 4 * MiB)) } },
      { etag: `"${4 * MiB}-${8 * MiB}"` },
      { etag: `"${8 * MiB + 1}-${BYTES.length - 1}"` },
    ])
    expect(fs.readFileSync(path).equals(BYTES)).toBe(true)
    expect(fs.statSync(path).ino).toBe(ino)
  })

  test('what a part must not be written into is refused, and its source is not read on', async () => {
    const source = await rangeSource(BYTES)
    fs.writeFileSync(join(folder, 'small'), Buffer.alloc(10))
    fs.symlinkSync('small', join(folder, 'small-link'))
    const root = join(folder, 'other-root')
    fs.mkdirSync(root)
    fs.symlinkSync('..', join(root, 'up'))
    for (const [name, more, status, storeCode] of [
      ['absent', {}, 404, 'ENOENT'],
      ['small-link', {}, 403, 'LINK'],
      ['other-root', {}, 409, 'EISDIR'],
      ['other-root/up/small', { root }, 403, 'LINK'],
      ['small', { root }, 403, 'OUTSIDE'],
    ]) {
      const [{ error }] = await writeParts(source, name, [0, BYTES.length], more)
      expect(error).toMatchObject({ side: 'write', status, storeCode })
    }
  })
})

'use strict'

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { newFolder } = require('../../../../support/opened')
const { httpStore, rangeSource, someBytes } = require('../../../../action/stores')
const { engine, etagOf, get, getRange, put, run, sumOf, taskOf } = require('./tasks')
const { piecesOf } = require('../../../../../lib/engines/local/transports/file')
const { openHandle } = require('../../../../../lib/engines/local/transports/file-handle')
const { createWriter } = require('../../../../../lib/engines/local/transports/file-write')

const folder = fs.realpathSync(newFolder())
const onLinux = process.platform === 'linux' ? test : test.skip
const MiB = 1024 * 1024
const BYTES = someBytes(5 * MiB + 1)

/** @param {string} name @param {Uint8Array} bytes @returns {{ path: string, url: string }} the file */
function makeFile(name, bytes) {
  const path = join(folder, name)
  fs.writeFileSync(path, bytes)
  return { path, url: pathToFileURL(path).href }
}
/** Whether this process has a file open. @param {string} path */
const isOpen = path =>
  fs.readdirSync('/proc/self/fd').some(fd => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false // Closed since it was listed.
    }
  })

/** Reads into memory. */
async function readWith(request, bytes, how) {
  const held = new SharedArrayBuffer(bytes)
  const outcome = await run(taskOf(bytes, request, put('memory:1', bytes, { held }), how))
  return { outcome, bytes: Buffer.from(held) }
}

test.each([0, MiB, BYTES.length])('a file of %i bytes is read', async size => {
  const { path, url } = makeFile('whole', BYTES.subarray(0, size))
  const { outcome, bytes } = await readWith(get(url), size, { etag: etagOf(path) })
  expect(outcome).toMatchObject({ bytes: size, sums: { crc32: sumOf(BYTES.subarray(0, size)) } })
  expect(bytes.equals(BYTES.subarray(0, size))).toBe(true)
})

onLinux('a file that has bytes beyond its size is refused', async () => {
  const { outcome } = await readWith(get(pathToFileURL('/proc/self/status').href), 0)
  expect(outcome.error).toMatchObject({ side: 'read', status: 403, storeCode: 'SIZE' })
})

const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])
const pipeUrl = pathToFileURL(pipe).href
const { url } = makeFile('short', Buffer.from('x'))
const other = { headers: { 'if-match': '"1-2-3"' } }
test.each([
  ['a named pipe, which nobody waits for', get(pipeUrl), 1, {}, { status: 403, storeCode: 'NOT_A_FILE' }],
  ['another version, by the header', get(url, other), 1, {}, { code: 'SOURCE_CHANGED' }],
  ['another version, by what the task expects', get(url), 1, { etag: '"1-2-3"' }, { code: 'SOURCE_CHANGED' }],
  ['a range that ends behind the file', getRange(url, 0, 5), 5, {}, { status: 416, storeCode: 'RANGE' }],
])('a read is refused, with the code of the reason: %s', async (_, request, size, how, error) => {
  expect((await readWith(request, size, how)).outcome).toMatchObject({ error })
})

test('a link is followed only if the request says so', async () => {
  const { url } = makeFile('aim', Buffer.from('aim'))
  const link = join(folder, 'link')
  const linkUrl = pathToFileURL(link).href
  fs.symlinkSync('aim', link)
  expect((await readWith(get(linkUrl), 3)).outcome).toMatchObject({ error: { status: 403, storeCode: 'LINK' } })
  for (const request of [get(url), get(linkUrl, { headers: { 'x-links': 'follow' } })]) {
    expect((await readWith(request, 3)).bytes.toString()).toBe('aim')
  }
})

describe('below a root', () => {
  const root = join(folder, 'root')
  const below = name => pathToFileURL(join(root, name)).href
  fs.mkdirSync(join(root, 'a/b'), { recursive: true })
  fs.writeFileSync(join(root, 'a/b/file'), 'in')
  fs.mkdirSync(join(folder, 'outside'))
  fs.writeFileSync(join(folder, 'outside/file'), 'no')
  fs.symlinkSync('../outside', join(root, 'planted'))
  fs.symlinkSync('root', join(folder, 'root-link'))

  test('a file is read, also where the root is a link', async () => {
    expect((await readWith(get(below('a/b/file'), { root }), 2)).bytes.toString()).toBe('in')
    const linked = join(folder, 'root-link')
    const url = pathToFileURL(join(linked, 'a/b/file')).href
    expect((await readWith(get(url, { root: linked }), 2)).bytes.toString()).toBe('in')
  })
  test.each([
    ['through a link', 'planted/file', 'LINK'],
    ['beside the root', '../outside/file', 'OUTSIDE'],
    ['through a file', 'a/b/file/file', 'ENOTDIR'],
  ])('nothing is read %s', async (_, name, storeCode) => {
    const { outcome } = await readWith(get(below(name), { root }), 2)
    expect(outcome).toMatchObject({ error: { side: 'read', storeCode } })
  })
  test('a folder that became a link is not followed, though it was open a moment ago', async () => {
    await readWith(get(below('a/b/file'), { root }), 2)
    fs.renameSync(join(root, 'a'), join(root, 'was-a'))
    fs.symlinkSync('../outside', join(root, 'a'))
    fs.mkdirSync(join(folder, 'outside/b'))
    fs.writeFileSync(join(folder, 'outside/b/file'), 'no')
    const { bytes } = await readWith(get(below('a/b/file'), { root }), 2)
    expect(bytes.toString()).not.toBe('no')
  })
})

const total = 32 * MiB
const content = Buffer.alloc(total, 'before ')
function rewrite(path) {
  const { atime, mtime } = fs.statSync(path)
  fs.writeFileSync(path, Buffer.alloc(total, 'after '))
  fs.utimesSync(path, atime, mtime)
}
const replace = path => fs.renameSync(makeFile('other', content).path, path)

test.each([
  ['grows', path => fs.appendFileSync(path, 'x')],
  ['shrinks', path => fs.truncateSync(path, 5 * MiB)],
  ['is rewritten, and gets its time back', rewrite],
  ['is replaced', replace],
])('a file that changes while it is read and %s never makes a complete part', async (name, change) => {
  const { path, url } = makeFile(name, content)
  let whole = false
  // More than sockets and slabs hold is still to be read when the head of the write is there.
  const sink = await httpStore((request, response) => {
    change(path)
    request.on('end', () => {
      whole = true
      response.end()
    })
    request.resume()
  })
  const outcome = await run(taskOf(total, get(url), put(`${sink.url}/b/k`, total)))
  expect(outcome).toMatchObject({ error: { code: 'SOURCE_CHANGED', side: 'read' } })
  expect(whole).toBe(false)
})

onLinux('a file is closed when its read is over, however it ended', async () => {
  const { path, url } = makeFile('closed', Buffer.alloc(32 * MiB))
  const controller = new AbortController()
  let seen = false
  const sink = await httpStore(() => {
    seen = isOpen(path)
    controller.abort()
  })
  const task = taskOf(32 * MiB, get(url), put(`${sink.url}/b/k`, 32 * MiB))
  await expect(engine.run([task], { signal: controller.signal })).rejects.toThrow()
  expect(seen).toBe(true)
  while (isOpen(path)) await new Promise(resolve => setImmediate(resolve))
})

describe('a file system that does less', () => {
  const BYTES = someBytes(5000)

  /** The file behind a file system that moves at most 7 bytes a call. @param {string} flags */
  async function shortHandle(path, flags) {
    const handle = await openHandle(path, flags)
    return {
      ...handle,
      read: (memory, offset, bytes, at) => handle.read(memory, offset, Math.min(7, bytes), at),
      write: ([first], at) => handle.write([first.subarray(0, 7)], at),
    }
  }

  test('a file system that reads less than it was asked for is asked again', async () => {
    const path = join(folder, 'read')
    fs.writeFileSync(path, BYTES)
    const handle = await shortHandle(path, 'r')
    const pieces = []
    const on = { check: async () => {}, shrunk: () => new Error('shrunk') }
    for await (const { bytes } of piecesOf(handle, { start: 10, end: 5000 }, on)) pieces.push(Buffer.from(bytes))
    expect(Buffer.concat(pieces).equals(BYTES.subarray(10))).toBe(true)
  })

  test('a file system that writes less than it was given is given the rest', async () => {
    const path = join(folder, 'write')
    const handle = await shortHandle(path, 'w')
    const failed = jest.fn()
    const writer = createWriter(handle, 0, { drain() {}, failed })
    for (let at = 0; at < 5000; at += 10) writer.write(BYTES.subarray(at, at + 10))
    expect(await writer.end()).toBe(5000)
    expect(failed).not.toHaveBeenCalled()
    handle.close()
    expect(fs.readFileSync(path).equals(BYTES)).toBe(true)
  })

  test('a write of nothing is an error, not a loop', async () => {
    const handle = await openHandle(join(folder, 'nothing'), 'w')
    const stuck = { ...handle, write: (_pieces, at) => handle.write([], at) }
    const error = await new Promise(failed => createWriter(stuck, 0, { drain() {}, failed }).write(BYTES))
    handle.close()
    expect(error).toMatchObject({ code: 'EIO' })
  })

  onLinux('a file is closed only after the call that hangs in it', async () => {
    const path = join(folder, 'hung')
    execFileSync('mkfifo', [path])
    const handle = await openHandle(path, 'r+')
    // A pipe has no places to read at.
    const read = handle.read(Buffer.alloc(5), 0, 5, null)
    for (let i = 0; i < 2; i++) handle.close()
    expect(isOpen(path)).toBe(true)
    fs.writeFileSync(path, 'late')
    expect(await read).toBe(4)
    while (isOpen(path)) await new Promise(setImmediate)
  })
})

describe('a file is written', () => {
  const folder = fs.realpathSync(newFolder())
  const urlOf = name => pathToFileURL(join(folder, name)).href
  const textOf = name => fs.readFileSync(join(folder, name), 'utf8')

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
    expect(textOf('old')).toBe('new')
    expect(fs.statSync(join(folder, 'old')).ino).not.toBe(ino)
  })

  test('a link is replaced, and its aim is left', async () => {
    fs.writeFileSync(join(folder, 'aim'), 'aim')
    fs.symlinkSync('aim', join(folder, 'link'))
    await write('link', 'new')
    expect([textOf('aim'), textOf('link')]).toEqual(['aim', 'new'])
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
      expect(textOf('root/gone/x')).toBe('in')
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
      expect(await run(taskOf(4, get(`${source.url}/b/k`), request))).toMatchObject({ bytes: 4 })
      expect(fs.readdirSync(join(folder, 'trap'))).toEqual([])
      expect(textOf('root/moved/x')).toBe('1234')
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
    expect(textOf('broken')).toBe('old')
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
})

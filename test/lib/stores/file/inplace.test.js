'use strict'

/** `--inplace`: the target itself is written, and nothing beside it. */

const { execFileSync } = require('node:child_process')
const {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} = require('node:fs')
const { createServer } = require('node:net')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, copyPrefix, move, upload } = require('../../../..')
const { bytesOf } = require('../../../support/stores')

const MiB = 1024 ** 2
let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'xfer-inplace-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const path = name => join(root, name)
/** Codes of the notices so far are in `codes`. */
function inPlace(more = {}) {
  const codes = []
  const onEvent = ({ type, code, noticeCodes = [] }) => codes.push(...noticeCodes, ...(type === 'notice' ? [code] : []))
  const env = { XDG_STATE_HOME: path('state') }
  return { codes, options: { engine: 'local', env, onEvent, destination: { inplace: true }, chunk: '5MiB', ...more } }
}
function fill(name, bytes) {
  writeFileSync(path(name), bytes)
  return path(name)
}

describe.each([
  ['in one piece', 1000],
  ['in parts', 11 * MiB + 1],
])('a copy %s', (_, size) => {
  test.each([0, 100, size, 2 * size])('replaces what a file of %d bytes has, and keeps the file', async before => {
    const from = fill('from', bytesOf(size))
    utimesSync(from, 1_000_000_000, 1_000_000_000.25)
    mkdirSync(path('to'))
    const to = fill('to/file', Buffer.alloc(before, 'x'))
    linkSync(to, path('second-name'))
    const { options, codes } = inPlace()
    expect((await copy(from, to, options)).proof).toContain('written')
    expect(readFileSync(path('second-name')).equals(bytesOf(size))).toBe(true)
    expect(readdirSync(path('to'))).toEqual(['file'])
    expect(statSync(to).mtimeMs).toBe(1_000_000_000_250)
    expect(codes.filter(code => /PLACE|HALF/.test(code))).toEqual(['WRITES_IN_PLACE'])
  })

  test('makes a file that is not there', async () => {
    const { options } = inPlace()
    await copy(fill('from', bytesOf(size)), path('new/file'), options)
    expect(readFileSync(path('new/file')).equals(bytesOf(size))).toBe(true)
    expect(readdirSync(path('new'))).toEqual(['file'])
  })

  test('is read back with --verify full', async () => {
    const { options } = inPlace({ verify: 'full' })
    expect((await copy(fill('from', bytesOf(size)), path('to'), options)).proof).toContain('read-back')
  })

  test('of a file onto another name of itself leaves it what it is', async () => {
    const from = fill('from', bytesOf(size))
    linkSync(from, path('to'))
    const { options } = inPlace()
    // Its time changes while it is read.
    await copy(from, path('to'), options).catch(error => expect(error.code).toBe('SOURCE_CHANGED'))
    expect(readFileSync(from).equals(bytesOf(size))).toBe(true)
  })

  test('follows no link, and takes neither a folder nor a pipe for a file', async () => {
    const from = fill('from', bytesOf(size))
    const { options } = inPlace()
    symlinkSync(fill('led-to', 'before'), path('link'))
    mkdirSync(path('folder'))
    execFileSync('mkfifo', [path('pipe')])
    await expect(copy(from, path('link'), options)).rejects.toMatchObject({ code: 'FILE_LINK' })
    await expect(copy(from, path('folder'), { ...options, exactKey: true })).rejects.toThrow()
    await expect(copy(from, path('pipe'), options)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    expect(readFileSync(path('led-to'), 'utf8')).toBe('before')
  })
})

test('a prefix is written in place too', async () => {
  mkdirSync(path('from'))
  fill('from/a', 'one')
  fill('from/b', bytesOf(6 * MiB))
  mkdirSync(path('to'))
  linkSync(fill('to/a', 'before'), path('second-name'))
  const { options, codes } = inPlace()
  expect((await copyPrefix(path('from/'), path('to/'), options)).objects).toMatchObject({ copied: 2, failed: 0 })
  expect(readFileSync(path('second-name'), 'utf8')).toBe('one')
  expect(readdirSync(path('to'))).toEqual(['a', 'b'])
  expect(codes).toContain('WRITES_IN_PLACE')
})

test.each([
  ['in one piece', 1000],
  ['in parts', 11 * MiB + 1],
])('a move %s writes in place, keeps permissions, and then deletes its source', async (_, size) => {
  const from = fill('from', bytesOf(size))
  chmodSync(from, 0o640)
  const to = fill('to', 'before')
  linkSync(to, path('second-name'))
  const { options } = inPlace({ preserveMode: true })
  await move(from, to, options)
  expect(readFileSync(path('second-name')).equals(bytesOf(size))).toBe(true)
  expect(statSync(to).mode & 0o777).toBe(0o640)
  expect(existsSync(from)).toBe(false)
})

test('a move of a file onto another name of itself deletes nothing', async () => {
  const from = fill('from', bytesOf(1000))
  linkSync(from, path('to'))
  const { options } = inPlace()
  await move(from, path('to'), options).catch(error => expect(error).toMatchObject({ code: expect.any(String) }))
  expect(readFileSync(path('to')).equals(bytesOf(1000))).toBe(true)
})

test('a stream is written in place too', async () => {
  linkSync(fill('to', 'before'), path('second-name'))
  const { options, codes } = inPlace()
  const { chunk: _, ...rest } = options
  await upload(require('node:stream').Readable.from([bytesOf(1000)]), path('to'), rest)
  expect(readFileSync(path('second-name')).equals(bytesOf(1000))).toBe(true)
  expect(codes).toContain('WRITES_IN_PLACE')
})

test.each([
  ['clobber', { clobber: false }],
  ['ifMatch', { ifMatch: '"1"' }],
])('it goes not with %s, and nothing is touched', async (_, more) => {
  const to = fill('to', 'before')
  const { options } = inPlace(more)
  await expect(copy(fill('from', 'after'), to, options)).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 })
  expect(readFileSync(to, 'utf8')).toBe('before')
})

test('a sync by sizes alone is refused, and nothing is touched', async () => {
  mkdirSync(path('from'))
  fill('from/a', 'after')
  mkdirSync(path('to'))
  fill('to/a', 'before')
  const { options } = inPlace({ recursive: 'sync', sizeOnly: true })
  const sync = copyPrefix(path('from/'), path('to/'), options)
  await expect(sync).rejects.toMatchObject({
    code: 'USAGE',
    exitCode: 2,
    message: expect.stringMatching(/sizeOnly/),
  })
  expect(readFileSync(path('to/a'), 'utf8')).toBe('before')
})

test('a copy that fails says that it leaves the target half written', async () => {
  const from = fill('from', bytesOf(31 * MiB))
  const to = fill('to', 'before')
  const { options, codes } = inPlace()
  const { onEvent } = options
  // The source is another one from the first part on.
  const changing = event => {
    onEvent(event)
    if (event.type === 'part') writeFileSync(from, 'another')
  }
  const failed = copy(from, to, { ...options, concurrency: 1, partsPerInvocation: 1, onEvent: changing })
  await expect(failed).rejects.toMatchObject({ code: 'SOURCE_CHANGED' })
  expect(codes.filter(code => /PLACE|HALF/.test(code))).toEqual(['WRITES_IN_PLACE', 'LEFT_HALF_WRITTEN'])
  expect(statSync(to).size).toBe(31 * MiB)
})

test('another file that takes the name during a copy is not written', async () => {
  const to = fill('to', 'before')
  const other = fill('other', 'somebody else')
  const { options } = inPlace({ concurrency: 1, partsPerInvocation: 1, retries: 0 })
  const { onEvent } = options
  const replacing = event => {
    onEvent(event)
    if (event.type === 'part' && existsSync(other)) renameSync(other, to)
  }
  const failed = copy(fill('from', bytesOf(31 * MiB)), to, { ...options, onEvent: replacing })
  await expect(failed).rejects.toMatchObject({ code: 'UPLOAD_GONE' })
  expect(readFileSync(to, 'utf8')).toBe('somebody else')
})

test.each([
  [
    'a socket',
    path =>
      new Promise(resolve =>
        createServer().listen(path, function () {
          resolve(this)
        }),
      ),
  ],
  ['a named pipe', async path => void execFileSync('mkfifo', [path])],
])('%s in place of the target of an unfinished copy is an error, in place and beside', async (_, make) => {
  const from = fill('from', bytesOf(31 * MiB))
  for (const inplace of [true, false]) {
    const to = path(`to-${inplace}`)
    const { options } = inPlace({ concurrency: 1, partsPerInvocation: 1, destination: { inplace }, exactKey: true })
    const { onEvent } = options
    const controller = new AbortController()
    const cancelling = event => {
      onEvent(event)
      if (event.type === 'part') controller.abort()
    }
    const first = copy(from, to, { ...options, signal: controller.signal, onEvent: cancelling })
    await expect(first).rejects.toMatchObject({ code: 'INTERRUPTED' })
    rmSync(to, { force: true })
    const made = await make(to)
    const second = copy(from, to, options)
    await expect(second).rejects.toMatchObject({
      code: 'NOT_A_FILE',
      exitCode: 1,
      message: expect.stringContaining(to),
    })
    made?.close()
  }
})

test('a link like /dev/stdout is not replaced', async () => {
  const to = path('stdout')
  symlinkSync('/proc/self/fd/1', to)
  const env = { XDG_STATE_HOME: path('state') }
  const failed = copy(fill('from', bytesOf(11 * MiB)), to, { engine: 'local', env, chunk: '5MiB' })
  await expect(failed).rejects.toMatchObject({
    code: 'NOT_A_FILE',
    message: expect.stringContaining('standard output is -'),
  })
  expect(readlinkSync(to)).toBe('/proc/self/fd/1')
})

test('a pipe in place of the target of a small file is not replaced', async () => {
  const from = fill('from', bytesOf(1000))
  execFileSync('mkfifo', [path('pipe')])
  for (const inplace of [true, false]) {
    const { options } = inPlace({ destination: { inplace } })
    await expect(copy(from, path('pipe'), options)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  }
  expect(statSync(path('pipe')).isFIFO()).toBe(true)
})

test('a copy that fails before it writes says nothing of the kind', async () => {
  const { options, codes } = inPlace()
  await expect(copy(path('none'), path('to'), options)).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  expect(codes).not.toContain('LEFT_HALF_WRITTEN')
})

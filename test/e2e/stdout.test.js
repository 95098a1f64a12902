'use strict'

/** Objects on standard output: by the real program, through real pipes, into real files. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { bareEnv, sideEnv, XFER } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put, sha256 } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(20 * MiB + 3)
const SMALL = bytesOf(1000, 'small')

let server
let folder
let env
beforeAll(async () => {
  server = await startStore()
  folder = mkdtempSync(join(tmpdir(), 'xfer-stdout-'))
  await createBuckets(server, 'things')
  const things = openStore(server, 'things')
  await put(things, 'large', LARGE, { checksum: true })
  await put(things, 'small', SMALL, { checksum: true })
  await put(things, 'empty', Buffer.alloc(0), { checksum: true })
  things.close()
  env = { ...bareEnv, ...sideEnv('SOURCE', server) }
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
})

/** @param {string[]} args @param {number | 'pipe'} [out] what standard output is */
function start(args, out = 'pipe') {
  const child = spawn(process.execPath, [XFER, ...args], { env, stdio: ['ignore', out, 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = once(child, 'close').then(([status]) => ({ status, stderr }))
  return { child, ended }
}

/** Reads all of its standard output. */
async function run(args) {
  const { child, ended } = start(args)
  const pieces = []
  for await (const piece of child.stdout) pieces.push(piece)
  return { ...(await ended), bytes: Buffer.concat(pieces) }
}

describe('the bytes', () => {
  it('are all that xfer cat prints, of one object after the other', async () => {
    const { status, stderr, bytes } = await run(['cat', 's3://things/large', 's3://things/empty', 's3://things/small'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(sha256(bytes)).toBe(sha256(Buffer.concat([LARGE, SMALL])))
  })

  it('are appended to a file behind what it has', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'before ')
    const file = openSync(path, 'a')
    const { status } = await start(['cat', 's3://things/small', 's3://things/small'], file).ended
    closeSync(file)
    expect(status).toBe(0)
    expect(readFileSync(path).equals(Buffer.concat([Buffer.from('before '), SMALL, SMALL]))).toBe(true)
  })
})

describe('a reader', () => {
  it.each([['after its first bytes'], ['before the first byte']])(
    'that stops %s ends it quietly, with status 0',
    async when => {
      const { child, ended } = start(['cat', 's3://things/large', 's3://things/small'])
      if (when.startsWith('after')) await once(child.stdout, 'readable')
      child.stdout.destroy()
      expect(await ended).toEqual({ status: 0, stderr: '' })
    },
  )

  it('that does not read is no reason not to stop at Ctrl-C', async () => {
    const { child, ended } = start(['cat', 's3://things/large'])
    // Then the pipe is full, and more is there than it takes.
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    const { status, stderr } = await ended
    expect(status).toBe(130)
    expect(stderr).toContain('xfer: The download was interrupted.')
  })
})

describe('a failure', () => {
  const onFull = existsSync('/dev/full') ? it : it.skip
  onFull('to write is said once, with status 1', async () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = await start(['cat', 's3://things/small', 's3://things/small'], full).ended
    closeSync(full)
    expect(status).toBe(1)
    expect(stderr.match(/cannot be written/g)).toHaveLength(1)
    expect(stderr).toContain('xfer: Standard output cannot be written (ENOSPC: the disk is full).')
  })

  it('of the proof is status 8, and the last range is not written', async () => {
    server.faults.add({ operation: 'GetObject', nth: 1, flipByteAt: 5 })
    const { status, bytes, stderr } = await run(['cat', 's3://things/large', 's3://things/small'])
    expect({ status, bytes: bytes.length }).toEqual({ status: 8, bytes: 16 * MiB })
    expect(stderr).toContain('Discard what was written')
  })

  it('of an object ends it before the next', async () => {
    const { status, bytes } = await run(['cat', 's3://things/small', 's3://things/none', 's3://things/small'])
    expect({ status, bytes: bytes.length }).toEqual({ status: 3, bytes: SMALL.length })
  })
})

'use strict'

/** Standard input that Node.js would take for empty, and standard output that nobody reads: with real processes and pipes. */

const { once } = require('node:events')
const { closeSync, existsSync, openSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { openStore, startStore } = require('../support/opened')
const { jobFiles, newStateHome } = require('../support/journals')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, put, sha256, uploadsOf } = require('../support/s3')

const LARGE = bytesOf(20 * 1024 ** 2 + 3)
const SMALL = bytesOf(1000, 'small')

let store
let env
beforeAll(async () => {
  const server = await startStore({ buckets: ['things'] })
  store = openStore(server, 'things')
  await put(store, 'large', LARGE, { checksum: true })
  await put(store, 'small', SMALL, { checksum: true })
  env = { ...bareEnv, ...copyEnv(server, server), XDG_STATE_HOME: newStateHome() }
})

describe('standard input of which Node.js would read nothing', () => {
  afterEach(async () => {
    expect(sha256(await get(store, 'small'))).toBe(sha256(SMALL))
    expect([await uploadsOf(store, 'small'), jobFiles(env.XDG_STATE_HOME)]).toEqual([[], []])
  })

  it.each([
    ['a folder', tmpdir()],
    // Of a process that lives: there are no bytes at 0.
    ['a descriptor whose read fails', '/proc/self/mem'],
  ])('fails, and writes nothing, if it is %s', async (_, path) => {
    const input = openSync(path)
    const run = await startXfer(['copy', '-', 's3://things/small', '--json'], { env, input }).ended
    closeSync(input)
    expect([run.status, eventsOf(run).at(-1)]).toMatchObject([1, { code: 'INPUT_FAILED', exitCode: 1 }])
  })

  it('is refused, and writes nothing, if it is closed', async () => {
    const run = await runShell(`"${process.execPath}" "${XFER}" copy - s3://things/small <&-`, { env })
    expect(run).toMatchObject({ status: 2, output: expect.stringContaining('Standard input is closed') })
  })
})

describe('standard output', () => {
  /** Nobody reads it yet. @param {string[]} keys */
  function start(...keys) {
    const { child, ended } = startXfer(['cat', ...keys.map(key => `s3://things/${key}`)], { env })
    child.stdout.removeAllListeners('data')
    return { child, ended }
  }

  const WHEN = ['after its first bytes', 'before the first byte']
  it.each(WHEN)('whose reader stops %s ends it quietly, with status 0', async when => {
    const { child, ended } = start('large', 'small')
    if (when.startsWith('after')) await once(child.stdout, 'readable')
    child.stdout.destroy()
    expect(await ended).toMatchObject({ status: 0, stderr: '' })
  })

  it('that nobody reads is no reason not to stop at Ctrl-C', async () => {
    const { child, ended } = start('large')
    // Then the pipe is full, and more is there than it takes.
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    const stderr = expect.stringContaining('xfer: The download was interrupted.')
    expect(await ended).toMatchObject({ status: 130, stderr })
  })

  const onFull = existsSync('/dev/full') ? it : it.skip
  onFull('that cannot be written is told of once, with status 1', async () => {
    const output = openSync('/dev/full', 'w')
    const { status, stderr } = await startXfer(['cat', 's3://things/small', 's3://things/small'], { env, output }).ended
    closeSync(output)
    expect([status, stderr.match(/cannot be written/g)]).toMatchObject([1, { length: 1 }])
    expect(stderr).toContain('xfer: Standard output cannot be written (ENOSPC: the disk is full).')
  })
})

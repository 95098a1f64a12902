'use strict'

/** Standard input and standard output, with real processes and pipes. */

const { once } = require('node:events')
const { closeSync, existsSync, openSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { openStore, startStore } = require('../support/opened')
const { eventOf } = require('../support/events')
const { jobFiles, newStateHome } = require('../support/journals')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, eventsOf, sideEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, get, put, sha256, uploadsOf } = require('../support/s3')

/** `xfer copy -` with real processes and pipes: what a producer, a signal and a terminal's absence make of it. */
describe('standard input', () => {
  const BODY = bytesOf(21 * 1024 ** 2)

  let server
  let store
  let env
  beforeAll(async () => {
    server = await startStore()
    await createBuckets(server, 'streams')
    store = openStore(server, 'streams')
    env = { ...bareEnv, ...sideEnv('DEST', server), XDG_STATE_HOME: newStateHome() }
  })
  afterEach(() => server.faults.clear())

  /** @param {string[]} flags @param {any} [input] a stream of a child, or a pipe */
  function start(flags, input = 'pipe') {
    const { child, ended } = startXfer(['copy', '-', 's3://streams/key', '--json', ...flags], { env, input })
    // Who is killed reads no more.
    child.stdin?.on('error', () => {})
    return { child, ended: ended.then(run => ({ status: run.status, last: eventsOf(run).at(-1) })) }
  }

  const left = async () => ({ uploads: await uploadsOf(store, 'key'), jobs: jobFiles(env.XDG_STATE_HOME) })

  describe('of what Node.js would read nothing', () => {
    const BEFORE = bytesOf(1000)
    beforeEach(() => put(store, 'key', BEFORE))
    afterAll(() => store.remove({ key: 'key' }))

    it.each([
      ['a folder', tmpdir()],
      // Of a process that lives: there are no bytes at 0.
      ['a descriptor whose read fails', '/proc/self/mem'],
    ])('fails, and writes nothing, if it is %s', async (_, path) => {
      const input = openSync(path)
      const ended = await start([], input).ended
      closeSync(input)
      expect(ended).toMatchObject({ status: 1, last: { code: 'INPUT_FAILED', exitCode: 1 } })
      expect(sha256(await get(store, 'key'))).toBe(sha256(BEFORE))
      expect(await left()).toEqual({ uploads: [], jobs: [] })
    })

    it('is refused, and writes nothing, if it is closed', async () => {
      const line = `"${process.execPath}" "${XFER}" copy - s3://streams/key <&-`
      const { status, output } = await runShell(line, { env })
      expect(output).toContain('Standard input is closed')
      expect(status).toBe(2)
      expect(sha256(await get(store, 'key'))).toBe(sha256(BEFORE))
    })
  })

  it('leaves nothing when it is interrupted, and lets its producer go', async () => {
    const { child, ended } = start(['--chunk', '5'])
    child.stdin.write(BODY)
    await eventOf(child.stdout, 'data', text => text.includes('{"type":"part"'))
    const gone = eventOf(child.stdin, 'close')
    child.kill('SIGINT')
    await gone
    expect(await ended).toMatchObject({ status: 130, last: { code: 'INTERRUPTED', exitCode: 130 } })
    expect(await store.head('key').catch(({ code }) => code)).toBe('NO_SUCH_KEY')
    expect(await left()).toEqual({ uploads: [], jobs: [] })
  })
})

/** Objects on standard output: by the real program, through real pipes, into real files. */
describe('standard output', () => {
  const MiB = 1024 ** 2
  const LARGE = bytesOf(20 * MiB + 3)
  const SMALL = bytesOf(1000, 'small')

  let server
  let env
  beforeAll(async () => {
    server = await startStore()
    await createBuckets(server, 'things')
    const things = openStore(server, 'things')
    await put(things, 'large', LARGE, { checksum: true })
    await put(things, 'small', SMALL, { checksum: true })
    env = { ...bareEnv, ...sideEnv('SOURCE', server) }
  })
  afterEach(() => server.faults.clear())

  /** Nobody reads it yet. @param {string[]} keys */
  function start(...keys) {
    const { child, ended } = startXfer(['cat', ...keys.map(key => `s3://things/${key}`)], { env })
    child.stdout.removeAllListeners('data')
    return { child, ended }
  }

  describe('a reader', () => {
    it.each([['after its first bytes'], ['before the first byte']])(
      'that stops %s ends it quietly, with status 0',
      async when => {
        const { child, ended } = start('large', 'small')
        if (when.startsWith('after')) await once(child.stdout, 'readable')
        child.stdout.destroy()
        expect(await ended).toMatchObject({ status: 0, stderr: '' })
      },
    )

    it('that does not read is no reason not to stop at Ctrl-C', async () => {
      const { child, ended } = start('large')
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
      const { status, stderr } = await startXfer(['cat', 's3://things/small', 's3://things/small'], {
        env,
        output: full,
      }).ended
      closeSync(full)
      expect(status).toBe(1)
      expect(stderr.match(/cannot be written/g)).toHaveLength(1)
      expect(stderr).toContain('xfer: Standard output cannot be written (ENOSPC: the disk is full).')
    })
  })
})

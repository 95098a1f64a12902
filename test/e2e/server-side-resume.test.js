'use strict'

/** Copies that a store makes by itself, ended early and gone on with: by the store, or by the engine where it refuses. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(26 * MiB)
const PARTS = 6

describe.each([
  ['with checksums', {}],
  ['without checksums', { serverName: '', checksums: false }],
])('a store %s', (_, options) => {
  let server
  let route
  let state
  beforeAll(async () => {
    server = await startStore(options)
    route = await openRoute({ source: server })
  })
  beforeEach(async () => {
    state = mkdtempSync(join(tmpdir(), 'xfer-test-server-'))
    await put(route.from, 'big', BODY)
  })
  afterEach(() => {
    server.faults.clear()
    rmSync(state, { recursive: true })
  })
  afterAll(async () => {
    route.close()
    await server.close()
  })

  /** @param {string[]} args */
  const start = (...args) => startXfer([...args, '--json'], { env: { ...route.env, XDG_STATE_HOME: state } })
  /** @param {string} key @param {string[]} flags */
  const copyTo = (key, ...flags) =>
    start(
      'copy',
      's3://source/big',
      `s3://target/${key}`,
      '--route',
      'auto',
      '--chunk',
      '5',
      '--engine',
      'local',
      ...flags,
    )
  /** @param {{ ended: Promise<any> }} started */
  const endOf = async ({ ended }) => expectEvents(await ended, { env: route.env })
  const journals = () => jobFiles(state).filter(name => name.endsWith('.journal'))

  /** Copies until three parts are there and the fourth is held back, and ends the program then. @param {string} key */
  async function copySome(key) {
    const held = server.faults.add({ operation: 'UploadPartCopy', partNumber: 4, delayMs: 60_000 })
    const begun = eventOf(server, 'begin', event => event.operation === 'UploadPartCopy' && event.partNumber === 4)
    const started = copyTo(key, '--concurrency', '1')
    await begun
    await journalHolds(state, 'part', 3)
    started.child.kill('SIGKILL')
    await started.ended
    held.remove()
    expect(journals()).toHaveLength(1)
  }

  /** Of a part that the journal had no time to note nothing is known, unless the store keeps its checksum. @param {number} bytes */
  function keptParts(bytes) {
    const parts = bytes / (5 * MiB)
    expect(options.checksums === false ? [0, 1, 2, 3] : [3]).toContain(parts)
    return parts
  }

  /** @param {string} key */
  async function expectCopied(key) {
    expect((await get(route.to, key)).equals(BODY)).toBe(true)
    expect(await uploadsOf(route.to, key)).toEqual([])
    expect(journals()).toEqual([])
  }

  it('goes on with the parts that it has', async () => {
    await copySome('goes on')
    const before = server.requests.UploadPartCopy
    const { status, last } = await endOf(start('resume'))
    expect({ status, engine: last.engine }).toEqual({ status: 0, engine: 'server' })
    expect(server.requests.UploadPartCopy - before).toBe(PARTS - keptParts(last.resumedBytes))
    await expectCopied('goes on')
  })

  it('is settled where the answer to its completion was lost', async () => {
    server.faults.add({ operation: 'CompleteMultipartUpload', first: 1, loseAnswer: true })
    const { status, last } = await endOf(copyTo('settled'))
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server' } })
    await expectCopied('settled')
  })

  it('goes on with a job of the engine', async () => {
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 403 })
    const failed = await endOf(copyTo('of the engine', '--route', 'engine', '--concurrency', '1'))
    expect(failed.status).toBe(4)
    server.faults.clear()
    const { status, last } = await endOf(start('resume', '--route', 'server'))
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', resumedBytes: 10 * MiB } })
    await expectCopied('of the engine')
  })
})

'use strict'

/** `--verify none`: nothing is computed, nothing is asked, and no more is claimed than what is left. */

const { mkdtempSync, readdirSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(6 * 5 * MiB)

describe.each([
  ['with checksums', {}, { auto: ['store-crc32'], again: ['store-crc32'] }],
  ['without', { serverName: '', checksums: false }, { auto: ['part-md5'], again: ['part-md5'] }],
])('a copy that is gone on with, at a store %s', (_, options, proofs) => {
  let server
  let route
  let state
  let written
  beforeAll(async () => {
    server = await startStore(options)
    route = await openRoute({ source: server })
    server.on('request', ({ operation, status, partNumber }) => {
      if (operation === 'UploadPart' && status === 200) written.push(partNumber)
    })
    await put(route.from, 'big', BODY)
  })
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'xfer-test-unproved-'))
    written = []
  })
  afterEach(() => {
    server.faults.clear()
    rmSync(state, { recursive: true })
  })
  afterAll(async () => {
    route.close()
    await server.close()
  })

  const copy = (key, how) =>
    startXfer(
      [
        'copy',
        's3://source/big',
        `s3://target/${key}`,
        '--chunk',
        '5',
        '--concurrency',
        '1',
        '--json',
        '--verify',
        how,
      ],
      { env: { ...route.env, XDG_STATE_HOME: state } },
    )

  /** Until the part is on its way, and killed then. @param {string} key @param {string} how @param {number} partNumber */
  async function copyUpTo(key, how, partNumber) {
    server.faults.add({ operation: 'UploadPart', partNumber, stall: 1 * MiB })
    const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === partNumber)
    const { child, ended } = copy(key, how)
    await held
    await journalHolds(state, 'part', partNumber - 1)
    child.kill('SIGKILL')
    await ended
    server.faults.clear()
  }

  /** @param {string} key @param {string} how */
  async function goOn(key, how) {
    const { last, events } = expectEvents(await copy(key, how).ended, { env: route.env })
    expect(last).toMatchObject({ type: 'done' })
    expect((await get(route.to, key)).equals(BODY)).toBe(true)
    expect(await uploadsOf(route.to, key)).toEqual([])
    expect(readdirSync(state)).toEqual([])
    const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
    return { last, notices, times: [1, 2, 3, 4, 5, 6].map(n => written.filter(each => each === n).length) }
  }

  test('without a proof, as it was begun, copies no part again', async () => {
    await copyUpTo('none-none', 'none', 4)
    const { last, notices, times } = await goOn('none-none', 'none')
    expect(last).toMatchObject({ resumedBytes: 15 * MiB, proof: ['size'] })
    expect(last).not.toHaveProperty('crc32')
    expect({ notices, times }).toEqual({ notices: [], times: [1, 1, 1, 1, 1, 1] })
  }, 60_000)

  test('with a proof starts again, and says so', async () => {
    await copyUpTo('none-auto', 'none', 4)
    const { last, notices, times } = await goOn('none-auto', 'auto')
    expect(last).toMatchObject({ resumedBytes: 0, proof: proofs.again })
    expect(notices).toEqual([expect.stringContaining('started with --verify none')])
    expect(times).toEqual([2, 2, 2, 1, 1, 1])
  }, 60_000)
})

'use strict'

/** What a job that ended early keeps: the condition that was given last, and no password. */

const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, resume } = require('../../lib')
const { openJournals } = require('../../lib/journal')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

describe('a job that ended early', () => {
  const BODY = bytesOf(11 * MiB)

  let server
  let route
  let state
  let env
  beforeAll(async () => {
    server = await startStore({ rememberCompletions: false })
    route = await openRoute({ source: server })
    await put(route.from, 'big', BODY)
  })
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'xfer-test-leftovers-'))
    env = { ...route.env, HOME: state, XDG_STATE_HOME: state }
  })
  afterEach(() => {
    server.faults.clear()
    rmSync(state, { recursive: true })
  })
  afterAll(async () => {
    route.close()
    await server.close()
  })

  const copyTo = (key, options = {}) =>
    copy('s3://source/big', `s3://target/${key}`, {
      engine: 'local',
      route: 'engine',
      chunk: '5MiB',
      env,
      ...options,
    })
  const failed = promise =>
    promise.then(
      () => {
        throw new Error('it was done')
      },
      error => error,
    )

  test('the condition that was given last holds when the job is resumed', async () => {
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 500 })
    const how = { retries: 0, concurrency: 1 }
    await failed(copyTo('last', how))
    const { facts, code } = await failed(copyTo('last', { ...how, clobber: false }))
    expect(code).toBe('STORE_ERROR')
    server.faults.clear()
    await put(route.to, 'last', Buffer.from('of somebody else'))
    expect(await failed(resume(facts.job, { env }))).toMatchObject({ code: 'DESTINATION_EXISTS' })
    expect((await get(route.to, 'last')).toString()).toBe('of somebody else')
  })

  test('a host with a password that is never asked is not written down', async () => {
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 500 })
    await failed(copyTo('host', { retries: 0, apihost: 'https://somebody:password@host' }))
    const [{ path }] = await openJournals({ env }).list()
    expect(readFileSync(path, 'utf8')).not.toContain('password')
  })
})

'use strict'

/** Uploads that only a kill, a lost answer or a late twin leaves: none is left untold. */

const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { abortJob, copy, resume } = require('../../lib')
const { openJournals } = require('../../lib/journal')
const { notice } = require('../../lib/notices')
const { identify } = require('../../lib/stores')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, play, put, sumsOf, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2

/**
 * Jobs in states that only a kill or a lost answer at the worst moment leaves, made by hand: whatever is done with them,
 * no upload is left untold, and what was promised of the destination holds.
 */
describe('after a kill', () => {
  const BODY = bytesOf(11 * MiB)
  const NO_METADATA = { headers: {}, user: {} }

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
    said = []
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

  const journals = () => openJournals({ env })
  const textOf = (bucket, key) => `s3://${bucket}/${key}`
  const endOf = (bucket, key) => ({
    text: textOf(bucket, key),
    place: identify({ scheme: 's3', container: bucket, key }, server).id,
  })
  const copyTo = (key, options = {}) =>
    copy(textOf('source', options.from ?? 'big'), textOf('target', key), {
      engine: 'local',
      route: 'engine',
      chunk: '5MiB',
      env,
      onEvent,
      ...options,
    })
  /** @type {string[]} */
  let said = []
  /** Notices of a run. @param {any} event */
  const onEvent = event => {
    if (event.type === 'notice') said.push(event.message)
  }
  const failed = promise =>
    promise.then(
      () => {
        throw new Error('it was done')
      },
      error => error,
    )

  /** A job whose run is over. @param {string} key @param {any[]} facts @param {object} [options] @returns {Promise<string>} its id */
  async function leaveJob(key, facts, options = {}) {
    const ends = { source: endOf('source', options.from ?? 'big'), destination: endOf('target', key) }
    const side = { endpointUrl: server.endpoint, region: server.region }
    const kept = { chunk: '5MiB', engine: 'local', route: 'engine', source: side, destination: side }
    const journal = await journals().create({ ...ends, options: kept })
    for (const fact of facts) await journal.write(fact)
    await journal.close()
    return journal.state.id
  }

  /** An upload with these parts of the source. @param {string} key @param {number[]} numbers */
  async function leaveUpload(key, numbers) {
    const { id } = await route.to.upload.create({ key, attributes: { metadata: NO_METADATA }, checksum: true })
    const parts = []
    for (const partNumber of numbers) {
      const body = BODY.subarray((partNumber - 1) * 5 * MiB, partNumber * 5 * MiB)
      const bytes = body.length
      const { headers } = await play(
        (await route.to.upload.part({ key, uploadId: id, partNumber, bytes, checksum: true })).request,
        body,
      )
      parts.push({ partNumber, bytes, etag: headers.etag, sums: sumsOf(body) })
    }
    return { id, parts }
  }

  async function begun(id) {
    const { etag, bytes } = await route.from.head('big')
    return [
      { type: 'object', bytes, etag },
      { type: 'plan', route: 'multipart', partBytes: 5 * MiB, parts: 3 },
      { type: 'creating', atMs: Date.now() },
      { type: 'upload', id, checksums: true },
    ]
  }

  const ids = async () => (await journals().list()).map(({ id }) => id)

  /** @param {string} key @param {number} [lost] uploads of which nothing tells whose they are; each of them was told */
  async function expectNothingLeft(key, lost = 0) {
    const left = (await uploadsOf(route.to, key)).map(({ id }) => id)
    expect(left).toHaveLength(lost)
    expect(said.filter(message => message.includes('was lost. It may be the upload')).toSorted()).toEqual(
      left.map(id => notice('LOST_UPLOAD', { location: textOf('target', key), uploadId: id }).message).toSorted(),
    )
    expect(await ids()).toEqual([])
  }

  test.each([
    ['resumed', job => resume(job, { env })],
    ['aborted', job => abortJob(job, { env })],
  ])('the upload that tried whether the store checks goes when the job is %s', async (how, end) => {
    const key = `tried-${how}`
    const own = await leaveUpload(key, [1])
    const tried = await leaveUpload(`${key}.xfer-canary`, [1])
    const left = { type: 'left', upload: tried.id, canary: true }
    await end(await leaveJob(key, [...(await begun(own.id)), left]))
    expect(await uploadsOf(route.to, `${key}.xfer-canary`)).toEqual([])
    await expectNothingLeft(key)
  })

  describe.each([
    ['resumed', job => resume(job, { env })],
    ['aborted', job => abortJob(job, { env })],
    ['begun anew', (_, key) => copyTo(key, { restart: true })],
  ])('the upload that was to try whether the store checks', (how, end) => {
    const key = `untried ${how}`

    test(`is found by its key when the job is ${how}, and no other is aborted`, async () => {
      const beside = await leaveUpload(`${key}.xfer-canary`, [1])
      await leaveUpload(`${key}.xfer-canary`, [])
      await end(await leaveJob(key, [{ type: 'left', upload: '', canary: true }]), key)
      expect((await uploadsOf(route.to, `${key}.xfer-canary`)).map(({ id }) => id)).toEqual([beside.id])
      await expectNothingLeft(key)
    })
  })

  describe('an upload whose creation was not answered', () => {
    /** @param {string} key @param {number} [agoMs] */
    async function lose(key, agoMs = 0, options = {}) {
      await leaveUpload(key, [])
      return await leaveJob(key, [{ type: 'creating', atMs: Date.now() - agoMs }], options)
    }

    test('is told by a run that needs no upload any more', async () => {
      await lose('put')
      await copyTo('put', { chunk: '100MiB' })
      await expectNothingLeft('put', 1)
    })

    test('is known still where it was to be aborted and cannot be', async () => {
      server.faults.add({ operation: 'CreateMultipartUpload', status: 500, afterWork: true })
      server.faults.add({ operation: 'ListMultipartUploads', status: 500 })
      expect(await failed(copyTo('abort', { retries: 0, onFailure: 'abort' }))).toMatchObject({ exitCode: 1 })
      server.faults.clear()
      expect(await uploadsOf(route.to, 'abort')).toHaveLength(1)
      expect(await ids()).toHaveLength(1)
      await resume(undefined, { env, onEvent })
      await expectNothingLeft('abort', 1)
    })
  })

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
    const [{ path }] = await journals().list()
    expect(readFileSync(path, 'utf8')).not.toContain('password')
  })
})

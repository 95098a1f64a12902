'use strict'

/** An object whose server sends no ranges: it is read once, in its order, by `cat` and `verify`. */

const { createHash } = require('node:crypto')
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { download, verify } = require('../../../../lib')
const { startStore } = require('../../../../sandbox/store')
const { cut, uploadParts } = require('../../../../sandbox/parts')
const { startHttpsHost } = require('../../../support/https-host')
const { bareEnv, sideEnv } = require('../../../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(9 * MiB + 7)
const OTHER = Buffer.from(BODY)
OTHER[5 * MiB] ^= 1
const hashOf = (name, body) => createHash(name).update(body).digest('base64')

let host
let store
let to
let folder
let env
beforeAll(async () => {
  ;[host, store] = await Promise.all([startHttpsHost(), startStore()])
  await createBuckets(store, 'target')
  to = openStore(store, 'target')
  folder = mkdtempSync(join(tmpdir(), 'xfer-whole-'))
  env = { ...bareEnv, XDG_STATE_HOME: folder, ...sideEnv('DEST', store) }
})
afterAll(async () => {
  to?.close()
  await Promise.all([host?.close(), store?.close()])
  rmSync(folder, { recursive: true, force: true })
})

const noticesOf = events => events.filter(({ type }) => type === 'notice').map(({ code }) => code)

describe('a download', () => {
  /** @param {string} path @param {object} page @param {object} [options] */
  async function read(path, page, options = {}) {
    const url = host.put(path, { body: BODY, ranges: false, ...page })
    const events = []
    const pieces = []
    let code
    try {
      const given = { env, ...options, onEvent: event => events.push(event) }
      for await (const piece of download(url, given)) pieces.push(piece)
    } catch (error) {
      code = error.code
    }
    return { bytes: Buffer.concat(pieces), code, events, last: events.at(-1) }
  }

  test.each([
    ['that tells its size', {}, { bytes: BODY.length, ranges: 1 }],
    ['that tells no size', { chunked: true }, { ranges: 1 }],
    ['of no byte', { body: Buffer.alloc(0), chunked: true }, { ranges: 1 }],
  ])('of an object %s has all bytes, and says that nothing continues it', async (name, page, plan) => {
    const { bytes, code, events, last } = await read(`/${encodeURIComponent(name)}`, page)
    expect({ code, equal: bytes.equals(page.body ?? BODY) }).toEqual({ code: undefined, equal: true })
    expect(noticesOf(events)).toEqual(['SOURCE_AS_STREAM'])
    const told = events.find(({ type }) => type === 'plan')
    expect(told).toMatchObject(plan)
    expect(told.bytes).toBe(plan.bytes)
    expect(last).toMatchObject({ type: 'done', bytes: bytes.length, proof: [], uncompared: true })
  })

  test.each([
    ['a SHA-256', { 'repr-digest': `sha-256=:${hashOf('sha256', BODY)}:` }, 'source-sha256'],
    ['an MD5', { 'content-md5': hashOf('md5', BODY) }, 'source-md5'],
  ])('is compared with %s that the server tells', async (name, headers, proof) => {
    const path = `/digest-${encodeURIComponent(name)}`
    expect((await read(path, { headers })).last).toMatchObject({ type: 'done', proof: [proof] })
    const wrong = await read(`${path}-wrong`, { headers, body: OTHER })
    expect(wrong.last).toMatchObject({ type: 'error', exitCode: 8 })
    // The end is held back: damaged bytes never look like all of them.
    expect(wrong.bytes.length).toBeLessThan(BODY.length)
  })

  test.each([
    ['3-10', BODY.subarray(3, 11)],
    [`${4 * MiB}-`, BODY.subarray(4 * MiB)],
    ['-9', BODY.subarray(-9)],
  ])('of the range %s has these bytes', async (range, expected) => {
    const { bytes, last } = await read(`/range${range}`, {}, { range })
    expect(bytes.equals(expected)).toBe(true)
    expect(last).toMatchObject({ type: 'done', bytes: expected.length })
  })

  test('of a range of an object of unknown size is refused', async () => {
    expect(await read('/range-unknown', { chunked: true }, { range: '3-10' })).toMatchObject({ code: 'NO_RANGES' })
  })

  test('that breaks off says after how many bytes, and ends with an error', async () => {
    // The first request only looks.
    const { bytes, code, last } = await read('/broken', { later: { sends: 3 * MiB } })
    expect({ code, exitCode: last.exitCode }).toEqual({ code: 'BROKE_OFF', exitCode: 1 })
    expect(last.message).toContain('broke off after 3,145,728 bytes')
    expect(BODY.subarray(0, bytes.length).equals(bytes)).toBe(true)
  })
})

describe('a comparison', () => {
  /** @param {string} path @param {string} destination @param {object} [page] @param {object} [options] */
  async function compared(path, destination, page = {}, options = {}) {
    const url = host.put(path, { body: BODY, ranges: false, ...page })
    const events = []
    const given = { env, engine: 'local', chunk: '5MiB', ...options, onEvent: event => events.push(event) }
    const found = await verify(url, destination, given).catch(error => error)
    const { reads } = events.find(({ type }) => type === 'plan') ?? {}
    return { found, reads: reads?.length, notices: noticesOf(events) }
  }

  test('with an object whose checksum is kept reads the source alone', async () => {
    await put(to, 'summed', BODY, { checksum: true })
    await put(to, 'summed-other', OTHER, { checksum: true })
    expect(await compared('/summed', 's3://target/summed')).toMatchObject({
      found: { method: 'read', bytes: BODY.length, sum: 'crc32', readBytes: BODY.length },
      ...{ reads: 1, notices: ['SOURCE_AS_STREAM'] },
    })
    expect(await compared('/summed', 's3://target/summed-other')).toMatchObject({ found: { code: 'OBJECTS_DIFFER' } })
  })

  test('with an object of parts without a checksum reads both, the source once', async () => {
    await uploadParts(store, 'target', 'parts', cut(BODY, 5 * MiB))
    await uploadParts(store, 'target', 'parts-other', cut(OTHER, 5 * MiB))
    const both = { found: { method: 'read', sum: 'crc32', readBytes: 2 * BODY.length }, reads: 2 }
    expect(await compared('/parts', 's3://target/parts', { chunked: true })).toMatchObject(both)
    expect(host.requestsOf('/parts')).toHaveLength(2)
    const { found } = await compared('/parts', 's3://target/parts-other')
    expect(found).toMatchObject({ code: 'OBJECTS_DIFFER', exitCode: 8 })
    expect(found.message).toContain('CRC-32')
  })

  test('with a file, with --read, and with another size', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, BODY)
    expect(await compared('/file', file)).toMatchObject({ found: { readBytes: 2 * BODY.length } })
    expect(await compared('/read', 's3://target/summed', {}, { read: true })).toMatchObject({
      found: { readBytes: 2 * BODY.length },
    })
    writeFileSync(file, 'short')
    for (const chunked of [false, true]) {
      expect(await compared('/size', file, { chunked })).toMatchObject({ found: { code: 'OBJECTS_DIFFER' } })
    }
  })

  test('of a source that breaks off, or is not what its server tells, ends with that', async () => {
    const broken = await compared('/cut', 's3://target/summed', { later: { sends: MiB } })
    expect(broken.found).toMatchObject({ code: 'BROKE_OFF' })
    for (const headers of [
      { 'repr-digest': `sha-256=:${hashOf('sha256', OTHER)}:` },
      { 'content-md5': hashOf('md5', OTHER) },
      { 'x-goog-hash': 'crc32c=AAAAAA==' },
    ]) {
      expect(await compared('/lies', 's3://target/summed', { headers })).toMatchObject({ found: { code: 'DAMAGED' } })
    }
  })
})

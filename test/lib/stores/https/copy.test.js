'use strict'

/** Copies from web servers that do as they should, and from those that do not. */

const { createHash } = require('node:crypto')
const { inspect } = require('node:util')
const { createSums } = require('../../../../actions/copy-range/sums')
const xfer = require('../../../../lib')
const { DATE, startHttpsHost } = require('../../../support/https-host')
const { keep, newFolder, openStore, startStore } = require('../../../support/opened')
const { bareEnv, sideEnv } = require('../../../support/run-xfer')
const { bytesOf, createBuckets, get, keysOf, sha256 } = require('../../../support/s3')
const { AUTHORITY } = require('../../../support/tls')

const MiB = 1024 ** 2
const LARGE = bytesOf(11 * MiB)
const SMALL = bytesOf(1000)
const OTHER = Buffer.from(LARGE)
OTHER[7 * MiB] ^= 1
const md5 = body => createHash('md5').update(body).digest('base64')
const crc32c = body => {
  const sums = createSums(['crc32c'])
  sums.update(body)
  return Buffer.from(sums.digest().crc32c, 'hex').toString('base64')
}
const HASHED = { 'x-goog-hash': `crc32c=${crc32c(LARGE)}` }

let host
let tlsHost
let store
let to
let state
beforeAll(async () => {
  const hosts = [startHttpsHost(), startHttpsHost({ tls: true })]
  ;[host, tlsHost, store] = await Promise.all([...hosts.map(keep), startStore()])
  await createBuckets(store, 'target')
  to = openStore(store, 'target')
  state = newFolder()
})
const envOf = more => ({ ...bareEnv, XDG_STATE_HOME: state, ...sideEnv('DEST', store), ...more })

/** Copies, and returns what came of it. */
async function copied(source, key, { env, destination = `s3://target/${key}`, ...options } = {}) {
  const events = []
  const usual = { engine: 'local', chunk: '5', retries: 0, onFailure: 'abort', env: envOf(env) }
  const copying = xfer.copy(source, destination, { ...usual, ...options, onEvent: event => events.push(event) })
  const outcome = await copying.then(
    summary => ({ summary, proof: summary.proof }),
    error => ({ error, code: error.code, exitCode: error.exitCode }),
  )
  const plan = events.find(({ type }) => type === 'plan')
  return { ...outcome, events, notices: plan?.noticeCodes ?? [] }
}

test.each([
  ['of no byte', Buffer.alloc(0)],
  ['of one request', SMALL],
  ['in parts', LARGE],
])('an object %s is copied with its attributes, every read pinned to the ETag', async (name, body) => {
  const path = `/dir/${encodeURIComponent(name)}`
  const headers = { 'content-type': 'text/csv', 'cache-control': 'max-age=60', 'content-disposition': 'inline' }
  const url = host.put(path, { body, headers: { ...headers, 'x-other': 'none' } })
  const outcome = await copied(url, '', { destination: 's3://target/dir/', mtime: true })
  expect(outcome).toMatchObject({ summary: { destination: `s3://target/dir/${name}` }, notices: [] })
  expect((await get(to, `dir/${name}`)).equals(body)).toBe(true)
  const user = { mtime: String(Date.parse(DATE) / 1000) }
  expect((await to.head(`dir/${name}`)).metadata).toMatchObject({ headers, user })
  const [first, ...reads] = host.requestsOf(path)
  expect(first.headers).toMatchObject({ range: 'bytes=0-0', 'accept-encoding': 'identity' })
  for (const read of reads.slice(body.length === 0 ? 1 : 0)) expect(read.headers['if-match']).toBe('"one"')
})

test.each([
  ['a weak ETag', { etag: 'W/"weak"' }, 'if-unmodified-since'],
  ['a date', { etag: null }, 'if-unmodified-since'],
  ['the size alone', { etag: null, modified: null }, undefined],
])('that a change is noticed by %s is said, and compared', async (name, page, condition) => {
  const path = `/pin-${encodeURIComponent(name)}`
  const url = host.put(path, { body: LARGE, ...page })
  const expected = { summary: { bytes: LARGE.length }, notices: ['SOURCE_NOT_PINNED'] }
  expect(await copied(url, name)).toMatchObject(expected)
  const reads = host.requestsOf(path).slice(1)
  expect(reads.length).toBeGreaterThanOrEqual(3)
  for (const { headers } of reads) {
    expect(headers['if-match']).toBeUndefined()
    if (condition) expect(headers[condition]).toBe(DATE)
  }
})

/** @param {string} name @param {object} page @param {object} expected @param {object} [options] */
async function expectNothing(name, page, expected, options) {
  const path = `/no-${encodeURIComponent(name)}`
  const { error, code, exitCode } = await copied(host.put(path, { body: LARGE, ...page }), `no ${name}`, options)
  expect({ code, exitCode, cause: error?.cause?.code }).toMatchObject(expected)
  expect([await keysOf(to, `no ${name}`), await xfer.jobs({ env: envOf() })]).toEqual([[], []])
}

const CHANGED = { code: 'SOURCE_CHANGED', exitCode: 6 }
const other = bytesOf(11 * MiB, 'another')
const modified = 'Wed, 01 Jul 2026 11:00:00 GMT'
const GZIPPED = { 'transfer-encoding': 'gzip, chunked' }

test.each([
  ['another ETag, refused', { later: { body: other, etag: '"two"' } }],
  ['another ETag, answered in spite of If-Match', { later: { body: other, etag: '"two"', heeds: false } }],
  ['another weak ETag', { etag: 'W/"one"', later: { body: other, etag: 'W/"two"', heeds: false } }],
  ['a smaller size', { etag: null, modified: null, later: { body: SMALL } }],
  ['another date, answered in spite of it', { etag: null, later: { body: other, modified, heeds: false } }],
  ['the whole object in place of a range', { later: { ranges: false } }],
  ['no object any more', { later: { status: 404 } }],
])('nothing is written of an object that changes meanwhile: %s', async (name, page) => {
  await expectNothing(name, page, CHANGED)
})

test.each([
  ['another range', { contentRange: `bytes 1-1/${LARGE.length}` }, 'BAD_ANSWER'],
  ['more than the range', { extra: SMALL }, 'BAD_ANSWER'],
  ['nothing of the range', { sends: 0 }, 'STORE_UNREACHABLE'],
  ['gzip', { headers: { 'content-encoding': 'gzip' } }, 'ENCODED_SOURCE'],
  ['gzip on its way', { ranges: false, chunked: true, headers: GZIPPED }, 'ENCODED_SOURCE'],
  ['silence', { silent: true }, 'STORE_UNREACHABLE'],
  ['half of what it tells, without ranges', { ranges: false, later: { sends: 1000 } }, 'INPUT_FAILED'],
  ['a body that only the connection ends, without ranges', { ranges: false, unframed: true }, 'NO_RANGES'],
  ['silence after the first, without ranges', { ranges: false, later: { silent: true } }, 'STORE_UNREACHABLE'],
])('nothing is written of an answer with %s', async (name, page, code) => {
  await expectNothing(name, page, { code, exitCode: 1 }, { env: { XFER_SILENCE_MS: '1000' } })
})

const type = { 'content-type': 'text/csv' }
test.each([
  ['that tells the length', false],
  ['that tells no length', true],
])('of a server without ranges, %s, the object is read once, in its order', async (name, chunked) => {
  const path = `/stream/${encodeURIComponent(name)}.csv`
  const url = host.put(path, { body: LARGE, headers: type, ranges: false, chunked })
  const { summary, notices } = await copied(url, '', { mtime: true, destination: 's3://target/stream/' })
  const key = `stream/${name}.csv`
  expect(summary).toMatchObject({ source: url, destination: `s3://target/${key}`, bytes: LARGE.length })
  expect(notices).toContain('SOURCE_AS_STREAM')
  expect((await get(to, key)).equals(LARGE)).toBe(true)
  const { metadata } = await to.head(key)
  expect(metadata).toMatchObject({ headers: type, user: { mtime: String(Date.parse(DATE) / 1000) } })
  // The first byte that was asked for, and then all.
  expect(host.requestsOf(path).map(({ headers }) => headers.range)).toEqual(['bytes=0-0', undefined])
  expect(await xfer.jobs({ env: envOf() })).toEqual([])
})

test.each([
  ['MD5', { 'content-md5': md5(LARGE) }],
  ['CRC-32C', HASHED],
])('of a server without ranges the %s of %j is compared', async (name, headers) => {
  const right = host.put(`/stream-digest-${name}`, { body: LARGE, ranges: false, headers })
  expect(await copied(right, 'stream digest')).toMatchObject({ summary: { bytes: LARGE.length } })
  for (const body of [OTHER, SMALL]) {
    const wrong = host.put(`/stream-wrong-${name}-${body.length}`, { body, ranges: false, headers })
    const { error } = await copied(wrong, 'stream wrong')
    const message = expect.stringContaining(`is not what its server tells: its ${name} is `)
    expect(error).toMatchObject({ code: 'INPUT_DIFFERS', exitCode: 8, message })
    expect(await keysOf(to, 'stream wrong')).toEqual([])
  }
})

describe('redirects', () => {
  test('are followed once, to the address that every read then names', async () => {
    const end = host.put('/redirected/%C3%A9?sig=SECRET-END', { body: LARGE })
    // As some servers send it: in UTF-8.
    host.put('/redirected/2', { location: Buffer.from(decodeURI(end)).toString('latin1') })
    const url = host.put('/redirected/1?token=SECRET-BEGINNING', { location: '2' })
    const { summary, events } = await copied(url, 'redirected')
    expect(summary.bytes).toBe(LARGE.length)
    for (const once of ['1?token=SECRET-BEGINNING', '2']) expect(host.requestsOf(`/redirected/${once}`)).toHaveLength(1)
    expect(host.requestsOf('/redirected/%C3%A9?sig=SECRET-END').length).toBeGreaterThan(3)
    expect(inspect([summary, events], { depth: null })).not.toMatch(/SECRET/)
  })

  test('to an address that ends while it is read: the same command follows them again, and goes on', async () => {
    host.put('/signed?signature=1', { body: LARGE, later: { status: 403 } })
    host.put('/signed?signature=2', { body: LARGE })
    const url = host.put('/signs', { location: '/signed?signature=1', later: { location: '/signed?signature=2' } })
    const { error } = await copied(url, 'signed')
    expect([error.code, error.cause?.code]).toContain('CREDENTIALS_EXPIRED')
    expect(await copied(url, 'signed')).toMatchObject({ summary: { bytes: LARGE.length } })
    expect((await get(to, 'signed')).equals(LARGE)).toBe(true)
  })

  test.each([
    ['in a circle', { '/a': '/b', '/b': '/a' }, /in a circle/],
    ['to no address of the web', { '/a': 'ftp://127.0.0.1/x' }, /to ftp:/],
    ['to an address with a password', { '/a': 'http://me:hunter2@127.0.0.1/' }, /with a password/],
  ])('%s are refused', async (_, pages, message) => {
    for (const [path, location] of Object.entries(pages)) host.put(path, { location })
    const { error } = await copied(`${host.origin}/a`, 'never')
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringMatching(message) })
    expect(error.message).not.toContain('hunter2')
  })

  // What a proxy is asked for is the whole address, with the port.
  const proxied = () => ({ env: { HTTP_PROXY: host.origin, NO_PROXY: '127.0.0.1' } })
  test.each([
    ['from https:// to http://', () => [tlsHost, '/down'], () => ({ caBundle: AUTHORITY }), 'from https://'],
    ['behind a proxy, to this machine', () => [host, 'http://web.invalid:80/inward'], proxied, 'to this machine'],
  ])('%s are refused, and not followed', async (_, place, options, says) => {
    const [server, path] = place()
    const url = server.put(path, { location: host.put('/inner', { body: SMALL }) })
    const { error } = await copied(path.startsWith('/') ? url : path, 'inward', options())
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringContaining(says) })
    expect(host.requestsOf('/inner')).toEqual([])
  })

  test('to another origin are said, and get no header of the user', async () => {
    const end = tlsHost.put('/other', { body: SMALL })
    const url = host.put('/to-other', { location: end, wants: { 'x-token': 'SECRET' } })
    const options = { caBundle: AUTHORITY, source: { header: { 'X-Token': 'SECRET' } } }
    const expected = { summary: { bytes: SMALL.length }, notices: ['SOURCE_REDIRECTED'] }
    expect(await copied(url, 'other', options)).toMatchObject(expected)
    for (const { headers } of tlsHost.requestsOf('/other')) expect(headers['x-token']).toBeUndefined()
  })
})

test.each([
  ['MD5', 'of one request', SMALL, 'source-md5', { 'repr-digest': `md5=:${md5(SMALL)}:` }],
  ['MD5', 'of one request, without a range', SMALL, 'source-md5', { 'content-md5': md5(SMALL) }],
  ['CRC-32C', 'in parts', LARGE, 'source-crc32c', HASHED],
])('the %s that is told of an object %s proves it, or keeps it away', async (_, name, body, proof, headers) => {
  expect((await copied(host.put('/told', { body, headers }), `told ${name}`)).proof).toContain(proof)
  const wrong = host.put('/untrue', { body: bytesOf(body.length, 'another'), headers })
  expect(await copied(wrong, `untrue ${name}`)).toMatchObject({ exitCode: 8 })
  expect(await keysOf(to, `untrue ${name}`)).toEqual([])
})

test.each([
  ['AWS, of which it is a proof', 'AmazonS3', ['store-crc32', 'source-etag'], SMALL],
  ['another server, where it may be anything', 'nginx', ['store-crc32'], bytesOf(1000, 'another')],
])('an ETag that looks like an MD5, of %s', async (name, server, proof, body) => {
  const etag = `"${Buffer.from(md5(SMALL), 'base64').toString('hex')}"`
  const outcome = await copied(host.put('/tag', { body, etag, headers: { server } }), `tag ${server}`)
  expect(outcome.proof).toEqual(proof)
  expect(outcome.events.filter(({ type }) => type === 'notice')).toEqual([])
})

test.each([
  ['of one request', 1000, 4],
  ['in parts', 11 * MiB, 5],
])('--expect-sha256: an object %s that is another one when it is copied is refused', async (name, bytes, from) => {
  const [body, other] = ['one', 'other'].map(seed => bytesOf(bytes, seed))
  // Nothing but the bytes tells.
  const later = count => (count >= from ? { body: other } : {})
  const url = host.put(`/swapped-${bytes}`, { body, etag: null, modified: null, later })
  expect(await copied(url, `swapped ${name}`, { expectSha256: sha256(body) })).toMatchObject({ exitCode: 8 })
  expect(await keysOf(to, `swapped ${name}`)).toEqual([])
})

test('the journal has neither a query nor headers, so a resume asks for them', async () => {
  const env = envOf()
  const kept = { onFailure: 'keep', outageTimeout: '1s' }
  const failing = { body: LARGE, later: { status: 500 } }
  const query = await copied(host.put('/secret?X-Amz-Signature=1&id=2', failing), 'secret', kept)
  const resumed = ({ facts }) => xfer.resume(facts.job, { env }).catch(({ code, message }) => `${code}: ${message}`)
  expect(await resumed(query.error)).toMatch(/^USAGE: .*has a query/)
  // Signed anew, it is the same object.
  const again = host.put('/secret?X-Amz-Signature=3&id=2', { body: LARGE })
  const { events } = await copied(again, 'secret')
  expect(events.some(({ type }) => type === 'resume')).toBe(true)

  const wants = { authorization: 'Bearer SECRET' }
  const header = ['Authorization: Bearer SECRET']
  const url = host.put('/header', { ...failing, wants })
  expect(await copied(url, 'header')).toMatchObject({ code: 'ACCESS_DENIED' })
  host.put('/header', { ...failing, wants })
  const { error } = await copied(url, 'header', { ...kept, source: { header } })
  expect(await resumed(error)).toMatch(/^USAGE: .*\(authorization\)/)
  host.put('/header', { body: LARGE, wants })
  expect(await xfer.resume(error.facts.job, { env, source: { header } })).toMatchObject({ bytes: LARGE.length })
  expect(await xfer.jobs({ env })).toEqual([])
})

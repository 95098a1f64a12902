'use strict'

/** Copies from web servers that do as they should, and from those that do not. */

const { createHash } = require('node:crypto')
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { createSums } = require('../../../../actions/copy-range/copy/sums')
const xfer = require('../../../../lib')
const { startStore } = require('../../../../sandbox/store')
const { DATE, startHttpsHost } = require('../../../support/https-host')
const { bareEnv, sideEnv } = require('../../../support/run-xfer')
const { bytesOf, createBuckets, get, keysOf, openStore } = require('../../../support/s3')
const { AUTHORITY } = require('../../../support/tls')

const MiB = 1024 ** 2
const LARGE = bytesOf(11 * MiB)
const SMALL = bytesOf(1000)
const OTHER = Buffer.from(LARGE)
OTHER[7 * MiB] ^= 1
const md5 = body => createHash('md5').update(body).digest('base64')
const sha256 = body => createHash('sha256').update(body).digest('base64')
const crc = (body, kind) => {
  const sums = createSums([kind])
  sums.update(body)
  return Buffer.from(sums.digest()[kind], 'hex').toString('base64')
}

let host
let tlsHost
let store
let to
let state
beforeAll(async () => {
  ;[host, tlsHost, store] = await Promise.all([startHttpsHost(), startHttpsHost({ tls: true }), startStore()])
  await createBuckets(store, 'target')
  to = openStore(store, 'target')
  state = mkdtempSync(join(tmpdir(), 'xfer-https-'))
})
afterAll(async () => {
  to?.close()
  await Promise.all([host?.close(), tlsHost?.close(), store?.close()])
  rmSync(state, { recursive: true, force: true })
})

const envOf = more => ({ ...bareEnv, XDG_STATE_HOME: state, ...sideEnv('DEST', store), ...more })

/** Copies, and returns what came of it. */
async function copied(source, key, { env, destination = `s3://target/${key}`, ...options } = {}) {
  const events = []
  const outcome = await xfer
    .copy(source, destination, {
      ...{ engine: 'local', chunk: '5', retries: 0, onFailure: 'abort', env: envOf(env) },
      ...options,
      onEvent: event => events.push(event),
    })
    .then(
      summary => ({ summary, proof: summary.proof }),
      error => ({ error, code: error.code, exitCode: error.exitCode }),
    )
  const plan = events.find(({ type }) => type === 'plan')
  return { ...outcome, events, notices: plan?.noticeCodes ?? [] }
}

describe('a server that does as it should', () => {
  test.each([
    ['of no byte', Buffer.alloc(0)],
    ['of one byte', Buffer.from('x')],
    ['of one request', SMALL],
    ['in parts', LARGE],
  ])('an object %s is copied with its attributes, every read pinned to the ETag', async (name, body) => {
    const path = `/dir/${encodeURIComponent(name)}`
    const headers = { 'content-type': 'text/csv', 'cache-control': 'max-age=60', 'content-disposition': 'inline' }
    const url = host.put(path, { body, headers: { ...headers, 'x-other': 'none' } })
    const { summary, error, notices } = await copied(url, '', { destination: 's3://target/dir/' })
    expect(error).toBeUndefined()
    expect(summary.destination).toBe(`s3://target/dir/${name}`)
    expect(notices).toEqual([])
    expect((await get(to, `dir/${name}`)).equals(body)).toBe(true)
    expect((await to.head(`dir/${name}`)).metadata.headers).toMatchObject(headers)
    const [first, ...reads] = host.requestsOf(path)
    expect(first.headers).toMatchObject({ range: 'bytes=0-0', 'accept-encoding': 'identity' })
    for (const read of reads.slice(body.length === 0 ? 1 : 0)) expect(read.headers['if-match']).toBe('"one"')
  })

  test('over TLS, by a certificate of the bundle; by none of an unknown authority', async () => {
    const url = tlsHost.put('/tls', { body: SMALL })
    expect(await copied(url, 'tls', { caBundle: AUTHORITY })).toMatchObject({ summary: { bytes: SMALL.length } })
    expect((await get(to, 'tls')).equals(SMALL)).toBe(true)
    expect(await copied(url, 'untrusted')).toMatchObject({ code: 'CERTIFICATE_REFUSED' })
  })

  test('the modification time goes where rclone keeps it', async () => {
    const url = host.put('/mtime', { body: SMALL })
    await copied(url, 'mtime', { mtime: true })
    expect((await to.head('mtime')).metadata.user.mtime).toBe(String(Date.parse(DATE) / 1000))
  })

  test('a 200 with the right Content-Range is an answer to a range', async () => {
    const url = host.put('/lenient', { body: LARGE, rangeStatus: 200 })
    expect(await copied(url, 'lenient')).toMatchObject({ summary: { bytes: LARGE.length } })
  })
})

describe('by what a change is noticed', () => {
  test.each([
    ['a weak ETag', { etag: 'W/"weak"' }, 'if-unmodified-since', ['SOURCE_NOT_PINNED']],
    ['a date', { etag: null }, 'if-unmodified-since', ['SOURCE_NOT_PINNED']],
    ['the size alone', { etag: null, modified: null }, undefined, ['SOURCE_NOT_PINNED']],
  ])('%s is said, and compared', async (name, page, condition, notices) => {
    const path = `/pin-${encodeURIComponent(name)}`
    const url = host.put(path, { body: LARGE, ...page })
    expect(await copied(url, name)).toMatchObject({ summary: { bytes: LARGE.length }, notices })
    const reads = host.requestsOf(path).slice(1)
    expect(reads.length).toBeGreaterThanOrEqual(3)
    for (const { headers } of reads) {
      expect(headers['if-match']).toBeUndefined()
      if (condition) expect(headers[condition]).toBe(DATE)
    }
  })

  const other = bytesOf(11 * MiB, 'another')
  const LATER = 'Wed, 01 Jul 2026 11:00:00 GMT'
  test.each([
    ['another ETag, refused', {}, { body: other, etag: '"two"' }],
    ['another ETag, answered in spite of If-Match', {}, { body: other, etag: '"two"', heeds: false }],
    ['another weak ETag', { etag: 'W/"one"' }, { body: other, etag: 'W/"two"', heeds: false }],
    ['another date, refused', { etag: null }, { body: other, modified: LATER }],
    [
      'another date, answered in spite of the condition',
      { etag: null },
      { body: other, modified: LATER, heeds: false },
    ],
    ['another size', { etag: null, modified: null }, { body: bytesOf(12 * MiB) }],
    ['a smaller size', { etag: null, modified: null }, { body: SMALL }],
    ['the whole object in place of a range', {}, { ranges: false }],
    ['no object any more', {}, { status: 404 }],
  ])('%s in the middle: changed, and nothing is written', async (name, page, later) => {
    const url = host.put(`/changes-${encodeURIComponent(name)}`, { body: LARGE, ...page, later })
    expect(await copied(url, `changed ${name}`)).toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 6 })
    expect(await keysOf(to, `changed ${name}`)).toEqual([])
  })
})

describe('what xfer does not copy, by name', () => {
  test.each([
    ['another range', { contentRange: 'bytes 1-1/1000' }, 'BAD_ANSWER'],
    ['no range in a 206', { rangeStatus: 206, contentRange: 'none' }, 'BAD_ANSWER'],
    ['more than the range', { extra: SMALL }, 'BAD_ANSWER'],
    ['the whole object as its first byte', { extra: LARGE }, 'BAD_ANSWER'],
    ['nothing of the range', { sends: 0 }, 'STORE_UNREACHABLE'],
    ['gzip', { headers: { 'content-encoding': 'gzip' } }, 'ENCODED_SOURCE'],
    ['a status that says nothing', { status: 204 }, 'BAD_ANSWER'],
    ['no such object', { status: 404 }, 'NO_SUCH_KEY'],
    ['gone', { status: 410 }, 'NO_SUCH_KEY'],
    ['forbidden', { status: 403 }, 'ACCESS_DENIED'],
    ['a failure', { status: 500 }, 'STORE_ERROR'],
    ['an odd refusal', { status: 418 }, 'STORE_REFUSED'],
  ])('%s', async (name, page, code) => {
    const url = host.put(`/odd-${encodeURIComponent(name)}`, { body: SMALL, ...page })
    expect(await copied(url, 'odd')).toMatchObject({ code })
    expect(await keysOf(to, 'odd')).toEqual([])
  })

  test.each([
    ['half of each part', { later: { sends: 1000 } }, 'CONNECTION_FAILED'],
    ['wrong ranges', { later: { contentRange: `bytes 1-2/${LARGE.length}` } }, 'BAD_ANSWER'],
    ['failures', { later: { status: 503 } }, 'STORE_ERROR'],
    ['refusals', { later: { status: 403 } }, 'ACCESS_DENIED'],
    ['redirects', { later: { location: '/elsewhere' } }, 'STORE_REFUSED'],
  ])('%s after a good beginning', async (name, page, cause) => {
    const url = host.put(`/later-${encodeURIComponent(name)}`, { body: LARGE, ...page })
    const { error } = await copied(url, 'later', { outageTimeout: '1s' })
    expect([error.code, error.cause?.code]).toContain(cause)
    expect(await keysOf(to, 'later')).toEqual([])
  })

  test('a server that is silent', async () => {
    const url = host.put('/silent', { silent: true })
    expect(await copied(url, 'silent', { env: { XFER_SILENCE_MS: '1000' } })).toMatchObject({
      code: 'STORE_UNREACHABLE',
    })
  })
})

describe('a server without ranges: the object is read once, in its order', () => {
  const type = { 'content-type': 'text/csv' }
  test.each([
    ['that tells the length', { ranges: false }],
    ['that tells no length', { ranges: false, chunked: true }],
    ['whose ranges tell no length', { contentRange: 'bytes 0-0/*' }],
    ['that redirects', { ranges: false }, true],
  ])('%s', async (name, page, redirects = false) => {
    const path = `/stream/${encodeURIComponent(name)}.csv`
    const end = host.put(path, { body: LARGE, headers: type, ...page })
    const url = redirects ? host.put(`/stream/${encodeURIComponent(name)}`, { location: end }) : end
    const options = { mtime: true, destination: redirects ? 's3://target/stream/redirected' : 's3://target/stream/' }
    const { summary, error, notices } = await copied(url, '', options)
    expect(error).toBeUndefined()
    const key = redirects ? 'stream/redirected' : `stream/${name}.csv`
    expect(summary).toMatchObject({ source: url, destination: `s3://target/${key}`, bytes: LARGE.length })
    expect(notices).toContain('SOURCE_AS_STREAM')
    expect((await get(to, key)).equals(LARGE)).toBe(true)
    const { metadata } = await to.head(key)
    expect(metadata).toMatchObject({ headers: type, user: { mtime: String(Date.parse(DATE) / 1000) } })
    // The first byte that was asked for, and then all.
    expect(host.requestsOf(path).map(({ headers }) => headers.range)).toEqual(['bytes=0-0', undefined])
    expect(await xfer.jobs({ env: envOf() })).toEqual([])
  })

  const half = { ranges: false, later: { sends: 1000 } }
  test.each([
    ['half of what it tells', half, 'INPUT_FAILED', 1],
    ['half of a body without a length', { ...half, chunked: true }, 'INPUT_FAILED', 1],
    ['a body that only the connection ends', { ranges: false, unframed: true }, 'NO_RANGES', 1],
    ['gzip', { ranges: false, later: { headers: { 'content-encoding': 'gzip' } } }, 'ENCODED_SOURCE', 1],
    ['nothing any more', { ranges: false, later: { status: 404 } }, 'NO_SUCH_KEY', 3],
    ['silence', { ranges: false, later: { silent: true } }, 'STORE_UNREACHABLE', 1],
  ])('%s: nothing is written', async (name, page, code, exitCode) => {
    const url = host.put(`/stream-${encodeURIComponent(name)}`, { body: LARGE, ...page })
    expect(await copied(url, `stream ${name}`, { env: { XFER_SILENCE_MS: '1000' } })).toMatchObject({ code, exitCode })
    expect(await keysOf(to, `stream ${name}`)).toEqual([])
    expect(await xfer.jobs({ env: envOf() })).toEqual([])
  })

  /** @param {Buffer} body */
  const digests = body => [
    ['MD5', { 'content-md5': md5(body) }],
    ['MD5', { 'x-goog-hash': `md5=${md5(body)}` }],
    ['CRC-32', { 'x-amz-checksum-crc32': crc(body, 'crc32') }],
    ['CRC-32C', { 'x-goog-hash': `crc32c=${crc(body, 'crc32c')}` }],
  ]
  test.each(digests(LARGE))('the %s of %j is compared', async (name, headers) => {
    const path = `/stream-digest-${Object.keys(headers)}-${name}`
    const right = host.put(path, { body: LARGE, ranges: false, headers })
    expect(await copied(right, 'stream digest')).toMatchObject({ summary: { bytes: LARGE.length } })
    for (const body of [OTHER, SMALL]) {
      const wrong = host.put(`${path}-wrong-${body.length}`, { body, ranges: false, headers })
      const { code, exitCode, error } = await copied(wrong, 'stream wrong')
      expect({ code, exitCode }).toEqual({ code: 'INPUT_DIFFERS', exitCode: 8 })
      expect(error.message).toContain(`is not what its server tells: its ${name} is `)
      expect(await keysOf(to, 'stream wrong')).toEqual([])
    }
  })

  test("the checksums of Google's packed object are not those of what it sends unpacked", async () => {
    const packed = { 'x-goog-hash': `crc32c=AAAAAA==,md5=${md5(SMALL)}`, 'x-goog-stored-content-encoding': 'gzip' }
    const url = host.put('/stream-unpacked', { body: LARGE, ranges: false, headers: packed })
    expect(await copied(url, 'stream unpacked')).toMatchObject({ summary: { bytes: LARGE.length } })
  })

  test.each([
    ['small', SMALL],
    ['large', LARGE],
  ])('it is read once, so --verify full proves nothing of a %s source', async (name, body) => {
    const path = `/stream-full-${name}`
    // Another byte is wrong in each answer.
    const later = count => ({ body: Buffer.from(body).fill(count, count, count + 1) })
    const url = host.put(path, { body, ranges: false, later })
    const { summary } = await copied(url, `stream full ${name}`, { verify: 'full' })
    expect(host.requestsOf(path)).toHaveLength(2)
    expect(summary.proof).toContain('read-back')
    expect(summary.proof.filter(proof => proof.startsWith('source-'))).toEqual([])
  })

  test('with --verify size what it tells is not compared', async () => {
    const url = host.put('/stream-lies', { body: LARGE, ranges: false, headers: { 'content-md5': md5(SMALL) } })
    expect(await copied(url, 'stream lies', { verify: 'size' })).toMatchObject({ summary: { bytes: LARGE.length } })
  })
})

describe('redirects', () => {
  test('are followed once, to the address that every read then names', async () => {
    const end = host.put('/redirected/end?sig=SECRET-END', { body: LARGE })
    host.put('/redirected/2', { location: end })
    const url = host.put('/redirected/1?token=SECRET-BEGINNING', { location: '2' })
    const { summary, events } = await copied(url, 'redirected')
    expect(summary.bytes).toBe(LARGE.length)
    expect(host.requestsOf('/redirected/1?token=SECRET-BEGINNING')).toHaveLength(1)
    expect(host.requestsOf('/redirected/2')).toHaveLength(1)
    expect(host.requestsOf('/redirected/end?sig=SECRET-END').length).toBeGreaterThan(3)
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
    ['to itself', { '/a': '/a' }, /in a circle/],
    [
      'too often',
      Object.fromEntries([...'abcdefghijklm'].map((at, i, all) => [`/${at}`, `/${all[i + 1]}`])),
      /more than 10 times/,
    ],
    ['to no address of the web', { '/a': 'ftp://127.0.0.1/x' }, /to ftp:/],
    ['to an address with a password', { '/a': 'http://me:hunter2@127.0.0.1/' }, /with a password/],
    ['to nothing', { '/a': 'http://' }, /to no address/],
  ])('%s are refused', async (_, pages, message) => {
    for (const [path, location] of Object.entries(pages)) host.put(path, { location })
    const { error } = await copied(`${host.origin}/a`, 'never')
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringMatching(message) })
    expect(error.message).not.toContain('hunter2')
  })

  test('from https:// to http:// are refused', async () => {
    const url = tlsHost.put('/down', { location: host.put('/plain', { body: SMALL }) })
    const { error } = await copied(url, 'down', { caBundle: AUTHORITY })
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringContaining('from https://') })
    expect(host.requestsOf('/plain')).toEqual([])
  })

  test('to another origin are said, and get no header of the user', async () => {
    const end = tlsHost.put('/other', { body: SMALL })
    const url = host.put('/to-other', { location: end, wants: { 'x-token': 'SECRET' } })
    const header = { 'X-Token': 'SECRET' }
    expect(await copied(url, 'other', { caBundle: AUTHORITY, source: { header } })).toMatchObject({
      summary: { bytes: SMALL.length },
      notices: ['SOURCE_REDIRECTED'],
    })
    for (const { headers } of tlsHost.requestsOf('/other')) expect(headers['x-token']).toBeUndefined()
  })
})

describe('a host that is not this machine, behind a proxy', () => {
  // What a proxy is asked for is the whole address, with the port.
  const asked = path => `http://web.invalid:80${path}`
  const env = () => ({ HTTP_PROXY: host.origin, NO_PROXY: '127.0.0.1' })

  test('is read by http:// with a notice that nothing protects the bytes', async () => {
    const url = 'http://web.invalid/object'
    host.put(asked('/object'), { body: LARGE })
    expect(await copied(url, 'proxied', { env: env() })).toMatchObject({
      summary: { bytes: LARGE.length },
      notices: ['SOURCE_UNENCRYPTED'],
    })
    expect(host.requestsOf(asked('/object')).length).toBeGreaterThan(3)
  })

  test('may not redirect to this machine', async () => {
    const url = 'http://web.invalid/inward'
    host.put(asked('/inward'), { location: host.put('/inner', { body: SMALL }) })
    expect(await copied(url, 'inward', { env: env() })).toMatchObject({
      code: 'ADDRESS_REFUSED',
      error: { message: expect.stringContaining('to this machine') },
    })
    expect(host.requestsOf('/inner')).toEqual([])
  })
})

describe('checksums that the server tells', () => {
  test.each([
    ['Repr-Digest', { 'repr-digest': `md5=:${md5(SMALL)}:, sha-256=:${sha256(SMALL)}:` }],
    ['Digest', { digest: `MD5=${md5(SMALL)}` }],
    ['Content-MD5 of the object', { 'content-md5': md5(SMALL) }],
    ['x-goog-hash', { 'x-goog-hash': `md5=${md5(SMALL)}` }],
    ['x-ms-blob-content-md5', { 'x-ms-blob-content-md5': md5(SMALL) }],
  ])(
    '%s is a proof of an object of one request, and wrong it keeps the object from appearing',
    async (name, headers) => {
      const right = host.put('/told', { body: SMALL, headers })
      expect((await copied(right, `told ${name}`)).proof).toContain('source-md5')
      const wrong = host.put('/untrue', { body: bytesOf(1000, 'another'), headers })
      const { error } = await copied(wrong, `untrue ${name}`)
      expect(error?.exitCode).toBe(8)
      expect(await keysOf(to, `untrue ${name}`)).toEqual([])
    },
  )

  test.each([
    ['x-goog-hash', 'x-goog-hash', value => `crc32c=${value}`],
    ['x-amz-checksum-crc32c', 'x-amz-checksum-crc32c', value => value],
    ['Repr-Digest', 'repr-digest', value => `crc32c=:${value}:`],
  ])('the CRC-32C of %s is compared with that of all parts', async (name, header, write) => {
    const headers = { [header]: write(crc(LARGE, 'crc32c')) }
    const right = host.put('/crc', { body: LARGE, headers })
    expect((await copied(right, `crc ${name}`)).proof).toContain('source-crc32c')
    const wrong = host.put('/wrong-crc', { body: bytesOf(11 * MiB, 'another'), headers })
    const { error } = await copied(wrong, `wrong crc ${name}`)
    expect(error?.exitCode).toBe(8)
    expect(await keysOf(to, `wrong crc ${name}`)).toEqual([])
  })

  test.each([
    ['AWS, of which it is a proof', 'AmazonS3', ['store-crc32', 'source-etag'], SMALL],
    ['another server, where it may be anything', 'nginx', ['store-crc32'], bytesOf(1000, 'another')],
  ])('an ETag that looks like an MD5, of %s', async (name, server, proof, body) => {
    const etag = `"${Buffer.from(md5(SMALL), 'base64').toString('hex')}"`
    const url = host.put('/tag', { body, etag, headers: { server } })
    expect(await copied(url, `tag ${server}`)).toMatchObject({
      proof,
      events: expect.not.arrayContaining([expect.objectContaining({ type: 'notice' })]),
    })
  })

  test('an MD5 of the part that was sent says nothing of the object', async () => {
    const headers = { 'content-md5': md5(SMALL.subarray(0, 1)) }
    const url = host.put('/part-md5', { body: SMALL, headers })
    expect(await copied(url, 'part md5')).toMatchObject({ summary: { bytes: SMALL.length } })
  })
})

describe('--expect-sha256', () => {
  const hex = body => Buffer.from(sha256(body), 'base64').toString('hex')

  test.each([
    ['of one request', SMALL],
    ['in parts', LARGE],
    ['of no byte', Buffer.alloc(0)],
  ])('an object %s is read once more, and copied if it fits', async (name, body) => {
    const url = host.put(`/sha-${encodeURIComponent(name)}`, { body })
    const expectSha256 = hex(body).toUpperCase()
    const { error, events, summary } = await copied(url, `sha ${name}`, { expectSha256 })
    expect(error).toBeUndefined()
    expect(summary.bytes).toBe(body.length)
    expect(events[0]).toMatchObject({ type: 'notice', code: 'READING_FOR_SHA256' })
    expect(await copied(url, `not ${name}`, { expectSha256: hex(bytesOf(1, 'x')) })).toMatchObject({
      ...{ code: 'INPUT_DIFFERS', exitCode: 8 },
      error: { message: expect.stringContaining(`its SHA-256 is ${hex(body)}`) },
    })
    expect(await keysOf(to, `not ${name}`)).toEqual([])
    expect(await xfer.jobs({ env: envOf() })).toEqual([])
  })

  test.each([
    ['of one request', 1000, 4],
    ['in parts', 11 * MiB, 5],
  ])('an object %s that has other bytes when it is copied is not the one that was read', async (name, bytes, from) => {
    const [body, other] = ['one', 'other'].map(seed => bytesOf(bytes, seed))
    const path = `/swapped-${bytes}`
    // Nothing but the bytes tells.
    const later = count => (count >= from ? { body: other } : {})
    const url = host.put(path, { body, etag: null, modified: null, later })
    const { error } = await copied(url, `swapped ${name}`, { expectSha256: hex(body) })
    expect(error?.exitCode).toBe(8)
    expect(await keysOf(to, `swapped ${name}`)).toEqual([])
  })

  test('an object without ranges is read once, and compared', async () => {
    const url = host.put('/sha-stream', { body: LARGE, ranges: false })
    expect(await copied(url, 'sha stream', { expectSha256: hex(LARGE) })).toMatchObject({
      summary: { bytes: LARGE.length },
    })
    expect(await copied(url, 'no stream', { expectSha256: hex(SMALL) })).toMatchObject({
      code: 'INPUT_DIFFERS',
      exitCode: 8,
    })
    expect(await keysOf(to, 'no stream')).toEqual([])
  })

  test('a dry run reads nothing, and says what would be read', async () => {
    const url = host.put('/sha-dry', { body: SMALL })
    const { notices } = await copied(url, 'dry', { expectSha256: hex(LARGE), dryRun: true })
    expect(notices).toEqual(['READING_FOR_SHA256'])
    expect(host.requestsOf('/sha-dry')).toHaveLength(1)
  })

  test('an object of a store, too', async () => {
    const url = host.put('/sha-store', { body: SMALL })
    await copied(url, 'sha store')
    const env = envOf(sideEnv('SOURCE', store))
    expect(await copied('s3://target/sha store', 'sha copy', { expectSha256: hex(SMALL), env })).toMatchObject({
      summary: {},
    })
    expect(await copied('s3://target/sha store', 'sha none', { expectSha256: hex(LARGE), env })).toMatchObject({
      exitCode: 8,
    })
  })

  test.each([
    [{ expectSha256: 'abc' }, /not a SHA-256/],
    [{ expectSha256: hex(SMALL), verify: 'size' }, /compare nothing/],
  ])('%j is refused', async (options, message) => {
    const url = host.put('/sha-bad', { body: SMALL })
    expect(await copied(url, 'sha bad', options)).toMatchObject({
      code: 'USAGE',
      error: { message: expect.stringMatching(message) },
    })
  })
})

describe('secrets', () => {
  const SECRETS = /SECRET/
  const seen = () =>
    readdirSync(state, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')

  test('a query reaches the server, and neither messages, events nor the journal; a resume asks for it', async () => {
    const path = '/secret?X-Amz-Signature=SECRET1&id=SECRET2'
    const url = host.put(path, { body: LARGE, later: { status: 500 } })
    const failed = await copied(url, 'secret', { onFailure: 'keep', outageTimeout: '1s' })
    expect(failed.error.facts.job).toBeDefined()
    expect(inspect([failed.error, failed.events], { depth: null, showHidden: true })).not.toMatch(SECRETS)
    expect(seen()).not.toMatch(SECRETS)
    const env = envOf()
    const { job } = failed.error.facts
    await expect(xfer.resume(job, { env })).rejects.toMatchObject({ code: 'USAGE', message: /has a query/ })
    // Signed anew, it is the same object.
    const again = host.put('/secret?X-Amz-Signature=SECRET3&id=SECRET2', { body: LARGE })
    const { summary, events } = await copied(again, 'secret')
    expect(summary.job ?? events.some(({ type }) => type === 'resume')).toBeTruthy()
    expect(await xfer.jobs({ env })).toEqual([])
  })

  test('a header reaches the server, and neither messages, events nor the journal; a resume asks for it', async () => {
    const wants = { authorization: 'Bearer SECRET' }
    const url = host.put('/header', { body: LARGE, wants, later: { status: 500 } })
    expect(await copied(url, 'header')).toMatchObject({ code: 'ACCESS_DENIED' })
    host.put('/header', { body: LARGE, wants, later: { status: 500 } })
    const header = ['Authorization: Bearer SECRET']
    const failed = await copied(url, 'header', { onFailure: 'keep', outageTimeout: '1s', source: { header } })
    expect(inspect([failed.error, failed.events], { depth: null, showHidden: true })).not.toMatch(SECRETS)
    expect(seen()).not.toMatch(SECRETS)
    const env = envOf()
    const { job } = failed.error.facts
    await expect(xfer.resume(job, { env })).rejects.toMatchObject({ code: 'USAGE', message: /\(authorization\)/ })
    host.put('/header', { body: LARGE, wants })
    expect(await xfer.resume(job, { env, source: { header } })).toMatchObject({ bytes: LARGE.length })
  })
})

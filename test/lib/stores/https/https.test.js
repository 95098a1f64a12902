'use strict'

/** Addresses, headers of the user, and what the answers of a web server mean. */

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { join } = require('node:path')
const { inspect } = require('node:util')
const stores = require('../../../../lib/stores')
const { makeHome } = require('../../../support/home')
const { keep } = require('../../../support/opened')
const { serve } = require('../../../support/serving')
const { thrownBy } = require('../../../support/thrown')
const { expiryOf, explainAnswer, foundIn, isWideSas } = require('../../../../lib/stores/https/answers')

const { completeDestination, identify, openStore, parsePlace, placeText, resolveSettings } = stores
const place = text => parsePlace(text, 'source')

describe('an address', () => {
  test.each([
    ['http://[::1]:8080/x', '[::1]:8080', 'x', ''],
    ['https://bücher.example/x', 'xn--bcher-kva.example', 'x', ''],
    ['https://host/a/../b/./c//d', 'host', 'a/../b/./c//d', ''],
    ['https://host/ä b%', 'host', '%C3%A4%20b%25', ''],
    ['https://host/path?a=b c&d=ü#fragment', 'host', 'path', '?a=b%20c&d=%C3%BC'],
  ])('%s', (text, container, key, query) => {
    expect(place(text)).toMatchObject({ scheme: expect.stringMatching(/^https?$/), container, key })
    expect(place(text).query()).toBe(query)
    expect(placeText(place(text))).toBe(`${place(text).scheme}://${container}/${key}`)
    expect(inspect(place(text), { depth: null, showHidden: true })).not.toContain('d=')
  })

  test.each([
    ['https://user:SECRET@host/path', /user name or password.*--source-header/],
    ['https://host/a\nb', /characters/],
    ['http://host/path?X-Amz-Signature=SECRET', /for sources only, with a presigned URL too/, 'destination'],
  ])('%j is refused with its reason, and without what may be a secret', (text, reason, side = 'source') => {
    const error = thrownBy(() => parsePlace(text, side))
    expect(error).toMatchObject({ code: 'BAD_LOCATION', exitCode: 2, message: expect.stringMatching(reason) })
    expect(inspect(error, { depth: null })).not.toContain('SECRET')
  })

  test('gives its copy its own name, without its query and decoded', () => {
    const folder = parsePlace('s3://bucket/x/', 'destination')
    expect(completeDestination(folder, place('https://host/a/%E2%82%AC.tar?x=y'), false).key).toBe('x/€.tar')
  })

  test('signed anew is the same object; with another query, host or scheme it is another one', () => {
    const idOf = text => identify(place(text), { endpoint: `${place(text).scheme}://${place(text).container}` }).id
    const signed = 'https://host/path?versionId=7&X-Amz-Date=1&X-Amz-Signature=a'
    const plain = 'https://host/path'
    expect(idOf(signed)).toBe(idOf('https://host/path?X-Amz-Date=2&X-Amz-Signature=b&versionId=7'))
    expect(idOf('https://host/path?sv=1&sig=a&se=2')).toBe(idOf(plain))
    const others = [plain, `${plain}?versionId=8`, 'https://other/path?versionId=7', 'http://host/path']
    expect(new Set([signed, ...others].map(idOf)).size).toBe(5)
    expect(idOf(signed)).not.toContain('versionId')
  })

  test.each([
    ['?X-Amz-Date=20261123T100000Z&X-Amz-Expires=900', '2026-11-23T10:15:00Z'],
    ['?sv=1&se=2026-11-23T11%3A00%3A00Z&sig=x', '2026-11-23T11:00:00Z'],
    ['?Expires=1795431600&Signature=x', '2026-11-23T11:00:00Z'],
    ['?X-Amz-Date=x&X-Amz-Expires=1', undefined],
  ])('%s ends at %s', (query, time) => expect(expiryOf(`https://host/path${query}`)).toBe(time && Date.parse(time)))

  test.each([
    ['?sv=1&sr=b&sig=a', false],
    ['?sv=1&sr=c&sig=a', true],
    ['?sv=1&ss=b&srt=sco&sig=a', true],
  ])('%s is good for more than one blob: %s', (query, is) => expect(isWideSas(`https://host/path${query}`)).toBe(is))
})

/** What a read sends, and what the settings say. */
async function sent(address, options = {}) {
  const settings = await resolveSettings(place(address), 'source', options, { HOME: '/nowhere' })
  const store = openStore(place(address), settings)
  const { request } = await store.read({ key: place(address).key, etag: '"e"' })
  store.close()
  return { settings, store, headers: request.headers, url: request.url }
}

test.each([
  ['an object', { 'X-Token': 'SECRET', accept: 'text/csv' }],
  ['lines', ['X-Token: SECRET', 'Accept:text/csv ']],
])('headers given as %s are sent, and functions may not have them', async (_, header) => {
  const { headers, store, settings } = await sent('https://host/path', { header })
  expect(headers).toMatchObject({ 'x-token': 'SECRET', accept: 'text/csv', 'if-match': '"e"' })
  expect(store.can.secret).toMatchObject({ name: expect.stringContaining('--source-header') })
  expect(settings.keep).toEqual({ headerNames: 'x-token, accept', queryDigest: undefined })
  expect(inspect([settings, store], { depth: null, showHidden: true })).not.toContain('SECRET')
})

test('a file of headers has one a line', async () => {
  const folder = makeHome({ headers: '# mine\n\nX-One: 1\r\nX-Two: é\n' })
  const { headers } = await sent('https://host/path', { header: [`@${join(folder, 'headers')}`] })
  expect(headers).toMatchObject({ 'x-one': '1', 'x-two': 'Ã©' })
})

test.each([
  ['Host', ['Host: x']],
  ['a line end', { x: 'SECRET\r\ny: z' }],
  ['one that is there twice', ['X: SECRET', 'x: SECRET']],
])('the header %s is refused, and no value is printed', async (_, header) => {
  const error = await sent('https://host/path', { header }).catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'USAGE' })
  expect(inspect(error, { depth: null })).not.toContain('SECRET')
})

test('a SAS of a whole container is for no function; one of a blob is', async () => {
  const secretOf = async sr => (await sent(`https://acc.blob.core.windows.net/c/b?sr=${sr}&sig=x`)).store.can.secret
  expect([await secretOf('c'), await secretOf('b')]).toMatchObject([{ name: 'SAS of more than one blob' }, undefined])
})

describe('what the headers of an answer tell', () => {
  const PIECE = Buffer.from('x')
  const md5 = body => createHash('md5').update(body).digest('base64')
  const MD5 = md5('all')
  const [hex, CRC] = [Buffer.from(MD5, 'base64').toString('hex'), 'AAAAAQ==']
  const packed = { 'x-goog-hash': `md5=${MD5}`, 'x-goog-stored-content-encoding': 'gzip' }

  test.each([
    [{ 'x-goog-hash': `crc32c=${CRC},md5=${MD5}` }, { crc32c: '00000001', md5: hex }],
    // What Google keeps packed it sends unpacked: these are checksums of other bytes.
    [packed, undefined],
    [{ ...packed, 'content-encoding': 'gzip' }, { md5: hex }],
    [{ 'x-amz-checksum-crc32': CRC, 'x-amz-checksum-type': 'FULL_OBJECT' }, { crc32: '00000001' }],
    [{ 'x-amz-checksum-crc32c': CRC, 'x-amz-checksum-type': 'COMPOSITE' }, undefined],
    [{ 'repr-digest': `md5=:${MD5}:, crc32c=:${CRC}:` }, { md5: hex, crc32c: '00000001' }],
    [{ 'content-md5': MD5 }, { md5: hex }],
    // Some servers mean the part that they send.
    [{ 'content-md5': md5(PIECE) }, undefined],
  ])('%j: the checksums %j', (headers, sums) => expect(foundIn(headers, PIECE).description.sums).toEqual(sums))

  const date = 'Wed, 01 Jul 2026 10:00:00 GMT'
  test.each([
    [{ etag: '"one"', 'last-modified': date }, 'strong', '"one"'],
    [{ etag: 'W/"one"' }, 'weak', 'W/"one"'],
    [{ etag: 'no quotes', 'last-modified': date }, 'date', date],
    [{ 'last-modified': 'yesterday' }, 'size', ''],
  ])('%j: a change is noticed by %s', (headers, pin, etag) => expect(foundIn(headers)).toMatchObject({ pin, etag }))

  const tag = `"${hex}"`
  test.each([
    [{ server: 'AmazonS3', etag: tag }, true],
    [{ server: 'AmazonS3', etag: tag, 'x-amz-server-side-encryption': 'aws:kms' }, false],
    [{ server: 'nginx', etag: tag }, false],
  ])('%j: that its ETag is an MD5 is %s', (headers, is) => expect(foundIn(headers).md5Tag).toBe(is))
})

const PLAIN = 'https://host/path'
const FACTS = { side: 'source', bucket: 'host', endpoint: 'https://host', location: PLAIN, key: 'path' }
const signed = time => `${PLAIN}?X-Amz-Date=${time}&X-Amz-Expires=60&X-Amz-Signature=SECRET`
test('a source that is silent while its reader waits fails once that reads on', async () => {
  const half = http.createServer((_, response) => response.writeHead(200, { 'content-length': 9 }).write('12345'))
  const { endpoint } = await keep(serve(half))
  const at = place(`${endpoint}/x`)
  const store = openStore(at, { ...(await resolveSettings(at, 'source', {}, {})), silenceMs: 500 })
  await expect(store.head('x')).rejects.toMatchObject({ code: 'NO_RANGES' })
  const { body } = await store.stream('x')
  await once(body, 'timeout')
  const read = body.toArray({ signal: AbortSignal.timeout(9_000) })
  await expect(read).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

const explain = (answer, { url = PLAIN, redirected = false } = {}) =>
  explainAnswer({ of: 'read', ...answer }, FACTS, { url, redirected, nowMs: Date.parse('2026-11-23T12:00:00Z') })
const document = code => `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>SECRET</Message></Error>`

const ended = signed('20261123T115800Z')
const NEW = /new address.*goes on with the job/
test.each([
  ['of a plain address', { status: 403 }, {}, 'ACCESS_DENIED'],
  ['of its range', { status: 416 }, {}, 'SOURCE_CHANGED'],
  ['with the document of a store', { status: 403, body: document('NoSuchKey') }, {}, 'NO_SUCH_KEY'],
  ['with a page', { status: 403, body: '<html><Code>NoSuchKey</Code></html>' }, {}, 'ACCESS_DENIED'],
  ['of an address that has ended', { status: 403 }, { url: ended }, 'CREDENTIALS_EXPIRED', NEW],
  ['of an address that has not', { status: 403 }, { url: signed('20261123T115930Z') }, 'ACCESS_DENIED'],
  ['after a redirect', { status: 403 }, { redirected: true }, 'CREDENTIALS_EXPIRED', /follows the redirect again/],
])('a refusal %s', (_, answer, where, code, hint = /./) => {
  const error = explain(answer, where)
  expect(error).toMatchObject({ code, facts: { side: 'source', status: answer.status } })
  expect(error.hint).toMatch(hint)
  expect(JSON.stringify(error)).not.toContain('SECRET')
})

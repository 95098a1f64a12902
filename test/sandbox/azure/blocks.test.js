'use strict'

const { createHash } = require('node:crypto')
const { startAzureStore } = require('../../../sandbox/azure')
const { blockId, blockRequest, call, listRequest, putRequest, useStore } = require('./support')

const WEEK_MS = 7 * 24 * 3_600_000
const using = useStore({ containers: ['photos'] })
/** Each test has its own: nothing deletes uncommitted blocks. */
let path
let tests = 0
/** Of the check string, as it is known of CRC-64/NVME: 0xAE8B14860A799888, lowest byte first. */
const CHECKED = { bytes: '123456789', crc64: 'iJh5CoYUi64=' }

const put = (id, body, headers) => call(using.store, blockRequest(path, id, body, headers))
const commit = (ids, headers) => call(using.store, listRequest(path, ids, headers))
const listed = (kind = 'all', at = path) =>
  call(using.store, { path: at, query: { comp: 'blocklist', blocklisttype: kind } })
const namesIn = text => [...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name)
const read = async () => (await call(using.store, { path })).text

beforeEach(() => {
  path = `/photos/2026/${++tests}.tar`
})

describe('a block', () => {
  test('is answered with the CRC-64 of what was stored', async () => {
    const { status, headers } = await put(blockId(1), CHECKED.bytes)
    expect({ status, crc: headers['x-ms-content-crc64'], md5: headers['content-md5'] }).toEqual({
      status: 201,
      crc: CHECKED.crc64,
    })
  })

  test('is answered with the MD5 if that was sent', async () => {
    const md5 = createHash('md5').update('one').digest('base64')
    const { status, headers } = await put(blockId(1), 'one', { 'content-md5': md5 })
    expect({ status, crc: headers['x-ms-content-crc64'], md5: headers['content-md5'] }).toEqual({ status: 201, md5 })
  })

  test.each([
    ['MD5', { 'content-md5': createHash('md5').update('other').digest('base64') }, 'Md5Mismatch'],
    ['CRC-64', { 'x-ms-content-crc64': CHECKED.crc64 }, 'Crc64Mismatch'],
    ['half an MD5', { 'content-md5': 'AAAA' }, 'InvalidMd5'],
  ])('is refused with a wrong %s, and not kept', async (_, headers, code) => {
    expect(await put(blockId(1), 'one', headers)).toMatchObject({ status: 400, code })
    expect(await listed()).toMatchObject({ status: 404, code: 'BlobNotFound' })
  })

  test.each([
    ['not base64', 'not base64!'],
    ['of more than 64 bytes', Buffer.alloc(65).toString('base64')],
  ])('is refused with an id that is %s', async (_, id) => {
    expect(await put(id, 'one')).toMatchObject({ status: 400, code: 'InvalidQueryParameterValue' })
  })

  test('needs an id as long as those of the others', async () => {
    await put(blockId(1), 'one')
    expect(await put(Buffer.from('short').toString('base64'), 'two')).toMatchObject({ code: 'InvalidBlobOrBlock' })
    await commit([blockId(1)])
    expect(await put(Buffer.from('short').toString('base64'), 'two')).toMatchObject({ code: 'InvalidBlobOrBlock' })
  })

  test('replaces the one with its id, whoever wrote that', async () => {
    await put(blockId(1), 'mine')
    await put(blockId(1), 'theirs')
    await commit([blockId(1)])
    expect(await read()).toBe('theirs')
  })

  test('takes no conditions', async () => {
    expect(await put(blockId(1), 'one', { 'if-none-match': '*' })).toMatchObject({
      code: 'ConditionHeadersNotSupported',
    })
  })

  test('of nothing is refused', async () => {
    expect(await put(blockId(1), '')).toMatchObject({ status: 400 })
  })

  test('of more than its version allows is refused before its bytes are read', async () => {
    const { store } = using
    const request = blockRequest(path, blockId(1), '')
    const headers = {
      'content-length': String(4 * 1024 ** 2 + 1),
      'x-ms-version': '2015-12-11',
      expect: '100-continue',
    }
    expect(await call(store, { ...request, body: undefined, headers })).toMatchObject({ code: 'RequestBodyTooLarge' })
  })

  test('vanishes a week after the last one', async () => {
    await put(blockId(1), 'one')
    using.store.stepClock(WEEK_MS - 60_000)
    const date = () => ({ date: new Date(Date.now() + WEEK_MS - 60_000) })
    expect((await call(using.store, blockRequest(path, blockId(2), 'two'), date())).status).toBe(201)
    using.store.stepClock(60_000 - WEEK_MS)
    using.store.stepClock(2 * WEEK_MS)
    const later = { date: new Date(Date.now() + 2 * WEEK_MS) }
    const answer = await call(using.store, listRequest(path, [blockId(1)]), later)
    using.store.stepClock(-2 * WEEK_MS)
    expect(answer).toMatchObject({ status: 400, code: 'InvalidBlockList' })
  })
})

describe('the limits of blocks', () => {
  let store
  beforeAll(async () => {
    store = await startAzureStore({ containers: ['photos'], maxBlocks: 2, maxUncommitted: 3, maxBlockBytes: 4 })
  })
  afterAll(() => store?.close())
  const ids = [1, 2, 3, 4].map(number => blockId(number))

  test('are of their size and number, uncommitted and committed', async () => {
    const answers = []
    for (const id of ids) answers.push((await call(store, blockRequest('/photos/a', id, 'one'))).code)
    expect(answers).toEqual([undefined, undefined, undefined, 'BlockCountExceedsLimit'])
    // One that replaces another is none more.
    expect(await call(store, blockRequest('/photos/a', ids[0], 'two'))).toMatchObject({ status: 201 })
    expect(await call(store, blockRequest('/photos/a', ids[0], 'large'))).toMatchObject({ status: 413 })
    expect(await call(store, listRequest('/photos/a', ids.slice(0, 3)))).toMatchObject({ code: 'BlockListTooLong' })
    expect(await call(store, listRequest('/photos/a', ids.slice(0, 2)))).toMatchObject({ status: 201 })
  })
})

describe('the list of blocks', () => {
  test('tells uncommitted and committed ones, with their sizes', async () => {
    await put(blockId(1), 'one')
    await commit([blockId(1)])
    await put(blockId(2), 'three')
    expect(namesIn((await listed('committed')).text)).toEqual([blockId(1)])
    expect(namesIn((await listed('uncommitted')).text)).toEqual([blockId(2)])
    expect((await listed()).text).toContain(`<Name>${blockId(2)}</Name><Size>5</Size>`)
  })
})

describe('a commit', () => {
  test('puts the blocks together in its own order', async () => {
    await put(blockId(1), 'one')
    await put(blockId(2), 'two')
    expect(await commit([blockId(2), blockId(1)])).toMatchObject({ status: 201 })
    expect(await read()).toBe('twoone')
  })

  test('drops all blocks that it does not name, those of others too', async () => {
    await put(blockId(1, 'writer-a'), 'one')
    await put(blockId(1, 'writer-b'), 'two')
    await commit([blockId(1, 'writer-a')])
    expect(namesIn((await listed('uncommitted')).text)).toEqual([])
    expect(await commit([blockId(1, 'writer-b')])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
    expect(await read()).toBe('one')
  })

  test('is answered with the CRC-64 of the list, not of the blob', async () => {
    await put(blockId(1), CHECKED.bytes)
    const { headers } = await commit([blockId(1)])
    expect(headers['x-ms-content-crc64']).toMatch(/^.{11}=$/)
    expect(headers['x-ms-content-crc64']).not.toBe(CHECKED.crc64)
  })

  test('keeps to its conditions', async () => {
    await put(blockId(1), 'one')
    const first = await commit([blockId(1)], { 'if-none-match': '*' })
    expect(first.status).toBe(201)
    await put(blockId(2), 'two')
    expect(await commit([blockId(2)], { 'if-none-match': '*' })).toMatchObject({
      status: 409,
      code: 'BlobAlreadyExists',
    })
    expect(await commit([blockId(2)], { 'if-match': '"0x8D0"' })).toMatchObject({
      status: 412,
      code: 'ConditionNotMet',
    })
    expect(await commit([blockId(2)], { 'if-match': first.headers.etag })).toMatchObject({ status: 201 })
    expect(await read()).toBe('two')
  })

  test('with If-Match of a blob that is not there is refused', async () => {
    await put(blockId(1), 'one')
    expect(await commit([blockId(1)], { 'if-match': '"0x8D0"' })).toMatchObject({ status: 412 })
  })

  test('of blocks that are committed already keeps them', async () => {
    await put(blockId(1), 'one')
    await commit([blockId(1)])
    await put(blockId(2), 'two')
    const body = `<BlockList><Committed>${blockId(1)}</Committed><Latest>${blockId(2)}</Latest></BlockList>`
    expect(await call(using.store, { method: 'PUT', path, query: { comp: 'blocklist' }, body })).toMatchObject({
      status: 201,
    })
    expect(await read()).toBe('onetwo')
  })

  test('of no block makes an empty blob', async () => {
    expect(await commit([])).toMatchObject({ status: 201 })
    expect(await call(using.store, { method: 'HEAD', path })).toMatchObject({ headers: { 'content-length': '0' } })
  })

  test.each([['<BlockList><Wrong>x</Wrong></BlockList>'], ['<BlockList>'], ['{}']])('of %s is refused', async body => {
    const answer = await call(using.store, { method: 'PUT', path, query: { comp: 'blocklist' }, body })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidXmlDocument' })
  })

  test('a Put Blob drops uncommitted blocks', async () => {
    await put(blockId(1), 'one')
    await call(using.store, putRequest(path, 'whole'))
    expect(await commit([blockId(1)])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
  })
})

'use strict'

const { createHash } = require('node:crypto')
const { startAzureStore } = require('../../../sandbox/azure')
const { blockId, blockRequest, call, listRequest, putRequest, useStore } = require('./support')

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

  test('replaces the one with its id, whoever wrote that', async () => {
    await put(blockId(1), 'mine')
    await put(blockId(1), 'theirs')
    await commit([blockId(1)])
    expect(await read()).toBe('theirs')
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

describe('a commit', () => {
  test('drops all blocks that it does not name, those of others too', async () => {
    await put(blockId(1, 'writer-a'), 'one')
    await put(blockId(1, 'writer-b'), 'two')
    await commit([blockId(1, 'writer-a')])
    expect(namesIn((await listed('uncommitted')).text)).toEqual([])
    expect(await commit([blockId(1, 'writer-b')])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
    expect(await read()).toBe('one')
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

  test('a Put Blob drops uncommitted blocks', async () => {
    await put(blockId(1), 'one')
    await call(using.store, putRequest(path, 'whole'))
    expect(await commit([blockId(1)])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
  })
})

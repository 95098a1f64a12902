'use strict'

/** What the Azure service refuses, and what becomes of blocks that a commit does not name. */

const { createHash } = require('node:crypto')
const { blockId, blockRequest, call, listRequest, putRequest, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
/** Each test has its own: nothing deletes uncommitted blocks. */
let path
let tests = 0
beforeEach(() => {
  path = `/photos/${++tests}`
})

const put = (body = 'hello', headers) => call(using.store, putRequest(path, body, headers))
const get = headers => call(using.store, { path, headers })
const block = (id, body, headers) => call(using.store, blockRequest(path, id, body, headers))
const commit = (ids, headers) => call(using.store, listRequest(path, ids, headers))

describe('a write', () => {
  const md5 = createHash('md5').update('other').digest('base64')
  /** CRC-64/NVME of 123456789: 0xAE8B14860A799888, lowest byte first. */
  const crc64 = 'iJh5CoYUi64='

  test.each([
    [blockId(1), { 'content-md5': md5 }, 'Md5Mismatch'],
    [blockId(1), { 'x-ms-content-crc64': crc64 }, 'Crc64Mismatch'],
    [blockId(1), { 'content-md5': 'AAAA' }, 'InvalidMd5'],
    ['not base64!', {}, 'InvalidQueryParameterValue'],
  ])('of the block %s with %j is refused, and not kept', async (id, headers, code) => {
    expect(await block(id, 'one', headers)).toMatchObject({ status: 400, code })
    expect(await commit([blockId(1)])).toMatchObject({ code: 'InvalidBlockList' })
  })

  test('of a block is answered with the CRC-64 of what was stored', async () => {
    expect((await block(blockId(1), '123456789')).headers['x-ms-content-crc64']).toBe(crc64)
  })
})

test('a commit drops all blocks that it does not name, those of others too, as a Put Blob does', async () => {
  await block(blockId(1, 'writer-a'), 'one')
  await block(blockId(1, 'writer-b'), 'two')
  await commit([blockId(1, 'writer-a')])
  expect(await commit([blockId(1, 'writer-b')])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
  await block(blockId(1), 'three')
  await put('whole')
  expect(await commit([blockId(1)])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
  expect((await get()).text).toBe('whole')
})

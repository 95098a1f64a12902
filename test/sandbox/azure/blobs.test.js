'use strict'

/** What the Azure service refuses, and what its blocks and faults do. */

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
const add = rule => using.store.faults.add(rule)
/** The status, or the code of a broken connection. */
const outcome = promise =>
  promise.then(
    ({ status }) => status,
    error => error.code,
  )

test.each([
  [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
  [{ range: 'bytes=7-99' }, 206, '789', 'bytes 7-9/10'],
  [{ 'x-ms-range': 'bytes=0-0', range: 'bytes=5-6' }, 206, '0', 'bytes 0-0/10'],
  [{ range: 'bytes=-3' }, 200, '0123456789', undefined],
])('a read with %j', async (headers, status, text, range) => {
  await put('0123456789')
  const answer = await get(headers)
  expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, range])
})

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

describe('faults', () => {
  test.each([
    [{ nth: 1, status: 503 }, 503, 404],
    [{ loseAnswer: true }, 'ECONNRESET', 200],
  ])('%j of a commit', async (rule, status, left) => {
    await block(blockId(1), 'one')
    add({ operation: 'PutBlockList', ...rule })
    expect(await outcome(commit([blockId(1)], { 'if-none-match': '*' }))).toBe(status)
    expect(await get()).toMatchObject({ status: left })
  })

  test('of a block: its CRC-64 is missing, a byte is flipped on its way or on the disk', async () => {
    const body = Buffer.alloc(10_000, 'ab')
    const sum = async (rule = {}) => {
      const { remove } = add({ operation: 'PutBlock', ...rule })
      const { headers } = await block(blockId(1), body)
      remove()
      return headers['x-ms-content-crc64']
    }
    const right = await sum()
    expect(await sum({ crc: 'none' })).toBeUndefined()
    expect(await sum({ flipByteAt: 1000 })).not.toBe(right)
    expect(await sum({ flipByteAt: 1000, on: 'stored' })).toBe(right)
    await commit([blockId(1)])
    expect((await get()).bytes.equals(body)).toBe(false)
  })
})

'use strict'

/** What a store copies by itself until it refuses, and the engine does the rest. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { counted } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

test('a store that refuses half-way keeps what it copied, and the engine does the rest', async () => {
  const big = bytesOf(11 * 1024 ** 2)
  const server = await startStore({ faults: [{ operation: 'UploadPartCopy', partNumber: 3, status: 403 }] })
  const route = await openRoute({ source: server })
  await put(route.from, 'big', big)
  const flags = ['--route', 'auto', '--concurrency', '1', '--on-failure', 'keep']
  const { result, asked } = await counted(server, () => route.copy('big', 'half', flags))
  expect(result).toMatchObject({ status: 0, last: { engine: 'local', resumedBytes: 10 * 1024 ** 2 } })
  expect([asked.UploadPartCopy, asked.UploadPart, asked.CreateMultipartUpload]).toEqual([3, 1, 1])
  expect((await get(route.to, 'half')).equals(big)).toBe(true)
})

'use strict'

/** A copy that a store makes by itself until it refuses: what it copied is kept, and the engine does the rest. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { counted } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BIG = bytesOf(11 * MiB)

test('a store that refuses half-way keeps what it copied, and the engine does the rest', async () => {
  const server = await startStore({ faults: [{ operation: 'UploadPartCopy', partNumber: 3, status: 403 }] })
  const route = await openRoute({ source: server })
  await put(route.from, 'big', BIG)
  const flags = ['--route', 'auto', '--concurrency', '1', '--on-failure', 'keep']
  const { result, asked } = await counted(server, () => route.copy('big', 'half', flags))
  expect(result).toMatchObject({ status: 0, last: { engine: 'local', resumedBytes: 10 * MiB } })
  expect([asked.UploadPartCopy, asked.UploadPart, asked.CreateMultipartUpload]).toEqual([3, 1, 1])
  expect((await get(route.to, 'half')).equals(BIG)).toBe(true)
})

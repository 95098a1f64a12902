'use strict'

/** What the experiments of bench/ are made of. They are run by hand, against real servers. */

const { compare, tableOf } = require('../../bench/experiments/buckets')
const { createLightClient, momentOf, namesIn, placeOf } = require('../../bench/experiments/client-strategies')
const { claimsOf, crossoverOf } = require('../../bench/experiments/response-times')
const { keep, startStore } = require('../support/opened')
const { bytesOf } = require('../support/s3')

describe('the light client', () => {
  let server
  let client
  beforeAll(async () => {
    server = await startStore({ buckets: ['bench'] })
    client = keep(createLightClient(server, 'bench'))
  })

  test('writes and reads objects of any bytes, several at once, with signatures and checksums that the store checks', async () => {
    const bodies = [0, 1, 4096, 300_000].map(bytes => bytesOf(bytes))
    await Promise.all(bodies.map((body, i) => client.put(`a/${i}`, body)))
    const found = await Promise.all(bodies.map((_, i) => client.get(`a/${i}`)))
    expect(found.map((body, i) => body.equals(bodies[i]))).toEqual([true, true, true, true])
  })

  test('fails with what the store answers, and goes on', async () => {
    await expect(client.get('none')).rejects.toThrow(/^GET \/bench\/none .*404 .*NoSuchKey/s)
    const stranger = keep(createLightClient({ ...server, secretAccessKey: 'wrong' }, 'bench'))
    await expect(stranger.put('b', bytesOf(1))).rejects.toThrow(/403 .*SignatureDoesNotMatch/s)
    await client.put('b', bytesOf(2))
    expect(await client.get('b')).toEqual(bytesOf(2))
  })
})

test('names end with their number, and with the time', () => {
  const { take } = namesIn('a/', 2)
  expect([take(), take(), take()]).toEqual(['a/0/0', 'a/0/1', undefined])
  expect(namesIn('a/', 2, 0).take()).toBeUndefined()
})

describe('what the figures say', () => {
  const run = (operations, cpuSeconds, serverCpuSeconds) => ({ seconds: 1, operations, cpuSeconds, serverCpuSeconds })
  const row = (name, one, more) => ({ name, kind: 'sdk', runs: [{ put: one, get: one }], ...more })
  const light = (atOnce, ...figures) => row(`light ${atOnce}`, run(...figures), { kind: 'light', atOnce })

  test('the server limits where more connections bring no more, and it has most of the processors', () => {
    const rows = [light(1, 1000, 0.1, 0.2), light(2, 2000, 0.2, 0.6), light(4, 2050, 0.2, 1.5)]
    expect(momentOf(rows, 'put')).toMatch(/^puts: the server limits from 2 connections .*\(2000\/s; .*0\.60 of/)
    const few = [light(1, 1000, 0.9, 0.2), light(2, 1010, 1, 0.2)]
    expect(momentOf(few, 'get')).toMatch(/^gets: the client limits from 1 /)
  })

  test('xfer is at the top, or it is said who is ahead', () => {
    const xfer = row('xfer', run(1500, 1, 1), { kind: 'xfer' })
    const placed = (...others) => placeOf([xfer, light(1, 1000, 1, 1), ...others], 'put')
    expect(placed()).toBe('puts: xfer is at the top.')
    expect(placed(light(2, 3000, 1, 1))).toBe('puts: xfer has 1 of 2 ahead of it: 0.50 of "light 2".')
  })
})

test('buckets in pairs each bucket that can be made is filled and read in every round; the table tells of the others', async () => {
  const rows = await compare(await startStore(), { bytes: 1000, rounds: 20, settleMs: 0 })
  const made = rows.filter(({ refused }) => refused === undefined)
  for (const { found } of made) expect([found.put.low <= found.put.ratio, found.get.ms > 0]).toEqual([true, true])
  expect(made.length).toBeGreaterThanOrEqual(4)
  const told = tableOf([...rows, { what: 'odd', refused: 'InvalidBucketName' }], 1000).rows
  expect(told[0].filter((_, i) => i % 2 === 0)).toEqual([rows[0].what, '1', '1'])
  expect(told.at(-1)).toEqual(['odd', 'not made', 'InvalidBucketName', 'not made', 'InvalidBucketName'])
})

describe('a database or a bucket', () => {
  test('where the times cross, or who is ahead everywhere', () => {
    const times = (...pairs) => pairs.map(([size, database, bucket]) => ({ size, database, bucket }))
    expect(crossoverOf(times([10_000, 1, 4], [1_000_000, 4, 1]))).toBe('below 100 kB the database, above it the bucket')
    expect(crossoverOf(times([10_000, 4, 1], [1_000_000, 4, 1]))).toBe('the bucket at every size')
  })

  test('how much users add, beside what is claimed', () => {
    const rows = (...ms) => ['put', 'get'].flatMap(op => ms.map((p50, i) => ({ op, users: [1, 3][i], times: { p50 } })))
    const found = [{ size: 1e5, database: rows(10, 20), bucket: rows(10, 13) }]
    expect(claimsOf(found, [1, 3]).at(-1)).toMatch(/grow 2\.0 to 2\.0 times .* the bucket's 1\.3 to 1\.3/)
  })
})

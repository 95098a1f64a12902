'use strict'

/** A checksum that the store computes of what it keeps, and answers: it proves a part, and finds one that is damaged. */

const { copy } = require('../../../../lib')
const { startStore } = require('../../../../sandbox/store')
const { openGoogleStore } = require('../../../support/google')
const { makeHome } = require('../../../support/home')
const { bytesOf, get, openStore, put } = require('../../../support/s3')

const LARGE = bytesOf(11 * 1024 ** 2)
const SMALL = LARGE.subarray(0, 1000)
const PART = { operation: 'UploadPart', partNumber: 2, flipByteAt: 7 }

let s3
let google
let to
beforeAll(async () => {
  s3 = await startStore({ buckets: ['bucket'] })
  google = await startStore({ mode: 'google', buckets: ['bucket'] })
  to = openGoogleStore(google, 'bucket')
  const from = openStore(s3, 'bucket')
  await put(from, 'large', LARGE)
  await put(from, 'small', SMALL)
  from.close()
})
afterEach(() => google.faults.clear())
afterAll(async () => {
  to?.close()
  await Promise.all([s3?.close(), google?.close()])
})

async function copied(source, key, more = {}) {
  const events = []
  const summary = await copy(`s3://bucket/${source}`, `gs://bucket/${key}`, {
    ...{ chunk: '5MiB', engine: 'local', source: { endpointUrl: s3.endpoint } },
    destination: { endpointUrl: google.endpoint },
    env: {
      ...{ HOME: makeHome({}), AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey },
      ...{ GS_ACCESS_KEY_ID: google.accessKeyId, GS_SECRET_ACCESS_KEY: google.secretAccessKey },
    },
    ...more,
    onEvent: event => events.push(event),
  })
  return { ...summary, codes: events.flatMap(({ code }) => code ?? []) }
}

test.each([
  ['a part', 'large', { ...PART, nth: 1 }, ['PART_CORRUPTED'], LARGE],
  ['an object', 'small', { operation: 'PutObject', nth: 1, flipByteAt: 7 }, ['READING_BACK'], SMALL],
])('%s that is damaged is copied again', async (what, source, fault, codes, body) => {
  google.faults.add(fault)
  expect(await copied(source, what)).toMatchObject({ proof: expect.arrayContaining(['store-crc32c']), codes })
  expect((await get(to, what)).equals(body)).toBe(true)
})

test('a part that is damaged each time ends the copy, and nothing becomes visible', async () => {
  google.faults.add(PART)
  await expect(copied('large', 'wrong')).rejects.toMatchObject({ code: 'PART_CORRUPTED', exitCode: 8 })
  await expect(to.head('wrong')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
})

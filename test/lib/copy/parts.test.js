'use strict'

/** Uploads in parts, against real stores: the completion. */

const { bytesOf, sumsOf, get, openStore, play, uploadsOf, createBuckets } = require('../../support/s3')
const { complete } = require('../../../lib/copy/complete')
const { XferError } = require('../../../lib/errors')
const { withRetry } = require('../../../lib/stores')
const { SERVERS } = require('../../support/servers')
const { isReplaced } = require('../../../lib/copy')

describe('the completion, where others are at work on the same upload', () => {
  const MiB = 1024 ** 2
  const BODY = bytesOf(6 * MiB)
  const PARTS = [BODY.subarray(0, 5 * MiB), BODY.subarray(5 * MiB)]
  const NO_METADATA = { headers: {}, user: {} }

  describe.each(SERVERS)('on $name', ({ start }) => {
    let server
    let store
    beforeAll(async () => {
      server = await start()
      await createBuckets(server, 'bucket')
      store = openStore(server, 'bucket')
    })
    afterAll(async () => {
      store?.close()
      await server?.close()
    })

    /** An upload whose parts are all there, and what completes it. */
    async function ready(key) {
      const upload = await store.upload.create({ key, attributes: { metadata: NO_METADATA }, checksum: true })
      const outcomes = []
      for (const [i, bytes] of PARTS.entries()) {
        const part = { key, uploadId: upload.id, partNumber: i + 1, bytes: bytes.length, checksum: upload.checksums }
        const { headers } = await play((await store.upload.part(part)).request, bytes)
        outcomes.push({ partNumber: i + 1, bytes: bytes.length, etag: headers.etag, sums: sumsOf(bytes) })
      }
      const job = {
        destination: { store: withRetry(store, { retries: 1 }), key, text: `s3://bucket/${key}` },
        settings: { condition: {} },
        run: { emit() {} },
      }
      const work = { job, object: { bytes: BODY.length }, attributes: { metadata: NO_METADATA } }
      const whole = sumsOf(BODY)
      return {
        upload,
        outcomes,
        whole,
        finish: (more = {}, condition = {}) =>
          complete(
            { ...work, job: { ...job, settings: { condition } } },
            { ...upload, checked: true, ...more },
            outcomes,
            { sums: whole },
          ),
      }
    }
    const endOf = promise =>
      promise.then(
        ({ etag }) => etag,
        ({ code }) => code,
      )

    it('an upload that an earlier run completed is known as ours', async () => {
      const first = await ready('earlier')
      const { etag } = await first.finish()
      expect(await endOf(first.finish({ asked: true }))).toBe(etag)
      expect(await endOf(first.finish({ asked: true }, { ifNoneMatch: true }))).toBe(etag)
      expect(await uploadsOf(store, 'earlier')).toEqual([])
    })

    it('two that complete the same upload at once make one object', async () => {
      const { finish } = await ready('twice')
      const ends = await Promise.all([endOf(finish({ asked: true })), endOf(finish({ asked: true }))])
      const { etag } = await store.head('twice')
      expect(ends).toEqual([etag, etag])
      expect((await get(store, 'twice')).equals(BODY)).toBe(true)
      expect(await uploadsOf(store, 'twice')).toEqual([])
    })
  })

  test('whoever stops while a completed object does not show yet is told that, and of no defect', async () => {
    const stop = new AbortController()
    const store = {
      facts: { side: 'destination' },
      can: { partTag: 'md5', sums: { stored: [], checked: [], answered: [] } },
      upload: { complete: async () => ({ etag: '"e-1"' }) },
      async head() {
        setImmediate(() => stop.abort(new XferError('TIMED_OUT', { afterMs: 2000 })))
        throw new XferError('NO_SUCH_KEY', {})
      },
    }
    const job = {
      destination: { store, key: 'key', text: 's3://bucket/key' },
      settings: { condition: {} },
      run: { abort: stop.signal },
    }
    const part = { partNumber: 1, bytes: 1, etag: '"e"', sums: { crc32: '00000001' } }
    const ended = complete({ job, object: { bytes: 1 } }, { id: 'upload', checksums: false }, [part], {
      sums: { crc32: '00000001' },
    })
    await expect(ended).rejects.toMatchObject({ code: 'TIMED_OUT', exitCode: 124 })
  })
})

const begun = { etag: '"one"', bytes: 7, versionId: 'first' }

test.each([
  ['is not replaced if nothing was begun', undefined, begun, [false, false]],
  ['is replaced if it is gone', begun, undefined, [true, true]],
  ['is replaced if its ETag is another', begun, { ...begun, etag: '"two"' }, [true, true]],
  ['may be an equal one of another version', begun, { ...begun, versionId: 'second' }, [true, false]],
])('the object that was there as a job began %s', (_, before, found, expected) => {
  expect([true, false].map(versions => isReplaced(before, found, { versions }))).toEqual(expected)
})

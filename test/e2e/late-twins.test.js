'use strict'

/**
 * A function that was given up, and ends writing its part once the upload is completed: on a store that keeps an upload as
 * a folder, that brings it back.
 */

const { createLocalEngine } = require('../../lib/engines/local/engine')
const { writeMultipart } = require('../../lib/object/multipart')
const { NO_JOURNAL } = require('../../lib/job')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { bytesOf, get, openStore, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const COUNT = 8
const BODY = bytesOf(COUNT * 5 * MiB)
const PARTS = Array.from({ length: COUNT }, (_, i) => ({ partNumber: i + 1, start: i * 5 * MiB, bytes: 5 * MiB }))

test('a twin that ends after the completion leaves no upload', async () => {
  const server = await startStore({ buckets: ['bucket'], lateParts: true })
  const store = openStore(server, 'bucket')
  const engine = createLocalEngine({ threads: 1 })
  try {
    await put(store, 'source', BODY)
    let hedged
    const isHedged = new Promise(resolve => {
      hedged = resolve
    })
    let late
    let sending
    /** Of part 8 the first invocation writes slowly, and nobody can call it back. */
    const run = async (tasks, { parallel }) => {
      if (tasks[0].partNumber !== COUNT) return await engine.run(tasks, { parallel })
      if (late) {
        await sending
        return await engine.run(tasks, { parallel })
      }
      sending = isHedged.then(() => {
        server.faults.add({ operation: 'UploadPart', first: 1, bytesPerSecond: 2 * MiB })
        return eventOf(server, 'begin', ({ operation }) => operation === 'UploadPart')
      })
      late = isHedged.then(() => engine.run(tasks, { parallel }))
      return await late
    }
    await writeMultipart({
      job: {
        source: { store, key: 'source', text: 's3://bucket/source' },
        destination: { store, key: 'copy', text: 's3://bucket/copy' },
        engine: { ...engine, can: { ...engine.can, cancel: false }, run },
        settings: { verify: 'auto', retries: 0, condition: {} },
        run: { journal: NO_JOURNAL, emit: event => event.type === 'hedge' && hedged() },
        keepsUploads: () => false,
      },
      object: await store.head('source'),
      attributes: { metadata: { headers: {}, user: {} } },
      plan: { route: 'multipart', bytes: BODY.length, partBytes: 5 * MiB, parts: PARTS, notices: [] },
      concurrency: 3,
      limits: await engine.limits(),
      restart() {},
      reading: () => () => {},
    })
    expect(await late).toMatchObject([{ partNumber: COUNT, etag: expect.any(String) }])
    expect((await get(store, 'copy')).equals(BODY)).toBe(true)
    expect(await uploadsOf(store, 'copy')).toEqual([])
  } finally {
    store.close()
    await engine.close()
    await server.close()
  }
}, 60_000)

'use strict'

/** A function that was given up, and writes its part once the upload is completed: on stores that keep an upload as a folder that brings it back. */

const { createLocalEngine } = require('../../lib/engines/local')
const { writeMultipart } = require('../../lib/multipart')
const { NO_JOURNAL } = require('../../lib/unfinished')
const { SERVERS } = require('../support/servers')
const { bytesOf, createBuckets, get, openStore, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const COUNT = 8
const BODY = bytesOf(COUNT * 5 * MiB)
const PARTS = Array.from({ length: COUNT }, (_, i) => ({ partNumber: i + 1, start: i * 5 * MiB, bytes: 5 * MiB }))

test.each(SERVERS)(
  'a twin that comes home after the completion leaves no upload: $name',
  async ({ start }) => {
    const server = await start()
    await createBuckets(server, 'bucket')
    const store = openStore(server, 'bucket')
    const engine = createLocalEngine({ threads: 1 })
    try {
      await put(store, 'source', BODY)
      const hedged = []
      let late
      /** Of part 8 the first invocation crawls until the object is there; nobody can call it back. */
      const run = async (tasks, { parallel }) => {
        if (tasks[0].partNumber !== COUNT || late) return await engine.run(tasks, { parallel })
        late = (async () => {
          while (!(await store.head('copy').catch(() => undefined)));
          return await engine.run(tasks, { parallel })
        })()
        return await late
      }
      await writeMultipart({
        job: {
          source: { store, key: 'source', text: 's3://bucket/source' },
          destination: { store, key: 'copy', text: 's3://bucket/copy' },
          engine: { ...engine, cancels: false, run },
          settings: { retries: 0, condition: {}, partsPerInvocation: 1 },
          journal: NO_JOURNAL,
          emit: event => event.type === 'hedge' && hedged.push(event.partNumber),
        },
        object: await store.head('source'),
        plan: { route: 'multipart', bytes: BODY.length, partBytes: 5 * MiB, parts: PARTS, notices: [] },
        concurrency: 3,
        limits: await engine.limits(),
        restart() {},
      })
      expect(hedged).toEqual([COUNT])
      await late
      expect((await get(store, 'copy')).equals(BODY)).toBe(true)
      expect(await uploadsOf(store, 'copy')).toEqual([])
    } finally {
      store.close()
      await engine.close()
      await server.close()
    }
  },
  60_000,
)

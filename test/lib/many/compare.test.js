'use strict'

/** The comparison of two prefixes by their lists. */

const { createCancellation } = require('../../../lib/async')
const { compareObjects } = require('../../../lib/many')

test('ETags of parts are not believed from a list', async () => {
  let heads = 0
  const etag = `"${'a'.repeat(32)}-2"`
  const store = {
    facts: { side: 'source', endpoint: 'x' },
    endpoint: 'x',
    can: { sums: { checked: ['crc32'] } },
    list: async ({ prefix }) => ({ objects: ['a', 'b'].map(name => ({ key: prefix + name, bytes: 5, etag })) }),
    async head() {
      heads++
      throw Object.assign(new Error('stop'), { code: 'STOPPED' })
    },
  }
  const compared = compareObjects(
    /** @type {any} */ ({
      settings: { concurrency: 10, chunkBytes: 1e8 },
      source: { store, key: 'p/', text: 's3://a/p/' },
      destination: { store, key: 'p/', text: 's3://b/p/' },
      engine: { name: 'local', where: 'here', runsOn: 'machine' },
      why: 'as asked',
      run: {
        ...createCancellation({}),
        emit() {},
        watchedBy() {},
        journal: { kept: false },
        pressure: { hindrances: () => ({}) },
      },
    }),
    {},
  )
  await expect(compared).rejects.toMatchObject({ code: 'INTERNAL' })
  expect(heads).toBeGreaterThan(0)
})

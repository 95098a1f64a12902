'use strict'

const fc = require('fast-check')
const s3 = require('@aws-sdk/client-s3')
const { compareUtf8 } = require('../../../sandbox/common/utf8')
const { pageOf } = require('../../../sandbox/store/listing')
const { useStore } = require('./support')

const using = useStore({ buckets: ['first'] })
// In the order of UTF-8: U+FF5E stands before the emoji, though its UTF-16 unit is the greater one.
const KEYS = [' ', 'a&b', 'a+b', 'dir/1', 'dir/2', 'dir/sub/3', 'dir0', 'z', 'ä', '～', '🦊', '🦊/x']

test.each([1, 2, 5, 12])('all keys come in the order of their bytes, %i a page', async pageSize => {
  for (const Key of [...KEYS].reverse()) {
    await using.client.send(new s3.PutObjectCommand({ Bucket: 'first', Key, Body: Key }))
  }
  const found = []
  const pages = s3.paginateListObjectsV2({ client: using.client, pageSize }, { Bucket: 'first' })
  for await (const { Contents = [] } of pages) found.push(Contents.map(({ Key }) => Key))
  expect(found.flat()).toEqual(KEYS)
  expect(found.length).toBe(Math.ceil(KEYS.length / pageSize))
})

const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'ä', '～', '🦊'), minLength: 1, maxLength: 5 })

test('pages put together are the whole listing, however they are cut', () => {
  const options = fc.record({
    prefix: fc.constantFrom('', 'a', 'a/'),
    delimiter: fc.constantFrom('', '/', 'b/'),
    max: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(key), options, (unsorted, query) => {
      const keys = [...unsorted].sort(compareUtf8)
      const all = pageOf(keys, { ...query, after: '', max: Infinity })
      const inPages = { keys: [], prefixes: [] }
      let after = ''
      for (let i = 0; i < 100; i++) {
        const page = pageOf(keys, { ...query, after })
        inPages.keys.push(...page.keys)
        inPages.prefixes.push(...page.prefixes)
        if (!page.truncated) break
        after = page.last
      }
      expect(inPages).toEqual({ keys: all.keys, prefixes: all.prefixes })
      expect(new Set(all.prefixes).size).toBe(all.prefixes.length)
      const covered = keys.filter(one => all.keys.includes(one) || all.prefixes.some(prefix => one.startsWith(prefix)))
      expect(covered).toEqual(keys.filter(one => one.startsWith(query.prefix)))
    }),
  )
})

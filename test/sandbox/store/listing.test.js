'use strict'

const fc = require('fast-check')
const { compareUtf8, pageOf } = require('../../../sandbox/common/pages')

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

'use strict'

const { createMd5Check } = require('../../lib/md5')

const A = 'a'.repeat(32)
const B = 'b'.repeat(32)
const facts = { side: 'destination', bucket: 'bucket', endpoint: 'http://store' }

/** Answers of one check to parts as `[md5, etag, attempt]`: the codes of its doubts. */
function doubts(...parts) {
  const check = createMd5Check(facts, 3)
  return parts.map(([md5, etag, attempt = 1]) => check({ md5, etag }, attempt)?.code)
}

const DOUBT = 'PART_CORRUPTED'

test.each([
  ['a part with its MD5 counts', [[A, `"${A}"`]], [undefined]],
  ['without quotes, and in capitals too', [[A, A.toUpperCase()]], [undefined]],
  [
    'an ETag that is no MD5 says nothing',
    [
      [A, '"abc"'],
      [A, `"${B}-2"`],
      [A, ''],
    ],
    [undefined, undefined, undefined],
  ],
  ['without an MD5 of ours there is nothing to compare', [[undefined, `"${B}"`]], [undefined]],
  [
    'where others had theirs, one that differs is never believed',
    [
      [A, A],
      [A, B, 1],
      [A, B, 2],
      [A, B, 3],
    ],
    [undefined, DOUBT, DOUBT, DOUBT],
  ],
  ['where none had, one that differs is sent once more', [[A, B, 1]], [DOUBT]],
  [
    'and one that differs again is no proof of harm, nor are those after it',
    [
      [A, B, 1],
      [A, B, 2],
      [A, B, 1],
    ],
    [DOUBT, undefined, undefined],
  ],
  [
    'a store that turns out to speak MD5 is believed from then on',
    [
      [A, B, 1],
      [A, B, 2],
      [A, A, 1],
      [A, B, 1],
    ],
    [DOUBT, undefined, undefined, DOUBT],
  ],
])('%s', (_, parts, expected) => {
  expect(doubts(...parts)).toEqual(expected)
})

test('a doubt is worth another attempt, and says both values', () => {
  const doubt = createMd5Check(facts, 3)({ md5: A, etag: B }, 1)
  expect(doubt).toMatchObject({ retryable: true, exitCode: 8, facts: { ...facts, expected: A, found: B } })
})

test('where nothing is sent twice, the first that differs is no proof of harm', () => {
  expect(createMd5Check(facts, 0)({ md5: A, etag: B }, 1)).toBeUndefined()
})

test('jobs know nothing of one another', () => {
  createMd5Check(facts, 3)({ md5: A, etag: A }, 1)
  expect(createMd5Check(facts, 3)({ md5: A, etag: B }, 2)).toBeUndefined()
})

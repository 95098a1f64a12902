'use strict'

/** Whether a run of the job has copied an object before: by what two lists tell, whose times are whole seconds for the most part. */

const { copiedEarlier } = require('../../../../lib/prefix/selection/resumed')

const BEGAN = 1_700_000_010_400
const MD5 = '"0123456789abcdef0123456789abcdef"'
const OTHER = '"fedcba9876543210fedcba9876543210"'
const PARTS = '"0123456789abcdef0123456789abcdef-2"'

/** Seconds since the job began, as lists tell them. */
const at = seconds => 1_700_000_010_000 + 1000 * seconds

test.each([
  ['written since, of a source that was older', { modified: -100, written: 5, etag: PARTS }, true],
  ['written before the job began', { modified: -100, written: -50 }, false],
  ['written a moment before, by a clock that is a little behind, and the same', { modified: -100, written: -1 }, true],
  ['written a moment before, and something else', { modified: -100, written: -1, etag: OTHER }, false],
  [
    'written in the second in which the job began, and something else',
    { modified: -100, written: 0, etag: OTHER },
    false,
  ],
  ['of a source that may have been replaced while it was copied', { modified: 1, written: 5, etag: OTHER }, false],
  ['of a source that was not', { modified: 0, written: 5, etag: OTHER }, true],
  ['written in that second, and nobody knows what', { modified: -100, written: 0, etag: PARTS }, false],
  ['written in the next one, by a clock that may be ahead', { modified: -100, written: 1, etag: PARTS }, false],
  ['written in the next one, and the same', { modified: -100, written: 1 }, true],
  ['written two seconds behind it', { modified: -100, written: 2, etag: PARTS }, true],
  ['of a source of the second before, and nobody knows what', { modified: 4, written: 5, etag: PARTS }, false],
  ['of another size', { modified: -100, written: 5, bytes: 4 }, false],
  ['of a source that was modified since', { modified: 6, written: 5 }, false],
  ['of a source that was modified in the same second, and the same', { modified: 5, written: 5 }, true],
  [
    'of a source that was modified in the same second, and something else',
    { modified: 5, written: 5, etag: OTHER },
    false,
  ],
  ['of a source whose clock is behind', { modified: 3, written: 5, aheadMs: 10_000, etag: OTHER }, false],
])('%s', (_, { modified, written, etag = MD5, bytes = 3, aheadMs }, expected) => {
  const pair = {
    source: { key: 'a', bytes: 3, etag: MD5, lastModifiedMs: at(modified) },
    destination: { key: 'b', bytes, etag, lastModifiedMs: at(written) },
  }
  expect(copiedEarlier(pair, { beganMs: BEGAN, aheadMs })).toBe(expected)
})

test('where its store may have taken anything it has to be the very same', () => {
  const source = { key: 'a', bytes: 3, etag: MD5, lastModifiedMs: at(-100) }
  const written = etag => ({ source, destination: { ...source, etag, lastModifiedMs: at(5) } })
  const clocks = { beganMs: BEGAN, taken: false }
  expect([MD5, OTHER, PARTS].map(etag => copiedEarlier(written(etag), clocks))).toEqual([true, false, false])
})

test('what is on one side alone, or has no time, was not', () => {
  const object = { key: 'a', bytes: 3, etag: MD5, lastModifiedMs: at(5) }
  const timeless = { ...object, lastModifiedMs: undefined }
  for (const pair of [{ source: object }, { destination: object }, { source: object, destination: timeless }]) {
    expect(copiedEarlier(pair, { beganMs: BEGAN })).toBe(false)
  }
})

test('where times are kept, an equal time shows a copy, whenever it was written', () => {
  const pair = lastModifiedMs => ({
    source: { key: 'a', bytes: 1, etag: '"a"', lastModifiedMs: BEGAN - 9_000_000 },
    destination: { key: 'a', bytes: 1, etag: '"b"', lastModifiedMs },
  })
  const clocks = { beganMs: BEGAN, keepsTimes: true }
  expect(copiedEarlier(pair(BEGAN - 9_000_000), clocks)).toBe(true)
  expect(copiedEarlier(pair(BEGAN + 60_000), clocks)).toBe(false)
})

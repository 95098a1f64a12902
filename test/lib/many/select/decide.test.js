'use strict'

const fc = require('fast-check')
const { decide, isSameTime } = require('../../../../lib/many/select')

const MD5 = '"0123456789abcdef0123456789abcdef"'
const OTHER = '"fedcba9876543210fedcba9876543210"'
const PARTS = '"0123456789abcdef0123456789abcdef-3"'
const NOON = Date.UTC(2026, 0, 31, 12)

const listed = (changes = {}) => ({ bytes: 10, etag: MD5, lastModifiedMs: NOON, ...changes })
const later = seconds => ({ lastModifiedMs: NOON + seconds * 1_000 })

const COPY = { mode: 'copy' }
const SYNC = { mode: 'sync' }
const IGNORING = { mode: 'sync', ignoreExisting: true }
const SIZE = { mode: 'sync', sizeOnly: true }
const CONTENT = { mode: 'sync', checksum: true }

test.each([
  ['later than ext4 keeps', 253_402_300_799_500, 15_032_385_535_000, true],
  ['earlier', -62_135_596_800_000, -2_147_483_648_000, true],
  ['later than a FAT keeps, which it keeps', 4_354_819_198_000, 4_354_819_198_000, true],
  ['earlier than the last that is kept', NOON, 15_032_385_535_000, false],
  ['later than another file', 253_402_300_799_500, NOON, false],
  // Of each file system: what it keeps of times beyond its own.
  ...[
    [-(2 ** 31), 2 ** 31 - 1],
    [-(2 ** 31), 2 ** 34 - 2 ** 31 - 1],
    [-(2 ** 31), 18_446_744_072 - 2 ** 31],
    [0, 2 ** 32 - 1],
    [Date.UTC(1980) / 1000, Date.UTC(2107, 11, 31, 23, 59, 58) / 1000],
    [Date.UTC(1980) / 1000, Date.UTC(2107, 11, 31, 23, 59, 59) / 1000],
  ].flatMap(([first, last]) => [
    [`later than second ${last}`, last * 1000 + 5000, last * 1000, true],
    [`later than second ${last}, and more is kept`, last * 1000 + 5000, last * 1000 + 3000, false],
    [`earlier than second ${first}`, first * 1000 - 5000, first * 1000, true],
    [`later than second ${first}, which is kept`, first * 1000 + 5000, first * 1000, false],
  ]),
  ['one millisecond later', NOON + 501, NOON + 500, true],
  ['one millisecond earlier', NOON + 499, NOON + 500, true],
  ['two milliseconds later', NOON + 502, NOON + 500, false],
  ['of the same second, of which the copy has no fraction', NOON + 999, NOON, true],
  ['of the same second, of which the copy has another fraction', NOON, NOON + 999, false],
  ['of the second before', NOON - 2, NOON, false],
])('a time %s', (_, original, copied, same) => expect(isSameTime(original, copied)).toBe(same))

/** Two with other ETags. @param {object} changes */
const bothWith = changes => ['a', 'b'].map(etag => listed({ etag, ...changes }))
const EMPTY = bothWith({ bytes: 0 })
const ANOTHER = listed({ etag: OTHER })

/** @type {Array<[what: string, source: object | undefined, destination: object | undefined, how: object, expected: string]>} */
const CASES = [
  ['a copy takes what is missing', listed(), undefined, COPY, 'copy new'],
  ['a copy takes what is there as well', listed(), listed(), COPY, 'copy all'],

  ['a sync leaves what the source has not', undefined, listed(), SYNC, 'skip extra'],
  ['a sync leaves what is there if it is to', listed(later(9)), listed(), IGNORING, 'skip exists'],
  ...[
    ['the same time', NOON, 'skip same-time'],
    ['the same second with a fraction of its own', NOON + 400, 'compare other-time'],
    ['another time, later', NOON + 1000, 'compare other-time, newer there'],
    ['no time', undefined, 'copy time'],
  ].map(([what, lastModifiedMs, expected]) => [
    `where times are kept, ${what}`,
    listed(),
    listed({ lastModifiedMs, etag: OTHER }),
    { mode: 'sync', keepsTimes: true },
    expected,
  ]),
  ...[
    ['of another size', { bytes: 9 }, SYNC, 'copy size, newer there', 'skip newer-there'],
    ['of a copy of everything', {}, COPY, 'copy all, newer there', 'skip newer-there'],
    ['whose contents cannot be told', { etag: OTHER }, CONTENT, 'compare etag, newer there', 'skip newer-there'],
    ['that is equal by the times', {}, SYNC, 'skip older', 'skip older'],
    ['that is equal by the size', {}, SIZE, 'skip same-size', 'skip same-size'],
  ].flatMap(([what, changes, how, plain, updating]) => [
    [`what is newer there, ${what}`, listed(changes), listed(later(9)), how, plain],
    [`with --update, what is newer, ${what}`, listed(changes), listed(later(9)), { ...how, update: true }, updating],
  ]),
  ...[
    ['of the same second', listed({ bytes: 9 }), listed({ lastModifiedMs: NOON + 999 }), 'copy size'],
    ['one second newer', listed({ bytes: 9 }), listed(later(1)), 'skip newer-there'],
    ['older', listed({ bytes: 9, ...later(1) }), listed(), 'copy size'],
    ['of no time', listed({ bytes: 9 }), listed({ lastModifiedMs: undefined }), 'copy size'],
    ['missing', listed(), undefined, 'copy new'],
  ].map(([what, source, destination, expected]) => [
    `with --update, what is ${what} there`,
    ...[source, destination, { mode: 'sync', update: true }, expected],
  ]),
  ...[
    ['a file of the same second', 400, 'compare other-time'],
    ['a newer file', 1000, 'skip newer-there'],
    ['an older file', -1000, 'compare other-time'],
  ].map(([what, ms, expected]) => [
    `with --update, ${what}`,
    ...[listed(), listed({ lastModifiedMs: NOON + ms }), { mode: 'sync', keepsTimes: true, update: true }, expected],
  ]),
  ['a sync takes what has another size', listed({ bytes: 9, ...later(9) }), listed(), SYNC, 'copy size'],

  ['by size alone, time does not count', listed({ ...later(9), etag: OTHER }), listed(), SIZE, 'skip same-size'],

  ['by time, a newer source is taken', listed({ ...later(1), etag: OTHER }), listed(), SYNC, 'copy newer'],
  ['an older one is not', listed({ etag: OTHER }), listed(later(5)), SYNC, 'skip older'],
  ['one that may be replaced meanwhile is looked at', ANOTHER, listed(later(4)), SYNC, 'compare near, newer there'],
  ['and left with the same ETag', listed(), listed(later(4)), SYNC, 'skip same-etag'],
  ['of the same second it is taken', listed({ etag: OTHER }), listed(), SYNC, 'copy newer'],
  ['unless the ETag is the same', listed(), listed(), SYNC, 'skip same-etag'],
  ['and is a digest', listed({ etag: '"e"' }), listed({ etag: '"e"' }), SYNC, 'copy newer'],
  ['of either side', listed({ etag: OTHER }), listed({ lastModifiedMs: NOON + 999 }), SYNC, 'copy newer'],
  ['without a time of the source it is taken', listed({ lastModifiedMs: undefined }), listed(), SYNC, 'copy time'],

  ...[
    ['a newer source is asked for the time that is noted', listed({ ...later(1), etag: OTHER }), 'compare near'],
    ['one of the same second, too', listed({ etag: OTHER }), 'compare near'],
    ['one of the same ETag is not', listed(), 'skip same-etag'],
    ['nor an older one', listed({ etag: OTHER, ...later(-5) }), 'skip older'],
    ['one of another size is taken', listed({ bytes: 9, ...later(1) }), 'copy size'],
  ].map(([what, source, expected]) => [
    `where times are noted, ${what}`,
    ...[source, listed(), { mode: 'sync', notesTimes: true }, expected],
  ]),
  ['two empty ones of the same second are the same', ...EMPTY, SYNC, 'skip same-size'],
  ['a newer empty one is taken', listed({ bytes: 0, ...later(1) }), listed({ bytes: 0 }), SYNC, 'copy newer'],
  ['the MD5 of the lists decides, not the ETag', ...bothWith({ sums: { md5: 'd' } }), CONTENT, 'skip same-content'],

  ['another one has to be looked at', listed({ etag: OTHER }), listed(), CONTENT, 'compare etag'],
  ['a digest and one of parts have to be looked at', listed({ etag: PARTS }), listed(), CONTENT, 'compare etag'],
  ['two empty ones are the same', ...EMPTY, CONTENT, 'skip same-size'],
]

test.each(CASES)('%s', (_, source, destination, how, expected) => {
  const { action, why, newerThere } = decide({ source, destination }, how)
  expect(`${action} ${why}${newerThere ? ', newer there' : ''}`).toBe(expected)
})

const HOUR = 3_600
const UPDATE = { bytes: 9, update: true }
/** By the source's clock it is one minute past noon. @param {number} ahead seconds */
const clocks = ahead => ({ aheadMs: ahead * 1_000, nowMs: NOON + (60 + ahead) * 1_000 })

test.each([
  ['is ahead, a change is taken for one', { ahead: HOUR, modified: 30, written: HOUR + 10 }, 'copy newer'],
  ['is ahead, what is near is looked at', { ahead: HOUR, modified: 10, written: HOUR + 10 }, 'compare near'],
  ['is hardly ahead, nobody knows', { ahead: 2, modified: 0, written: 5 }, 'skip older'],
  ['wrote in its future, nobody knows', { ahead: 0, modified: 10, written: 65 }, 'compare near'],
  ['wrote now, it is known', { ahead: 0, modified: 10, written: 64 }, 'skip older'],
  ['is ahead, and wrote in its future', { ahead: HOUR, modified: 10, written: HOUR + 65 }, 'compare near'],
  ['is behind, a change is taken for one', { ahead: -HOUR, modified: 30, written: 10 - HOUR }, 'copy newer'],
  ['is ahead, what only seems newer is not', { ahead: HOUR, modified: 30, written: 1_000, ...UPDATE }, 'copy size'],
  ['is ahead, what is newer is', { ahead: HOUR, modified: 30, written: HOUR + 33, ...UPDATE }, 'skip newer-there'],
  ['is ahead, what may be newer is not', { ahead: HOUR, modified: 30, written: HOUR + 32, ...UPDATE }, 'copy size'],
])('a clock there that %s', (_, { ahead, modified, written, etag = OTHER, bytes = 10, update }, expected) => {
  const pair = { source: listed({ bytes, ...later(modified) }), destination: listed({ ...later(written), etag }) }
  const { action, why } = decide(pair, { mode: 'sync', update }, clocks(ahead))
  expect(`${action} ${why}`).toBe(expected)
})

const anyListed = fc.record({
  bytes: fc.constantFrom(0, 1),
  etag: fc.constantFrom(MD5, OTHER, PARTS, ''),
  lastModifiedMs: fc.constantFrom(undefined, NOON, NOON + 500, NOON + 1_000),
})
const anyHow = fc.record({
  mode: fc.constantFrom('copy', 'sync'),
  ignoreExisting: fc.boolean(),
  update: fc.boolean(),
  sizeOnly: fc.boolean(),
  checksum: fc.boolean(),
  deletes: fc.boolean(),
})

test('what only the destination has goes with a sync that deletes, and with nothing else', () => {
  fc.assert(
    fc.property(anyListed, anyHow, (destination, how) => {
      const { action } = decide({ destination }, how)
      expect(action).toBe(how.mode === 'sync' && how.deletes ? 'delete' : 'skip')
    }),
  )
})

'use strict'

/** Two objects that are compared by reading them: how often each is read, and what a difference means. */

const { UNLIMITED } = require('../../../lib/engines')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { compareByReading, isComparable, proveByMd5, proveByStored, rangesToRead } = require('../../../lib/verify')
const { sideOf } = require('../../../lib/verify')

const HALF = 4
const TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }
const SUMS = { a: 'aaaaaaaa', b: 'bbbbbbbb', c: 'cccccccc' }

/**
 * An object of two ranges. readings: what each of them shows, reading by reading; the last one stays.
 *
 * @param {string} name
 * @param {{ readings: string[], reported?: object, checked?: boolean }} how checked: whether its store checks what it reports
 */
function objectOf(name, { readings, reported, checked = true }) {
  const can = { reach: 'network', sums: { checked: checked ? ['crc32'] : [] } }
  const store = {
    can,
    facts: { side: name, endpoint: 'x' },
    read: async ({ key, range }) => ({ request: { method: 'GET', url: key, headers: { start: range.start } } }),
  }
  const side = sideOf({ store, key: name, text: name }, { bytes: 2 * HALF, etag: '"e"', sums: reported })
  return { side, readings, seen: 0 }
}

/** @param {ReturnType<typeof objectOf>[]} objects @param {{ both?: boolean, rangeBytes?: number }} [how] */
async function compare(objects, { both = false, rangeBytes = HALF } = {}) {
  const byName = new Map(objects.map(object => [object.side.key, object]))
  const run = async tasks =>
    tasks.map(({ partNumber, bytes, read }) => {
      const object = byName.get(read.url)
      const reading = Math.floor(object.seen++ / ((2 * HALF) / rangeBytes))
      const shown = object.readings[Math.min(reading, object.readings.length - 1)]
      const sum = shown[rangeBytes === HALF ? read.headers.start / HALF : 0]
      return { partNumber, bytes, etag: '', sums: { crc32: SUMS[sum] }, timing: TIMING }
    })
  const pressure = createPressure({ outages: createOutages({ timeoutMs: 0, emit() {} }), random: () => 0.5 })
  const job = { engine: { run }, settings: { retries: 0 }, run: { pressure } }
  const sides = objects.map(({ side }) => side)
  const split = rangesToRead(sides, rangeBytes, { both })
  const ended = await compareByReading({ job, limits: UNLIMITED, concurrency: 1 }, { sides, split, emit() {} }).then(
    ({ sum }) => `equal by ${sum}`,
    ({ code, facts: { by, start, end, location } }) =>
      [code, by, start, end, location].filter(x => x !== undefined).join(' '),
  )
  return { ended, read: objects.map(({ seen }) => seen) }
}

test.each([
  ['are equal', ['ab'], ['ab'], 'equal by crc32', [2, 2]],
  ['differ, and stay so', ['ab'], ['ac'], 'OBJECTS_DIFFER bytes 4 7', [4, 4]],
  ['differ once', ['ab'], ['ac', 'bb'], 'equal by crc32', [3, 3]],
])('of two that keep nothing the readings %s', async (_, one, other, ended, read) => {
  const found = await compare([objectOf('one', { readings: one }), objectOf('other', { readings: other })])
  expect(found).toEqual({ ended, read })
})

const KEPT = { readings: ['a'], reported: { crc32: SUMS.a } }
const OTHER_SUM = { crc32: SUMS.b }
const DIFFER = 'OBJECTS_DIFFER'
test.each([
  ['what the other keeps', {}, {}, 'equal by crc32', [1, 0]],
  ['what the other keeps, and is not it', { readings: ['b'] }, {}, `${DIFFER} bytes 0 7`, [4, 3]],
  ['what the other keeps, and is not it at first', { readings: ['b', 'a'] }, {}, 'equal by crc32', [2, 1]],
  ['what its own store reports, and is not that', { reported: OTHER_SUM, checked: false }, {}, `${DIFFER} one`, [2, 1]],
  ['the reading of the other, if both are to be read', {}, { both: true }, 'equal by crc32', [1, 1]],
])('one is read, and compared with %s', async (_, one, how, ended, read) => {
  const objects = [objectOf('one', { readings: ['a'], ...one }), objectOf('other', KEPT)]
  expect(await compare(objects, { rangeBytes: 2 * HALF, ...how })).toEqual({ ended, read })
})

const SIZE = 4
const sizeOf = (sizes, bytes) => bytes && { bytes, parts: sizes.length }
const told =
  (...sizes) =>
  async (_, { partNumber = 1 }) =>
    sizeOf(sizes, sizes[partNumber - 1])
const many = Array(20).fill(SIZE)
test.each([
  ['of parts of the same sizes', 'etag', told(...many), true],
  ['of parts of which the first has another size', 'etag', told(SIZE + 1, ...many.slice(1)), false],
  ['of parts of which the last has another size', 'composite', told(...many.slice(1), SIZE + 1), false],
  ['of parts of another number', 'etag', told(SIZE, SIZE), false],
  ['of parts that its store does not tell', 'etag', undefined, true],
  ['of parts that may not be asked for', 'etag', () => Promise.reject(new Error('refused')), true],
  ['of the whole, whatever its parts', 'crc32', told(1, 2), true],
])('a difference means something %s', async (_, by, partSize, expected) => {
  const parts = many.map(bytes => ({ bytes }))
  expect(await isComparable({ by }, { store: { partSize }, key: 'key' }, parts, undefined)).toBe(expected)
})

const MD5 = '0'.repeat(32)
const OTHER = '1'.repeat(32)
const [A, B] = [SUMS.a, SUMS.b].map(crc32 => ({ sums: { crc32 } }))
const plain = { etag: `"${MD5}"` }
const ofParts = { etag: `"${MD5}-2"` }
const STORED = { sums: { stored: [], checked: ['crc32', 'md5'], byWriter: [] } }
const BY_WRITER = { sums: { checked: [], byWriter: ['md5'] } }
/** What the stores say of two objects, and what was told. */
async function weigh(heads, { can = [], sizes = [] } = {}) {
  const notices = []
  const sides = heads.map((head, i) => {
    const store = { can: { reach: 'network', ...(can[i] ?? STORED) }, partSize: sizes[i] }
    return sideOf({ store, key: 'key', text: `end ${i}` }, { bytes: 8, etag: '"e"', ...head })
  })
  const emit = ({ facts }) => notices.push(facts.location)
  const found = await proveByStored(sides).catch(({ code }) => ({ method: code }))
  return [found?.method ?? proveByMd5(sides, emit)?.method ?? 'nothing', ...notices].join()
}
test.each([
  ['equal checksums', [A, A], {}, 'stored-crc32'],
  ['a checksum that one store does not check', [A, A], { can: [BY_WRITER] }, 'nothing'],
  ['other checksums', [A, B], {}, DIFFER],
  ['ETags of equal parts', [ofParts, ofParts], { sizes: [told(5, 3), told(5, 3)] }, 'etag'],
  ['ETags of other parts', [ofParts, ofParts], { sizes: [told(5, 3), told(4, 4)] }, 'nothing'],
  ['ETags of another number of parts', [ofParts, ofParts], { sizes: [told(5, 3), told(5, 2, 1)] }, 'nothing'],
  ['ETags of parts that neither tells', [ofParts, ofParts], {}, 'nothing'],
  ['ETags of parts that one does not tell', [ofParts, ofParts], { sizes: [told(5, 3)] }, 'nothing'],
  ['an MD5 that a writer said', [{ sums: { md5: MD5 } }, plain], { can: [BY_WRITER] }, 'stored-md5,end 0'],
  ['another that a writer said', [{ sums: { md5: OTHER } }, plain], { can: [BY_WRITER] }, 'nothing'],
])('two objects with %s', async (_, heads, how, expected) => expect(await weigh(heads, how)).toBe(expected))

test.each([
  ['both', [{}, {}], {}, '2 of both'],
  ['the one whose store keeps none', [A, {}], {}, '2 of other'],
  ['both, if that is asked for', [A, {}], { both: true }, '2 of both'],
  ['a file in one, if the MD5 of the other is known', [{ file: true }, plain], {}, '1 of one'],
  ['a file in ranges, if a CRC of the other is known', [{ file: true }, { ...plain, ...A }], {}, '2 of one'],
  ['two files in ranges', [{ file: true }, { file: true, ...plain }], {}, '2 of both'],
  ['one of two that both keep one', [A, B], {}, '2 of other'],
])('of two objects is read: %s', (_, heads, { both = false }, expected) => {
  const sides = heads.map(({ file, ...head }, i) => {
    const store = { can: { reach: file ? 'process' : 'network', ...STORED } }
    return sideOf({ store, key: 'key', text: ['one', 'other'][i] }, { bytes: 8, etag: '"e"', ...head })
  })
  const { ranges, toRead } = rangesToRead(sides, HALF, { both })
  expect(`${ranges.length} of ${toRead.length === 2 ? 'both' : toRead[0].text}`).toBe(expected)
})

'use strict'

/** Two objects that are compared by reading them: how often each is read, and what a difference means. */

const { UNLIMITED } = require('../../../lib/engines')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { compareByReading, rangesToRead, sideOf } = require('../../../lib/verify')

const HALF = 4
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
      return {
        partNumber,
        bytes,
        etag: '',
        sums: { crc32: SUMS[sum] },
        timing: { startedAtMs: 0, firstByteMs: 0, totalMs: 0 },
      }
    })
  const pressure = createPressure({ outages: createOutages({ timeoutMs: 0, emit() {} }), random: () => 0.5 })
  const job = { engine: { run }, settings: { retries: 0 }, run: { pressure } }
  const sides = objects.map(({ side }) => side)
  const split = rangesToRead(sides, rangeBytes, { both })
  const ended = await compareByReading({ job, limits: UNLIMITED, concurrency: 1 }, { sides, split, emit() {} }).then(
    ({ sum }) => `equal by ${sum}`,
    ({ code, facts }) =>
      [code, facts.by, facts.start, facts.end, facts.location].filter(x => x !== undefined).join(' '),
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
const DIFFER = 'OBJECTS_DIFFER'
test.each([
  ['what the other keeps', {}, {}, 'equal by crc32', [1, 0]],
  ['what the other keeps, and is not it', { readings: ['b'] }, {}, `${DIFFER} bytes 0 7`, [4, 3]],
  ['what the other keeps, and is not it at first', { readings: ['b', 'a'] }, {}, 'equal by crc32', [2, 1]],
  [
    'what its own store reports, and is not that',
    { reported: { crc32: SUMS.b }, checked: false },
    {},
    `${DIFFER} one`,
    [2, 1],
  ],
  ['the reading of the other, if both are to be read', {}, { both: true }, 'equal by crc32', [1, 1]],
])('one is read, and compared with %s', async (_, one, how, ended, read) => {
  const objects = [objectOf('one', { readings: ['a'], ...one }), objectOf('other', KEPT)]
  const found = await compare(objects, { rangeBytes: 2 * HALF, ...how })
  expect(found).toEqual({ ended, read })
})

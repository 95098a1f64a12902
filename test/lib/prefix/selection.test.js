'use strict'

/** Which objects are chosen, how far a job has come, and what a resumed one takes for done. */

const fc = require('fast-check')
const { createCursors, copiedEarlier, readResumed } = require('../../../lib/prefix/resumed')
const { decide } = require('../../../lib/select')

describe('cursors', () => {
  test('whatever ends in whatever order, a cursor has everything up to it done, and is as far as that', () => {
    const names = 'abcdefghijklmnopqrstuvwxyz'.split('')
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }),
        fc.infiniteStream(fc.nat()),
        (begins, draws) => {
          const cursors = createCursors([{ id: 0 }])
          const open = []
          const pending = new Set()
          names.forEach((name, i) => {
            if (begins[i]) {
              pending.add(name)
              open.push([name, cursors.begin(0, name)])
            } else cursors.gave(0, name)
            const [[one, over]] = open.length > 0 ? open.splice(draws.next().value % open.length, 1) : [[]]
            if (over) {
              over()
              pending.delete(one)
            }
            const first = [...pending].sort()[0]
            const [{ after }] = cursors.ranges()
            if (first === undefined) expect(after).toBe(name)
            else if (after !== undefined) expect(after < first).toBe(true)
          })
        },
      ),
    )
  })
})

describe('an object that an earlier run has copied', () => {
  const BEGAN = 1_700_000_010_400
  const MD5 = '"0123456789abcdef0123456789abcdef"'
  const OTHER = '"fedcba9876543210fedcba9876543210"'
  const PARTS = '"0123456789abcdef0123456789abcdef-2"'

  /** Seconds since the job began, as lists tell them. */
  const at = seconds => 1_700_000_010_000 + 1000 * seconds

  test.each([
    ['written since, of a source that was older', { modified: -100, written: 5, etag: PARTS }, true],
    ['written before the job began', { modified: -100, written: -50 }, false],
    ['of a source that may have been replaced while it was copied', { modified: 1, written: 5, etag: OTHER }, false],
    ['written in that second, and nobody knows what', { modified: -100, written: 0, etag: PARTS }, false],
    ['written in the next one, and the same', { modified: -100, written: 1 }, true],
    ['of a source that was modified since', { modified: 6, written: 5 }, false],
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
})

describe('a sync that goes on', () => {
  const BEGAN_MS = 1_000_000_000
  const NOW_MS = BEGAN_MS + 60_000
  const SOURCE = { key: 'a', bytes: 9, etag: `"${'1'.repeat(32)}"`, lastModifiedMs: BEGAN_MS - 3_600_000 }

  beforeEach(() => jest.useFakeTimers({ now: NOW_MS }))
  afterEach(() => jest.useRealTimers())

  /**
   * @param {{ checks: boolean, verify?: string, filtered?: true, update?: true }} how checks: whether the destination is known to check;
   *   filtered: the filters leave the object out
   */
  function judgeOf({ checks, verify = 'auto', filtered, update }) {
    const store = { now: () => NOW_MS, can: {} }
    const prefix = { ranges: [{ id: 0 }], objects: new Map(), failed: new Set() }
    const job = {
      source: { store },
      destination: { store },
      run: { journal: { state: { prefix, damaged: 0, createdMs: BEGAN_MS } }, emit() {} },
      settings: { proved: verify !== 'none', verify },
      trust: { put: () => checks },
    }
    const left = { action: 'skip', why: 'left out', filtered }
    return readResumed(job, (pair, clocks) => (filtered ? left : decide(pair, { mode: 'sync', update }, clocks))).judge
  }

  const pairOf = (afterMs, etag) => ({
    name: 'a',
    source: SOURCE,
    destination: { ...SOURCE, etag, lastModifiedMs: BEGAN_MS + afterMs },
  })

  test.each([
    ['of a store that checks, written by the job', { checks: true }, 30_000, '"opaque"', 'skip'],
    ['with the ETag of its source, written by the job', { checks: false }, 30_000, SOURCE.etag, 'skip'],
    ['that nothing proves, written by the job', { checks: false }, 30_000, '"opaque"', 'copy'],
    ['that was to be read back, written by the job', { checks: true, verify: 'full' }, 30_000, '"opaque"', 'copy'],
    ['that nothing is to prove, written by the job', { checks: false, verify: 'none' }, 30_000, '"opaque"', 'skip'],
    ['of a sync before the job', { checks: false }, -1_800_000, '"opaque"', 'skip'],
  ])('an object %s', (_, how, afterMs, etag, action) => {
    expect(judgeOf(how)(pairOf(afterMs, etag))).toMatchObject({ action })
  })

  test('a newer object of another size is not our copy: --update leaves it alone', () => {
    const pair = pairOf(30_000, '"opaque"')
    const other = { ...pair, destination: { ...pair.destination, bytes: 8 } }
    expect(judgeOf({ checks: false, update: true })(other)).toMatchObject({ action: 'skip', why: 'newer-there' })
  })
})

'use strict'

/** Which objects are chosen, how far a job has come, and what a resumed one takes for done. */

const fc = require('fast-check')
const { createCursors, copiedEarlier, isIn, rangesOf, readResumed } = require('../../../lib/many/resumed')
const { decide } = require('../../../lib/many/select')

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
            // An expect costs more than all the rest here.
            const isRight = first === undefined ? after === name : after === undefined || after < first
            if (!isRight) throw new Error(`The cursor is at ${after} where ${first ?? name} is next.`)
          })
        },
      ),
    )
  })

  test('however often a job is killed, every name is in one range, and what is said to be done was done by then', () => {
    const names = 'abcdefghijkl'.split('')
    /** Each name: when it was first done, and when a copy began that has not ended. */
    const ofNames = () => new Map(names.map(name => [name, { doneAt: undefined, begunAt: undefined }]))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (runs, draws) => {
        const draw = most => draws.next().value % most
        const world = ofNames()
        let time = 0
        let kept
        for (let run = 0; run < runs; run++) {
          const { open, done } = kept ? rangesOf(kept) : { open: [{ id: 0 }], done: [] }
          for (const [name, { doneAt, begunAt }] of world) {
            const [range, ...others] = [...open, ...done].filter(range => isIn(range, name))
            if (range === undefined || others.length > 0) throw new Error(`${name} is not in one range.`)
            if (range.doneMs === undefined) continue
            const isRight = doneAt <= range.doneMs && (begunAt === undefined || begunAt > range.doneMs)
            if (!isRight) throw new Error(`${name} is said to be done, and was not.`)
          }
          const cursors = createCursors([...open, ...done])
          const keep = () => {
            kept = { ranges: cursors.ranges(), doneRanges: cursors.done(), keptMs: ++time }
          }
          keep()
          const flying = []
          const land = () => {
            const [{ name, over }] = flying.splice(draw(flying.length), 1)
            over()
            world.set(name, { doneAt: world.get(name).doneAt ?? ++time, begunAt: undefined })
          }
          let steps = draw(40)
          for (const { id, ...range } of [...open, ...done]) {
            for (const name of names.filter(name => isIn(range, name))) {
              if (steps-- <= 0) break
              time++
              if (draw(2)) {
                flying.push({ name, over: cursors.begin(id, name) })
                world.set(name, { ...world.get(name), begunAt: time })
              } else {
                world.set(name, { doneAt: world.get(name).doneAt ?? time, begunAt: undefined })
                cursors.gave(id, name)
              }
              if (flying.length > 0 && draw(2)) land()
              if (draw(2)) keep()
            }
            if (steps > 0) cursors.end(id)
          }
        }
      }),
      { numRuns: 2_000 },
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
   *   filtered: the filters leave the object out; mode: of the command; more: what the journal has of the prefix; compares: false where
   *   the destination may not be listed
   */
  function judgeOf({ checks, verify = 'auto', filtered, update, mode = 'sync', compares = true, more = {} }) {
    const store = { now: () => NOW_MS, can: {} }
    const names = { objects: new Map(), failed: new Set(), unsure: new Set(), copies: new Map() }
    const prefix = { ranges: [{ id: 0 }], ...names, ...more }
    const job = {
      source: { store },
      destination: { store },
      run: { journal: { state: { prefix, damaged: 0, createdMs: BEGAN_MS } }, emit() {} },
      settings: { proved: verify !== 'none', verify },
      trust: { put: () => checks },
    }
    const left = { action: 'skip', why: 'left out', filtered }
    const judge = (pair, clocks) => (filtered ? left : decide(pair, { mode, update }, clocks))
    return readResumed(job, judge, { compares, folds: false }).judge
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

  describe('of a name that an earlier run has done', () => {
    const DONE = { ranges: [], keptMs: BEGAN_MS + 40_000 }
    const judged = (pair, how = {}) =>
      judgeOf({ checks: false, mode: 'copy', verify: 'full', more: DONE, ...how })(pair)

    test('is not copied, nor read back, again', () => {
      expect(judged(pairOf(30_000, '"opaque"'))).toMatchObject({ action: 'skip', earlier: true })
    })

    test.each([
      ['its source was replaced', { source: { lastModifiedMs: BEGAN_MS + 45_000 } }],
      ['its source has another size', { source: { bytes: 10 } }],
      ['somebody else has written the copy since', { destination: { lastModifiedMs: BEGAN_MS + 50_000 } }],
      ['the copy was there before the job', { destination: { lastModifiedMs: BEGAN_MS - 60_000 } }],
    ])('is copied if %s', (_, { source, destination }) => {
      const pair = pairOf(30_000, '"opaque"')
      Object.assign(pair, { source: { ...SOURCE, ...source }, destination: { ...pair.destination, ...destination } })
      expect(judged(pair)).toMatchObject({ action: 'copy' })
    })

    test('is copied if the destination has lost it', () => {
      expect(judged({ name: 'a', source: SOURCE })).toMatchObject({ action: 'copy' })
    })

    test('is judged by its source where the destination may not be listed', () => {
      const of = lastModifiedMs =>
        judged({ name: 'a', source: { ...SOURCE, lastModifiedMs } }, { compares: false }).action
      expect([of(SOURCE.lastModifiedMs), of(BEGAN_MS + 45_000)]).toEqual(['skip', 'copy'])
    })

    test('is copied if it failed then, whatever is known of the destination', () => {
      const more = { ...DONE, failed: new Set(['a']) }
      expect(judged({ name: 'a', source: SOURCE }, { more, compares: false })).toMatchObject({ action: 'copy' })
    })

    test('is copied if another command has written beside the job with less proof', () => {
      expect(judged(pairOf(30_000, '"opaque"'), { more: { ...DONE, beside: true } })).toMatchObject({ action: 'copy' })
    })
  })

  test('a large object whose copy the journal has is known by both ETags, whatever the times', () => {
    const copies = new Map([['a', { from: SOURCE.etag, etag: '"parts-2"' }]])
    const judge = judgeOf({ checks: false, mode: 'copy', more: { copies } })
    const actions = ['"parts-2"', '"parts-3"'].map(etag => judge(pairOf(0, etag)).action)
    expect(actions).toEqual(['skip', 'copy'])
  })

  test('a newer object of another size is not our copy: --update leaves it alone', () => {
    const pair = pairOf(30_000, '"opaque"')
    const other = { ...pair, destination: { ...pair.destination, bytes: 8 } }
    expect(judgeOf({ checks: false, update: true })(other)).toMatchObject({ action: 'skip', why: 'newer-there' })
  })
})

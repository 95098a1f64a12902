'use strict'

/** What a resumed job takes for done, to the second; and what of its ranges is left. */

const { copiedEarlier, createCursors, isIn, rangesOf, readResumed } = require('../../../lib/many/resumed')
const { MARGIN_S } = require('../../../lib/many/select')

const BEGAN = 1_700_000_010_400
/** Seconds since the job began, as lists tell them. */
const at = seconds => 1_700_000_010_000 + 1000 * seconds
const MD5 = '"0123456789abcdef0123456789abcdef"'
const OTHER = '"fedcba9876543210fedcba9876543210"'

/** An object that was modified long before the job, and a copy of this job that was written ten seconds after it began. */
const pairOf = ({ from = {}, to = {} } = {}) => ({
  name: 'a',
  source: { key: 'a', bytes: 3, etag: MD5, lastModifiedMs: at(-1000), ...from },
  destination: { key: 'b', bytes: 3, etag: OTHER, lastModifiedMs: at(10), ...to },
})

describe('a copy of an earlier run is one', () => {
  const same = { etag: MD5 }
  const late = at(2 - MARGIN_S)

  test.each([
    [
      'with the same digest, if it was written two seconds before the job',
      { to: { ...same, lastModifiedMs: at(-2) } },
      {},
      true,
    ],
    ['not three', { to: { ...same, lastModifiedMs: at(-3) } }, {}, false],
    ['with another one, if it was written two seconds after', { to: { lastModifiedMs: at(2) } }, {}, true],
    ['not one', { to: { lastModifiedMs: at(1) } }, {}, false],
    [
      'if its source was older by more than a copy takes',
      { from: { lastModifiedMs: late - 1000 }, to: { lastModifiedMs: at(2) } },
      {},
      true,
    ],
    ['not by as much', { from: { lastModifiedMs: late }, to: { lastModifiedMs: at(2) } }, {}, false],
    [
      'by the clock of the destination',
      { from: { lastModifiedMs: late - 1000 }, to: { lastModifiedMs: at(2) } },
      { aheadMs: 1000 },
      false,
    ],
    [
      'with the same digest, if its source was modified in its second',
      { from: { lastModifiedMs: at(10) }, to: same },
      {},
      true,
    ],
    ['not after it', { from: { lastModifiedMs: at(11) }, to: same }, {}, false],
    ['if it was written two seconds after its name was done', {}, { doneMs: at(8) }, true],
    ['not three', {}, { doneMs: at(7) }, false],
    [
      'of a version that the manifest names, whatever its time',
      { from: { pinned: true, lastModifiedMs: at(99) } },
      { doneMs: at(10) },
      true,
    ],
    ['not before its name was done', { from: { pinned: true, lastModifiedMs: at(99) } }, {}, false],
    ['not without an ETag', { from: { pinned: true, etag: '', lastModifiedMs: at(99) } }, { doneMs: at(10) }, false],
    [
      'not if it is older than the job',
      { from: { pinned: true }, to: { lastModifiedMs: at(-3) } },
      { doneMs: at(10) },
      false,
    ],
    ['of a version without a time', { from: { pinned: true, lastModifiedMs: undefined } }, { doneMs: at(10) }, true],
    [
      'not where copies have the times of their sources',
      { from: { pinned: true, lastModifiedMs: undefined } },
      { doneMs: at(10), keepsTimes: true },
      false,
    ],
    [
      'not of another object without a time',
      { from: { lastModifiedMs: undefined }, to: same },
      { doneMs: at(10) },
      false,
    ],
    [
      'not of such a version that is older than the job',
      { from: { pinned: true, lastModifiedMs: undefined }, to: { lastModifiedMs: at(-3) } },
      { doneMs: at(10) },
      false,
    ],
    [
      'with the time of its source, where copies have that',
      { to: { lastModifiedMs: at(-1000) } },
      { keepsTimes: true },
      true,
    ],
    ['not with another time there', {}, { keepsTimes: true }, false],
    ['not of another size', { to: { ...same, bytes: 4 } }, {}, false],
  ])('%s', (_, pair, clocks, expected) => {
    expect(copiedEarlier(pairOf(pair), { beganMs: BEGAN, ...clocks })).toBe(expected)
  })
})

describe('of the names of an earlier run', () => {
  test.each([
    [{}, 'm', true],
    [{ after: 'm' }, 'm', false],
    [{ after: 'l' }, 'm', true],
    [{ until: 'm' }, 'm', true],
    [{ until: 'l' }, 'm', false],
    [{ after: 'a', until: 'z' }, 'zz', false],
  ])('the range %j has %s: %s', (range, name, expected) => expect(isIn(range, name)).toBe(expected))

  const OPEN = { after: 'd', until: 'g' }
  test.each([
    ['nothing was begun', {}, [[], [[undefined, undefined, Number.POSITIVE_INFINITY]]]],
    ['all is open', { ranges: [{}] }, [[[undefined, undefined]], []]],
    [
      'one range is open, and what is around it is done',
      { ranges: [OPEN], keptMs: 5 },
      [
        [['d', 'g']],
        [
          [undefined, 'd', 5],
          ['g', undefined, 5],
        ],
      ],
    ],
    [
      'one that goes to the end is open',
      { ranges: [{ after: 'd' }], keptMs: 5 },
      [[['d', undefined]], [[undefined, 'd', 5]]],
    ],
    [
      'one from the start is open',
      { ranges: [{ until: 'g' }], keptMs: 5 },
      [[[undefined, 'g']], [['g', undefined, 5]]],
    ],
    [
      'what was done before has its own time',
      { ranges: [OPEN], doneRanges: [{ after: 'g', doneMs: 3 }], keptMs: 5 },
      [
        [['d', 'g']],
        [
          [undefined, 'd', 5],
          ['g', undefined, 3],
        ],
      ],
    ],
    [
      'ranges come in any order',
      { ranges: [{ after: 'p', until: 'q' }, OPEN], keptMs: 5 },
      [
        [
          ['p', 'q'],
          ['d', 'g'],
        ],
        [
          [undefined, 'd', 5],
          ['g', 'p', 5],
          ['q', undefined, 5],
        ],
      ],
    ],
  ])('%s', (_, earlier, expected) => {
    const { open, done } = rangesOf(earlier)
    expect([
      open.map(({ after, until }) => [after, until]),
      done.map(({ after, until, doneMs }) => [after, until, doneMs]),
    ]).toEqual(expected)
    const ids = [...open, ...done].map(({ id }) => id)
    expect(ids).toEqual([...open.map((_, i) => i), ...done.map((_, i) => 1_000_000 + i)])
  })
})

describe('a cursor', () => {
  const of = (...ranges) => createCursors(ranges)

  test('stays before the first object that did not end well, whatever ends after it', () => {
    const cursors = of({ id: 0 })
    const [a, b, c] = ['a', 'b', 'c'].map(name => cursors.begin(0, name))
    c(false)
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined, until: undefined }])
    a()
    b(false)
    expect(cursors.ranges()).toEqual([{ id: 0, after: 'a', until: undefined }])
    cursors.end(0)
    expect(cursors.ranges()).toEqual([{ id: 0, after: 'a', until: undefined }])
  })

  test('stays before an object in flight that comes before one that did not end well', () => {
    const cursors = of({ id: 0 })
    const [, b] = ['a', 'b'].map(name => cursors.begin(0, name))
    b(false)
    b()
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined, until: undefined }])
  })

  test('ends once all names were judged and all objects have ended', () => {
    const cursors = of({ id: 0 })
    const a = cursors.begin(0, 'a')
    cursors.end(0)
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined, until: undefined }])
    a()
    expect(cursors.ranges()).toEqual([])
  })

  test('is of no name without a range', () => {
    const cursors = of({ id: 0 })
    cursors.begin(undefined, 'a')(false)
    cursors.gave(undefined, 'b')
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined, until: undefined }])
  })

  test('of a range that is split has two', () => {
    const cursors = of({ id: 0, doneMs: 7 }, { id: 1, after: 'x' })
    cursors.split({ range: 0, until: 'm', into: { id: 2, after: 'm', until: 'x' } })
    cursors.split({ range: 1, until: 'y', into: { id: 3, after: 'y' } })
    expect(cursors.ranges()).toEqual([
      { id: 1, after: 'x', until: 'y' },
      { id: 3, after: 'y', until: undefined },
    ])
    expect(cursors.done()).toEqual([
      { after: undefined, until: 'm', doneMs: 7 },
      { after: 'm', until: 'x', doneMs: 7 },
    ])
  })

  test('of what was done before leaves open what is in flight, and the rest done', () => {
    const cursors = of({ id: 0, until: 'm', doneMs: 7 })
    cursors.gave(0, 'c')
    expect([cursors.ranges(), cursors.done()]).toEqual([[], [{ after: 'c', until: 'm', doneMs: 7 }]])
    const d = cursors.begin(0, 'd')
    expect([cursors.ranges(), cursors.done()]).toEqual([
      [{ id: 0, after: 'c', until: 'd' }],
      [{ after: 'd', until: 'm', doneMs: 7 }],
    ])
    d()
    cursors.gave(0, 'm')
    expect([cursors.ranges(), cursors.done()]).toEqual([[], []])
  })

  test('of what was done before, and has ended, is open only where an object is in flight', () => {
    const cursors = of({ id: 0, doneMs: 7 })
    cursors.begin(0, 'd')
    cursors.end(0)
    expect([cursors.ranges(), cursors.done()]).toEqual([[{ id: 0, after: undefined, until: 'd' }], []])
  })
})

describe('a resumed job', () => {
  const NOW = BEGAN + 60_000
  beforeEach(() => jest.useFakeTimers({ now: NOW }))
  afterEach(() => jest.useRealTimers())

  const SKIP = { action: 'skip', why: 'same' }
  const COPY = { action: 'copy', why: 'newer' }
  /** @param {object} how decided: what a first run would do */
  function resume({
    decided = SKIP,
    prefix = {},
    state = {},
    doubted,
    settings,
    checks = false,
    can = {},
    aheadMs = 0,
    ...how
  } = {}) {
    const events = []
    const names = { objects: new Map(), failed: new Set(), unsure: new Set(), copies: new Map() }
    const all = prefix && { ranges: [{ id: 0, after: 'p' }], keptMs: at(20), ...names, ...prefix }
    const clocks = []
    const resumed = readResumed(
      {
        source: { store: { now: () => NOW - aheadMs } },
        destination: { store: { now: () => NOW, can } },
        settings: { proved: true, verify: 'auto', ...settings },
        trust: { put: () => checks },
        run: {
          journal: { doubted, state: { id: 'job', damaged: 0, createdMs: BEGAN, prefix: all, ...state } },
          emit: event => events.push(event),
        },
      },
      (_, given) => {
        clocks.push(given)
        return decided
      },
      { compares: true, folds: false, ...how },
    )
    return { ...resumed, events, clocks }
  }
  const outcomeOf = ({ action, earlier, unsure }) =>
    [action, earlier ? 'earlier' : unsure ? 'unsure' : ''].join(' ').trim()

  test.each([
    ['of a done range counts as copied', { decided: COPY }, {}, 'skip earlier'],
    ['of an open one that nothing proves is copied again', {}, { name: 'q' }, 'copy unsure'],
    [
      'of an open one that its store has checked counts as copied',
      { decided: COPY, checks: true },
      { name: 'q' },
      'skip earlier',
    ],
    [
      'but not where it was to be read back',
      { checks: true, settings: { verify: 'full' } },
      { name: 'q' },
      'copy unsure',
    ],
    ['nor where something was written beside it', { checks: true, prefix: { beside: true } }, {}, 'copy unsure'],
    [
      'nor while its journal has an upload of it',
      { checks: true, prefix: { objects: new Map([['q', {}]]) } },
      { name: 'q' },
      'copy unsure',
    ],
    [
      'where nothing is to be proved, also beside',
      { decided: COPY, settings: { proved: false }, prefix: { beside: true } },
      {},
      'skip earlier',
    ],
    [
      'that is left out stays so',
      { decided: { ...SKIP, filtered: true }, prefix: { unsure: new Set(['a']) } },
      {},
      'skip',
    ],
    ['that may be wrong is copied again', { prefix: { unsure: new Set(['a']) } }, {}, 'copy unsure'],
    ['that another job doubts is copied again', { doubted: ['a'] }, {}, 'copy unsure'],
    ['that may be wrong is right with the same digest', { doubted: ['a'] }, { to: { etag: MD5 } }, 'skip earlier'],
    ['but not one from before', { doubted: ['a'] }, { to: { etag: MD5, lastModifiedMs: at(-9) } }, 'copy unsure'],
    [
      'nor the size and time of a file',
      { doubted: ['a'], can: { keepsTimes: true } },
      { to: { lastModifiedMs: at(-1000) } },
      'copy unsure',
    ],
    [
      'nor what was to be read back',
      { doubted: ['a'], settings: { verify: 'full' } },
      { to: { etag: MD5 } },
      'copy unsure',
    ],
    [
      'nor one whose source is to be removed',
      { doubted: ['a'], settings: { move: true } },
      { to: { etag: MD5 } },
      'copy unsure',
    ],
    [
      'that was to be compared, and may be wrong, is copied again',
      { decided: { action: 'compare', why: 'near' }, doubted: ['a'] },
      {},
      'copy unsure',
    ],
    [
      'that is to be deleted is, even if it may be wrong',
      { decided: { action: 'delete', why: 'extra' }, doubted: ['a'] },
      {},
      'delete',
    ],
    ['of a first run is judged as it is', { prefix: null }, {}, 'skip'],
    ['of a move is judged as it is', { settings: { move: true }, decided: COPY }, {}, 'copy'],
    ['of the destination alone is judged as it is', { decided: COPY }, { source: undefined }, 'copy'],
    ['is known by the place of its row', { decided: COPY }, { name: 'q', at: 'a' }, 'skip earlier'],
    ['that failed is not done', { decided: COPY, prefix: { failed: new Set(['a']) } }, {}, 'copy'],
    ['is not done where a line of the journal is damaged', { decided: COPY, state: { damaged: 1 } }, {}, 'copy'],
    ['nor where the destination takes some names for one', { decided: COPY, folds: true }, {}, 'copy'],
    [
      'of which the journal has both ETags is copied',
      { decided: COPY, prefix: { copies: new Map([['q', { from: MD5, etag: OTHER }]]) } },
      { name: 'q' },
      'skip earlier',
    ],
    [
      'but not without the one of its source',
      { decided: COPY, prefix: { copies: new Map([['q', { from: '', etag: OTHER }]]) } },
      { name: 'q', from: { etag: '' } },
      'copy',
    ],
    [
      'nor with another size',
      { decided: COPY, prefix: { copies: new Map([['q', { from: MD5, etag: OTHER }]]) } },
      { name: 'q', to: { bytes: 4 } },
      'copy',
    ],
    [
      'nor with another source',
      { decided: COPY, prefix: { copies: new Map([['q', { from: OTHER, etag: OTHER }]]) } },
      { name: 'q' },
      'copy',
    ],
    ['that exists stays where that is wanted', { decided: { action: 'skip', why: 'exists' } }, { name: 'q' }, 'skip'],
    [
      'that is newer and as large may be ours',
      { decided: { action: 'skip', why: 'newer-there' } },
      { name: 'q' },
      'copy unsure',
    ],
    [
      'that is newer and larger is not',
      { decided: { action: 'skip', why: 'newer-there' } },
      { name: 'q', to: { bytes: 4 } },
      'skip',
    ],
    [
      'written two seconds before the job may be ours',
      {},
      { name: 'q', to: { lastModifiedMs: at(-2) } },
      'copy unsure',
    ],
    ['written three seconds before the job is not', {}, { name: 'q', to: { lastModifiedMs: at(-3) } }, 'skip'],
    ['without a time is not', {}, { name: 'q', to: { lastModifiedMs: undefined } }, 'skip'],
    [
      'that is not looked at is done if its source is older than that',
      { decided: COPY, compares: false },
      { from: { lastModifiedMs: at(19 - MARGIN_S) } },
      'skip earlier',
    ],
    ['and not otherwise', { decided: COPY, compares: false }, { from: { lastModifiedMs: at(20 - MARGIN_S) } }, 'copy'],
    [
      'by the clock of the destination',
      { decided: COPY, compares: false, aheadMs: 1000 },
      { from: { lastModifiedMs: at(19 - MARGIN_S) } },
      'copy',
    ],
    [
      'is done if its version is named',
      { decided: COPY, compares: false },
      { from: { pinned: true, lastModifiedMs: at(99) } },
      'skip earlier',
    ],
    [
      'but not without an ETag',
      { decided: COPY, compares: false },
      { from: { pinned: true, etag: '', lastModifiedMs: at(99) } },
      'copy',
    ],
    ['nor without a time', { decided: COPY, compares: false }, { from: { lastModifiedMs: undefined } }, 'copy'],
  ])('an object %s', (_, how, { from, to, ...pair }, expected) => {
    expect(outcomeOf(resume(how).judge({ ...pairOf({ from, to }), ...pair }))).toBe(expected)
  })

  test('tells how much it need not copy, once there is something', () => {
    const told = prefix => resume({ prefix }).events.map(({ code, facts }) => [code, facts.objects])
    expect([{ copied: { objects: 3 } }, { copied: { objects: 0 } }, {}].map(told)).toEqual([
      [['JOB_RESUMED', 3]],
      [],
      [],
    ])
    expect(resume({ prefix: { ranges: undefined, copied: { objects: 3 } } })).toMatchObject({
      events: [],
      resumed: false,
    })
  })

  test('knows which names are done, and gives the clocks of both ends', () => {
    const { isDone, judge, clocks } = resume({ aheadMs: 500 })
    expect(['a', 'p', 'q'].map(isDone)).toEqual([true, true, false])
    judge(pairOf())
    expect(clocks).toEqual([{ aheadMs: 500, nowMs: NOW }])
  })
})

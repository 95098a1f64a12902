'use strict'

/** What a resumed job takes for done, to the second; and what of its ranges is left. */

const { copiedEarlier, createCursors, isIn, rangesOf, readResumed } = require('../../../lib/many/resumed')
const { MARGIN_S } = require('../../../lib/many/select')

const BEGAN = 1_700_000_010_400
/** Seconds since the job began, as lists tell them. */
const at = seconds => 1_700_000_010_000 + 1000 * seconds
const MD5 = '"0123456789abcdef0123456789abcdef"'
const OTHER = '"fedcba9876543210fedcba9876543210"'

/** What a pair has of its source, or of its destination: its time in seconds since the job began. */
const timed = (seconds, more) => ({ lastModifiedMs: seconds === undefined ? undefined : at(seconds), ...more })
const from = (seconds, more) => ({ from: timed(seconds, more) })
const to = (seconds, more) => ({ to: timed(seconds, more) })
const PINNED = { pinned: true }

/** An object that was modified long before the job, and a copy of this job that was written ten seconds after it began. */
const pairOf = ({ from = {}, to = {} } = {}) => ({
  name: 'a',
  source: { key: 'a', bytes: 3, etag: MD5, lastModifiedMs: at(-1000), ...from },
  destination: { key: 'b', bytes: 3, etag: OTHER, lastModifiedMs: at(10), ...to },
})

const same = { etag: MD5 }
const DONE = { doneMs: at(10) }
const [LATE, OLDER] = [2 - MARGIN_S, 1 - MARGIN_S]

test.each([
  ['with the same digest, if it was written two seconds before the job', to(-2, same), {}, true],
  ['not three', to(-3, same), {}, false],
  ['with another one, if it was written two seconds after', to(2), {}, true],
  ['not one', to(1), {}, false],
  ['if its source was older by more than a copy takes', { ...from(OLDER), ...to(2) }, {}, true],
  ['not by as much', { ...from(LATE), ...to(2) }, {}, false],
  ['by the clock of the destination', { ...from(OLDER), ...to(2) }, { aheadMs: 1000 }, false],
  ['with the same digest, if its source was modified in its second', { ...from(10), to: same }, {}, true],
  ['not after it', { ...from(11), to: same }, {}, false],
  ['if it was written two seconds after its name was done', {}, { doneMs: at(8) }, true],
  ['not three', {}, { doneMs: at(7) }, false],
  ['of a version that the manifest names, whatever its time', from(99, PINNED), DONE, true],
  ['not before its name was done', from(99, PINNED), {}, false],
  ['not without an ETag', from(99, { ...PINNED, etag: '' }), DONE, false],
  ['not if it is older than the job', { from: PINNED, ...to(-3) }, DONE, false],
  ['of a version without a time', from(undefined, PINNED), DONE, true],
  ['not where copies have the times of their sources', from(undefined, PINNED), { ...DONE, keepsTimes: true }, false],
  ['not of another object without a time', { ...from(undefined), to: same }, DONE, false],
  ['not of such a version that is older than the job', { ...from(undefined, PINNED), ...to(-3) }, DONE, false],
  ['with the time of its source, where copies have that', to(-1000, { changedMs: at(1) }), { keepsTimes: true }, true],
  ['not if it had that time before', to(-1000, { changedMs: BEGAN - 1 }), { keepsTimes: true }, false],
  ['not with another time there', {}, { keepsTimes: true }, false],
  ['not of another size', { to: { ...same, bytes: 4 } }, {}, false],
  ['not with another digest, where its store may have taken anything', to(10), { taken: false }, false],
  ['but with the same', to(10, same), { taken: false }, true],
  ['not without a time', to(undefined, same), {}, false],
  ['not on the source alone', { alone: 'source' }, {}, false],
  ['nor on the destination alone', { alone: 'destination' }, {}, false],
])('a copy of an earlier run is one: %s', (_, { alone, ...how }, clocks, expected) => {
  const pair = pairOf(how)
  expect(copiedEarlier(alone ? { [alone]: pair[alone] } : pair, { beganMs: BEGAN, ...clocks })).toBe(expected)
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
  const LATE = { after: 'p', until: 'q' }
  const KEPT = { ranges: [OPEN], keptMs: 5 }
  test.each([
    ['nothing was begun', {}, '; - Infinity'],
    ['all is open', { ranges: [{}] }, '-; '],
    ['one range is open, and what is around it is done', { ranges: [OPEN], keptMs: 5 }, 'd-g; -d 5, g- 5'],
    ['one that goes to the end is open', { ranges: [{ after: 'd' }], keptMs: 5 }, 'd-; -d 5'],
    ['one from the start is open', { ranges: [{ until: 'g' }], keptMs: 5 }, '-g; g- 5'],
    ['what was done before has its own time', { ...KEPT, doneRanges: [{ after: 'g', doneMs: 3 }] }, 'd-g; -d 5, g- 3'],
    ['ranges come in any order', { ...KEPT, ranges: [LATE, OPEN] }, 'p-q, d-g; -d 5, g-p 5, q- 5'],
  ])('%s', (_, earlier, expected) => {
    const { open, done } = rangesOf(earlier)
    const textOf = ({ after = '', until = '', doneMs }) =>
      [`${after}-${until}`, doneMs].filter(one => one !== undefined).join(' ')
    expect([open, done].map(ranges => ranges.map(textOf).join(', ')).join('; ')).toBe(expected)
    const ids = [...open, ...done].map(({ id }) => id)
    expect(ids).toEqual([...open.map((_, i) => i), ...done.map((_, i) => 1_000_000 + i)])
  })
})

describe('a cursor', () => {
  const of = (...ranges) => createCursors(ranges)
  const textOf = ({ id, after = '', until = '', doneMs = '' }) =>
    `${id === undefined ? '' : `${id}: `}${after}-${until} ${doneMs}`.trim()

  test('stays before the first object that did not end well, whatever ends after it', () => {
    const cursors = of({ id: 0 })
    const [a, b, c] = ['a', 'b', 'c'].map(name => cursors.begin(0, name))
    c(false)
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined }])
    a()
    b(false)
    expect(cursors.ranges()).toEqual([{ id: 0, after: 'a' }])
    cursors.end(0)
    expect(cursors.ranges()).toEqual([{ id: 0, after: 'a' }])
  })

  test('stays before an object in flight that comes before one that did not end well', () => {
    const cursors = of({ id: 0 })
    const [, b] = ['a', 'b'].map(name => cursors.begin(0, name))
    b(false)
    b()
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined }])
  })

  test('ends once all names were judged and all objects have ended', () => {
    const cursors = of({ id: 0 })
    const a = cursors.begin(0, 'a')
    cursors.end(0)
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined }])
    a()
    expect(cursors.ranges()).toEqual([])
  })

  test('is of no name without a range', () => {
    const cursors = of({ id: 0 })
    cursors.begin(undefined, 'a')(false)
    cursors.gave(undefined, 'b')
    expect(cursors.ranges()).toEqual([{ id: 0, after: undefined }])
  })

  test('of a range that is split has two', () => {
    const cursors = of({ id: 0, doneMs: 7 }, { id: 1, after: 'x' })
    cursors.split({ range: 0, until: 'm', into: { id: 2, after: 'm', until: 'x' } })
    cursors.split({ range: 1, until: 'y', into: { id: 3, after: 'y' } })
    expect(cursors.ranges().map(textOf)).toEqual(['1: x-y', '3: y-'])
    expect(cursors.done().map(textOf)).toEqual(['-m 7', 'm-x 7'])
  })

  test('of what was done before leaves open what is in flight, and the rest done', () => {
    const cursors = of({ id: 0, until: 'm', doneMs: 7 })
    cursors.gave(0, 'c')
    expect([cursors.ranges(), cursors.done()]).toEqual([[], [{ after: 'c', until: 'm', doneMs: 7 }]])
    const d = cursors.begin(0, 'd')
    expect([...cursors.ranges(), ...cursors.done()].map(textOf)).toEqual(['0: c-d', 'd-m 7'])
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
  function resume({ decided = SKIP, prefix = {}, doubted, settings, checks = false, aheadMs = 0, ...how } = {}) {
    const { state = {}, can = {}, fastMs = 0 } = how
    const events = []
    const names = { objects: new Map(), failed: new Set(), unsure: new Set(), copies: new Map() }
    const all = prefix && { ranges: [{ id: 0, after: 'p' }], keptMs: at(20), ...names, ...prefix }
    const clocks = []
    const resumed = readResumed(
      {
        source: { store: { now: () => NOW + fastMs - aheadMs } },
        destination: { store: { now: () => NOW + fastMs, can } },
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

  const Q = { name: 'q' }
  const DOUBTED = { doubted: ['a'] }
  const EQUAL = { to: { etag: MD5 } }
  const UNPROVED = { decided: COPY, settings: { proved: false } }
  const UPLOADING = { prefix: { objects: new Map([['q', {}]]) } }
  const FULL = { settings: { verify: 'full' } }
  const unsure = { prefix: { unsure: new Set(['a']) } }
  const copies = (etags = {}) => ({
    decided: COPY,
    prefix: { copies: new Map([['q', { from: MD5, etag: OTHER, ...etags }]]) },
  })
  const UNLOOKED = { decided: COPY, compares: false }
  const skips = why => ({ decided: { action: 'skip', why } })
  test.each([
    ['of a done range counts as copied', { decided: COPY }, {}, 'skip earlier'],
    ['of an open one that nothing proves is copied again', {}, Q, 'copy unsure'],
    ['of an open one that its store has checked counts as copied', { decided: COPY, checks: true }, Q, 'skip earlier'],
    ['but not where it was to be read back', { checks: true, ...FULL }, Q, 'copy unsure'],
    ['nor where something was written beside it', { checks: true, prefix: { beside: true } }, {}, 'copy unsure'],
    ['nor while its journal has an upload of it', { checks: true, ...UPLOADING }, Q, 'copy unsure'],
    ['where none has to be proved, also beside', { ...UNPROVED, prefix: { beside: true } }, {}, 'skip earlier'],
    ['that is left out stays so', { decided: { ...SKIP, filtered: true }, ...unsure }, {}, 'skip'],
    ['that is left out stays so, where it was done', { decided: { ...SKIP, filtered: true } }, {}, 'skip'],
    [
      'of a done range, where both clocks are fast',
      { decided: COPY, fastMs: 60_000 },
      { ...from(-1000), ...to(70) },
      'skip earlier',
    ],
    ['that may be wrong is copied again', unsure, {}, 'copy unsure'],
    ['that another job doubts is copied again', DOUBTED, {}, 'copy unsure'],
    ['that may be wrong is right with the same digest', DOUBTED, EQUAL, 'skip earlier'],
    ['but not one from before', DOUBTED, to(-9, { etag: MD5 }), 'copy unsure'],
    ['nor the size and time of a file', { ...DOUBTED, can: { keepsTimes: true } }, to(-1000), 'copy unsure'],
    ['nor what was to be read back', { ...DOUBTED, ...FULL }, EQUAL, 'copy unsure'],
    ['nor one whose source is to be removed', { ...DOUBTED, settings: { move: true } }, EQUAL, 'copy unsure'],
    ['that may be wrong is copied, not compared', { ...DOUBTED, decided: { action: 'compare' } }, {}, 'copy unsure'],
    ['that is to be deleted is, even if it may be wrong', { ...DOUBTED, decided: { action: 'delete' } }, {}, 'delete'],
    ['of a first run is judged as it is', { prefix: null }, {}, 'skip'],
    ['of a move is judged as it is', { settings: { move: true }, decided: COPY }, {}, 'copy'],
    ['of the destination alone is judged as it is', { decided: COPY }, { source: undefined }, 'copy'],
    ['is known by the place of its row', { decided: COPY }, { name: 'q', at: 'a' }, 'skip earlier'],
    ['that failed is not done, whoever looks', { ...UNLOOKED, prefix: { failed: new Set(['a']) } }, from(0), 'copy'],
    ['that failed is not done', { decided: COPY, prefix: { failed: new Set(['a']) } }, {}, 'copy'],
    ['is not done where a line of the journal is damaged', { decided: COPY, state: { damaged: 1 } }, {}, 'copy'],
    ['nor where the destination takes some names for one', { decided: COPY, folds: true }, {}, 'copy'],
    ['of which the journal has both ETags is copied', copies(), Q, 'skip earlier'],
    ['but not without the one of its source', copies({ from: '' }), { ...Q, from: { etag: '' } }, 'copy'],
    ['nor with another size', copies(), { ...Q, to: { bytes: 4 } }, 'copy'],
    ['nor with another source', copies({ from: OTHER }), Q, 'copy'],
    ['that exists stays where that is wanted', skips('exists'), Q, 'skip'],
    ['that is newer and as large may be ours', skips('newer-there'), Q, 'copy unsure'],
    ['that is newer and larger is not', skips('newer-there'), { ...Q, to: { bytes: 4 } }, 'skip'],
    ['written two seconds before the job may be ours', {}, { ...Q, ...to(-2) }, 'copy unsure'],
    ['written three seconds before the job is not', {}, { ...Q, ...to(-3) }, 'skip'],
    ['without a time is not', {}, { ...Q, ...to(undefined) }, 'skip'],
    ['that is not looked at is done if its source is older than that', UNLOOKED, from(19 - MARGIN_S), 'skip earlier'],
    ['and not otherwise', UNLOOKED, from(20 - MARGIN_S), 'copy'],
    ['by the clock of the destination', { ...UNLOOKED, aheadMs: 1000 }, from(19 - MARGIN_S), 'copy'],
    ['is done if its version is named', UNLOOKED, from(99, PINNED), 'skip earlier'],
    ['but not without an ETag', UNLOOKED, from(99, { ...PINNED, etag: '' }), 'copy'],
    ['nor without a time', UNLOOKED, { from: { lastModifiedMs: undefined } }, 'copy'],
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
    const { isDone, doneMsThere, judge, clocks } = resume({ aheadMs: 500, fastMs: 60_000 })
    expect(['a', 'p', 'q'].map(isDone)).toEqual([true, true, false])
    expect(['a', 'q'].map(doneMsThere)).toEqual([at(80), undefined])
    judge(pairOf())
    expect(clocks).toEqual([{ aheadMs: 500, nowMs: NOW + 60_000 }])
  })
})

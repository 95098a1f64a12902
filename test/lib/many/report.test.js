'use strict'

/** What is told of a job over a prefix, and when. */

const { setImmediate: turn } = require('node:timers/promises')
const { flow } = require('../../../lib/many/flow')
const { createAhead, createNotifyOnce, watchPrefix } = require('../../../lib/many/report')
const { createCursors } = require('../../../lib/many/resumed')
const { createTally } = require('../../../lib/many/tally')
const { notice } = require('../../../lib/notices')
const { createActivity, progressAt } = require('../../../lib/progress')
const { createRiggedJournal } = require('../../support/rigged-journal')
const { errorOf } = require('../../support/rigged-store')

test('a dry run tells all in order, and lists no further while a comparison is slow', async () => {
  const told = []
  const compared = []
  let steps = 0
  async function* listed() {
    for (const names of ['abc', 'def']) {
      steps++
      const pairs = [...names].map(name => ({ name, source: { key: name, bytes: 1 } }))
      yield { type: 'pairs', range: 0, pairs, through: names.at(-1) }
    }
    yield { type: 'end', range: 0 }
  }
  const judge = ({ name }) => ({ action: 'acd'.includes(name) ? 'compare' : 'skip', why: 'older' })
  const ended = flow(listed(), judge, {
    objects: {
      leave: ({ name }) => void told.push(name),
      compared: (_, verdict) => new Promise(resolve => compared.push(() => resolve({ ...verdict, action: 'copy' }))),
      begin: ({ name }) => void told.push(name),
    },
    deletions: { saw() {}, ended() {} },
    folding: { clashes: () => false },
    below: { isNeeded: () => false },
    cursors: createCursors([{ id: 0 }]),
    tally: createTally({ startMs: 0 }),
    dryRun: true,
    cancel: new AbortController().signal,
  })
  await turn()
  compared[1]()
  await turn()
  expect([steps, compared.length, told]).toEqual([1, 2, []])
  compared[0]()
  await turn()
  expect([steps, told]).toEqual([2, ['a', 'b', 'c']])
  compared[2]()
  await ended
  expect(told).toEqual([...'abcdef'])
})

test('a notice that is true of many objects is given for the first one', () => {
  const told = []
  const tell = createNotifyOnce(({ facts }) => told.push(facts.location))
  const names = { one: 'expires', two: 'expires', three: 'cache-control' }
  for (const [location, name] of Object.entries(names))
    tell(notice('ATTRIBUTES_NOT_KEPT', { location, without: [name] }))
  expect(told).toEqual(['one', 'three'])
})

test('a count ahead of the listing ends when that is through, and asks no more', async () => {
  let asked = 0
  const store = {
    facts: { side: 'source' },
    async list(_, { signal }) {
      await turn()
      signal.throwIfAborted()
      const key = `p/${String(asked++).padStart(9, '0')}`
      return { objects: [{ key, bytes: 2, etag: '' }], next: String(asked) }
    },
  }
  const found = { through: false, objects: 0, bytes: 0 }
  const ahead = createAhead({ source: { store, key: 'p/' } }, () => 1, found)
  ahead.start()
  while (asked <= 2) await turn()
  await ahead.end()
  const before = asked
  ahead.start()
  await turn()
  expect([asked, found.through]).toEqual([before, false])
})

test('how far it is is written again where the journal could not be written once', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  const rigged = createRiggedJournal()
  let step = () => {}
  const journal = rigged.open(() => step())
  let at = 'a'
  const cursors = { ranges: () => [{ id: 0, after: at }], done: () => [] }
  const run = { journal, watchedBy() {}, emit() {}, pressure: { hindrances: () => ({}) } }
  const watch = watchPrefix(/** @type {any} */ ({ run }), { startMs: Date.now() })
  const end = await watch.keep(/** @type {any} */ (journal), /** @type {any} */ (cursors))
  at = 'b'
  watch.tally.counts.deleted = 2
  step = () => {
    throw errorOf('STORE_UNREACHABLE')
  }
  await jest.advanceTimersByTimeAsync(600)
  step = () => {}
  await jest.advanceTimersByTimeAsync(5_000)
  expect(rigged.facts.map(({ ranges, copied }) => [ranges[0].after, copied.deleted])).toEqual([['a'], ['b', 2]])
  await end()
  watch.stop()
  jest.useRealTimers()
})

const MiB = 1024 ** 2
const progress = (tally, nowMs) => progressAt({ activity: createActivity({ now: Date.now }), at: tally.at }, nowMs)

test('in the tally, what an earlier run has moved is seen, and moves nothing now', () => {
  const tally = createTally({ startMs: 0 })
  tally.chosen(20 * MiB)
  tally.listingEnded()
  tally.moved(15 * MiB, 1000, true)
  expect(progress(tally, 1000)).toMatchObject({ bytesDone: 15 * MiB, resumedBytes: 15 * MiB, bytesPerSecond: 0 })
  tally.moved(MiB, 2000)
  expect(progress(tally, 2000)).toMatchObject({ bytesDone: 16 * MiB, bytesPerSecond: MiB / 2 })
  tally.copied({ bytes: 20 * MiB, proof: [] }, { seen: 16 * MiB, before: 15 * MiB }, 4000)
  expect(tally.bytes).toEqual({ chosen: 20 * MiB, copied: 20 * MiB, before: 15 * MiB })
  expect(progress(tally, 4000)).toMatchObject({ bytesDone: 20 * MiB, etaMs: 0 })
})

'use strict'

/** What is told of a job over a prefix, and when. */

const { setImmediate: turn } = require('node:timers/promises')
const { flow } = require('../../../lib/prefix/flow')
const { createAhead, createInOrder, createNotifyOnce } = require('../../../lib/prefix/report')
const { createCursors } = require('../../../lib/prefix/resumed')
const { createTally } = require('../../../lib/prefix/tally')
const { notice } = require('../../../lib/notices')
const { createActivity, progressAt } = require('../../../lib/progress')

const PAGES = 50
const PAGE = 100
const pageOf = at => Array.from({ length: PAGE }, (_, i) => `n${String(at * PAGE + i).padStart(5, '0')}`)

test('the listing waits while too many events wait for a slow comparison', async () => {
  const told = []
  const inOrder = createInOrder(({ name }) => told.push(name))
  let pages = 0
  async function* steps() {
    for (; pages < PAGES; ) {
      const pairs = pageOf(pages++).map(name => ({ name, source: { key: name, bytes: 1 } }))
      yield { type: 'pairs', range: 0, pairs, through: pairs.at(-1).name }
    }
    yield { type: 'end', range: 0 }
  }
  let slow
  const judge = ({ name }) =>
    name === 'n00000' ? { action: 'compare', why: 'etag' } : { action: 'skip', why: 'older' }
  const ended = flow(steps(), judge, {
    objects: {
      leave: ({ name }) => inOrder.emit({ name }),
      begin({ name }) {
        const tell = inOrder.place()
        slow = () => tell({ name })
      },
    },
    deletions: { saw() {}, ended() {} },
    folding: { clashes: () => false },
    cursors: createCursors([{ id: 0 }]),
    tally: createTally({ startMs: 0 }),
    inOrder,
    cancel: new AbortController().signal,
  })
  for (let turns = 0; turns < 2 * PAGES; turns++) await turn()
  expect([pages, told]).toEqual([11, []])
  slow()
  await ended
  expect(told).toEqual(Array.from({ length: PAGES }, (_, at) => pageOf(at)).flat())
})

test('a notice that is true of many objects is given for the first one', () => {
  const told = []
  const tell = createNotifyOnce(({ facts }) => told.push(facts.location))
  for (const [location, name] of [
    ['one', 'expires'],
    ['two', 'expires'],
    ['three', 'cache-control'],
  ])
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

describe('the tally', () => {
  const MiB = 1024 ** 2
  const progress = (tally, nowMs) => progressAt({ activity: createActivity(), at: tally.at }, nowMs)

  test('what an earlier run has moved is seen, and moves nothing now', () => {
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
})

'use strict'

const { setImmediate: turn } = require('node:timers/promises')
const { flow } = require('../../../lib/prefix/flow')
const { createInOrder } = require('../../../lib/prefix/report')
const { createCursors } = require('../../../lib/prefix/selection')
const { createTally } = require('../../../lib/prefix/report/tally')

const PAGES = 50
const PAGE = 100
const pageOf = at => Array.from({ length: PAGE }, (_, i) => `n${String(at * PAGE + i).padStart(5, '0')}`)

test('the listing waits while too many events wait for a slow comparison', async () => {
  const told = []
  const inOrder = createInOrder(name => told.push(name))
  let pages = 0
  async function* steps() {
    for (; pages < PAGES; ) {
      const pairs = pageOf(pages++).map(name => ({ name, source: { key: name, bytes: 1 } }))
      yield { type: 'pairs', range: 0, pairs, through: pairs.at(-1).name }
    }
    yield { type: 'end', range: 0 }
  }
  let slow
  const ended = flow({
    steps: steps(),
    judge: ({ name }) => (name === 'n00000' ? { action: 'compare', why: 'etag' } : { action: 'skip', why: 'older' }),
    objects: {
      begin({ name }) {
        const tell = inOrder.place()
        slow = () => tell(name)
      },
    },
    deletions: { saw() {}, ended() {} },
    folding: { clashes: () => false },
    cursors: createCursors([{ id: 0 }]),
    tally: createTally({ startMs: 0 }),
    inOrder,
    onSkip: ({ name }) => inOrder.emit(name),
    cancel: new AbortController().signal,
  })
  for (let turns = 0; turns < 2 * PAGES; turns++) await turn()
  expect([pages, told]).toEqual([11, []])
  slow()
  await ended
  expect(told).toEqual(Array.from({ length: PAGES }, (_, at) => pageOf(at)).flat())
})

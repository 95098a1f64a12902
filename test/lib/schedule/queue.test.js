'use strict'

const { createQueue } = require('../../../lib/schedule/queue')
const { createVirtualClock } = require('../../support/virtual-clock')

/** A queue, and what came of each `take` so far. */
function setUp(items, most = Number.POSITIVE_INFINITY, more = {}) {
  const clock = createVirtualClock()
  const rules = { most }
  const queue = createQueue(items, { limit: () => rules.most, clock, ...more })
  const taken = []
  const take = () => {
    const at = taken.push('waiting') - 1
    return queue.take().then(items => {
      taken[at] = items === undefined ? 'nothing' : items.join('+')
    })
  }
  /** Of a batch of one. */
  const putBack = (item, ms) => {
    queue.putBack(item, ms)
    queue.release()
  }
  /** Lets pass so much time. */
  const pass = ms => clock.run(clock.delay(ms))
  return { clock, rules, queue, taken, take, putBack, pass }
}

test('gives items in order, up to the limit', async () => {
  const { queue, taken, take, pass } = setUp(['a', 'b', 'c', 'd'], 2)
  for (let i = 0; i < 3; i++) take()
  await pass(0)
  expect(taken).toEqual(['a', 'b', 'waiting'])
  expect(queue.out()).toBe(2)
  queue.release()
  await pass(0)
  expect(taken).toEqual(['a', 'b', 'c'])
})

test('a limit that rises lets out more at the next chance', async () => {
  const { queue, rules, taken, take, pass } = setUp(['a', 'b', 'c', 'd'], 1)
  for (let i = 0; i < 4; i++) take()
  await pass(0)
  rules.most = 3
  queue.release()
  await pass(0)
  expect(taken).toEqual(['a', 'b', 'c', 'd'])
})

test('an item that was put back comes when it is due, and then before new ones', async () => {
  const { queue, taken, take, pass, putBack } = setUp(['a', 'b', 'c'], 1)
  take()
  await pass(0)
  putBack('a', 100)
  take()
  await pass(0)
  expect(taken).toEqual(['a', 'b'])
  await pass(100)
  queue.release()
  take()
  take()
  await pass(0)
  expect(taken).toEqual(['a', 'b', 'a', 'waiting'])
})

test('while it pauses nothing starts, and a later pause does not shorten an earlier one', async () => {
  const { clock, queue, taken, take, pass } = setUp(['a', 'b'])
  queue.pause(clock.now() + 1000)
  queue.pause(clock.now() + 10)
  take()
  take()
  await pass(999)
  expect(taken).toEqual(['waiting', 'waiting'])
  await pass(1)
  expect(taken).toEqual(['a', 'b'])
})

test('is open for as long as anything is queued, delayed or out, and tells all who wait when nothing is', async () => {
  const { queue, taken, take, pass, putBack } = setUp(['a'])
  take()
  take()
  take()
  await pass(0)
  expect(taken).toEqual(['a', 'waiting', 'waiting'])
  expect(queue.open()).toBe(true)
  putBack('a', 50)
  expect(queue.open()).toBe(true)
  await pass(50)
  expect(taken).toEqual(['a', 'a', 'waiting'])
  queue.release()
  await pass(0)
  expect(taken).toEqual(['a', 'a', 'nothing'])
  expect(queue.open()).toBe(false)
})

test('closed it gives nothing more, and leaves no timer', async () => {
  const { clock, queue, taken, take, pass, putBack } = setUp(['a', 'b'], 1)
  take()
  await pass(0)
  putBack('a', 10_000)
  queue.pause(clock.now() + 5000)
  take()
  take()
  await pass(1)
  expect(clock.pending()).toBe(1)
  queue.close()
  take()
  await pass(0)
  expect(taken).toEqual(['a', 'nothing', 'nothing', 'nothing'])
  expect(queue.open()).toBe(false)
  expect(clock.pending()).toBe(0)
})

test('gives as many at once as the batch says, by how many wait', async () => {
  const asked = []
  const batch = waiting => {
    asked.push(waiting)
    return waiting > 3 ? 3 : 1
  }
  const { queue, taken, take, pass } = setUp(['a', 'b', 'c', 'd', 'e'], 2, { batch })
  for (let i = 0; i < 3; i++) take()
  await pass(0)
  expect([taken, asked]).toEqual([
    ['a+b+c', 'd', 'waiting'],
    [5, 2],
  ])
  expect(queue.out()).toBe(2)
})

test('keeps to a quota, and goes on when it says so', async () => {
  let opensMs = 0
  let spent = 0
  const quota = {
    waitMs: () => Math.max(0, opensMs - clock.now()),
    started() {
      if (++spent === 2) opensMs = clock.now() + 1000
    },
  }
  const { clock, taken, take, pass } = setUp(['a', 'b', 'c'], 9, { quota })
  for (let i = 0; i < 3; i++) take()
  await pass(999)
  expect(taken).toEqual(['a', 'b', 'waiting'])
  await pass(1)
  expect(taken).toEqual(['a', 'b', 'c'])
})

test('an item waits once, however often it is put back, and not at all once it is dropped', async () => {
  const { queue, taken, take, pass } = setUp(['a', 'b'])
  take()
  await pass(0)
  queue.putBack('a', 10)
  queue.putBack('a', 20)
  expect(queue.has('a')).toBe(true)
  queue.drop('a')
  expect(queue.has('a')).toBe(false)
  take()
  take()
  await pass(50)
  expect(taken).toEqual(['a', 'b', 'waiting'])
})

test('the first items of an empty lane wait for others to go with, and no longer than that', async () => {
  const how = { open: true, gatherMs: () => 100, batch: () => 3 }
  const { queue, taken, take, pass } = setUp([], Number.POSITIVE_INFINITY, how)
  take()
  take()
  queue.add(['a'])
  await pass(99)
  queue.add(['b'])
  expect(taken).toEqual(['waiting', 'waiting'])
  await pass(1)
  expect(taken).toEqual(['a+b', 'waiting'])
  queue.add(['c'])
  await pass(99)
  expect(taken).toEqual(['a+b', 'waiting'])
  await pass(1)
  expect(taken).toEqual(['a+b', 'c'])
})

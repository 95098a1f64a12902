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

test('whoever waits for an item that is not due gets it at its time', async () => {
  const { clock, taken, take, putBack } = setUp(['a'])
  take()
  const again = take()
  await clock.run(clock.delay(5))
  putBack('a', 250)
  await clock.run(again)
  expect(taken).toEqual(['a', 'a'])
  expect(clock.elapsedMs()).toBe(255)
})

test('items put back come in the order in which they are due', async () => {
  const { taken, take, pass, putBack } = setUp(['a', 'b', 'c'])
  for (let i = 0; i < 3; i++) take()
  await pass(0)
  putBack('a', 300)
  putBack('b', 100)
  putBack('c', 200)
  for (let i = 0; i < 3; i++) take()
  await pass(150)
  expect(taken.slice(3)).toEqual(['b', 'waiting', 'waiting'])
  await pass(200)
  expect(taken.slice(3)).toEqual(['b', 'c', 'a'])
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

test('tells from when on a slot is free and no item is due', async () => {
  const { queue, clock, take, pass } = setUp(['a', 'b'], 3)
  const inMs = () => queue.idleMs() - clock.now()
  expect(inMs()).toBe(Number.POSITIVE_INFINITY)
  take()
  take()
  await pass(0)
  expect(inMs()).toBe(0)
  queue.pause(clock.now() + 100)
  expect(inMs()).toBe(100)
  await pass(100)
  queue.putBack('a', 10)
  expect(inMs()).toBe(0)
  await pass(10)
  expect(inMs()).toBe(Number.POSITIVE_INFINITY)
})

test('is not idle while its quota is spent, nor ever once it is closed', async () => {
  let opensMs = 0
  const { queue, clock, take, pass } = setUp(['a'], 3, {
    quota: { waitMs: () => Math.max(0, opensMs - clock.now()), started() {} },
  })
  take()
  await pass(0)
  opensMs = clock.now() + 700
  expect(queue.idleMs()).toBe(opensMs)
  queue.close()
  expect(queue.idleMs()).toBe(Number.POSITIVE_INFINITY)
})

test('what is due almost together goes together', async () => {
  const { clock, queue, taken, take, pass } = setUp(['a', 'b', 'c'], 9, { batch: () => 3 })
  take()
  await pass(0)
  for (const item of ['a', 'b', 'c']) {
    queue.putBack(item, 500)
    await clock.run(clock.delay(5))
  }
  queue.release()
  take()
  await pass(500)
  expect(taken).toEqual(['a+b+c', 'a+b+c'])
})

test('wakes up for a quota that opens between two looks at it', async () => {
  const waits = [0.5]
  const { taken, take, pass } = setUp(['a'], 9, { quota: { waitMs: () => waits.shift() ?? 0, started() {} } })
  take()
  await pass(10)
  expect(taken).toEqual(['a'])
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

test('nothing waits for others once there will be none', async () => {
  const { queue, taken, take, pass } = setUp([], 1, { open: true, gatherMs: () => 100 })
  take()
  queue.add(['a'])
  queue.end()
  await pass(0)
  expect(taken).toEqual(['a'])
})

test('a lane whose items wait for others does not hold up the next', async () => {
  const laneOf = item => (item === 'late' ? 0 : 1)
  const { queue, taken, take, pass } = setUp([], 9, { open: true, laneOf, gatherMs: lane => (lane === 0 ? 100 : 0) })
  take()
  take()
  queue.add(['late'])
  queue.add(['now'])
  await pass(0)
  expect(taken).toEqual(['now', 'waiting'])
  await pass(100)
  expect(taken).toEqual(['now', 'late'])
})

test('items that are removed one by one, of many, cost no look at all the others', async () => {
  const items = Array.from({ length: 50_000 }, (_, i) => i)
  const { queue, taken, take, pass } = setUp(items)
  const startedMs = Date.now()
  for (let i = items.length - 2; i >= 0; i--) queue.remove(new Set([i]))
  // With a look at them all it is ten times as long.
  expect(Date.now() - startedMs).toBeLessThan(3_000)
  expect(queue.waiting()).toBe(1)
  take()
  queue.remove(new Set([0]))
  await pass(0)
  expect(taken).toEqual(['49999'])
})

test('what was taken is not removed a second time, and what is removed may come again', async () => {
  const { queue, taken, take, pass } = setUp(['a', 'b', 'c'], Number.POSITIVE_INFINITY, { open: true })
  take()
  await pass(0)
  queue.remove(new Set(['a', 'b']))
  expect(queue.waiting()).toBe(1)
  queue.add(['d'])
  take()
  take()
  await pass(0)
  expect(taken).toEqual(['a', 'c', 'd'])
})

'use strict'

/** The real ones, noted as they are made. */
jest.mock('node:worker_threads', () => {
  const real = jest.requireActual('node:worker_threads')
  const made = []
  return {
    ...real,
    made,
    Worker: class extends real.Worker {
      constructor(...args) {
        super(...args)
        made.push(this)
      }
    },
  }
})
const { made: started } = require('node:worker_threads')
const { createLocalEngine } = require('../../../../lib/engines/local/engine')

/** A task of which the thread says at once that it makes no sense. */
const REQUEST = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
const TASK = { partNumber: 1, bytes: 1, sums: [], read: REQUEST }

let engine
beforeEach(() => {
  started.length = 0
  engine = createLocalEngine({ threads: 4 })
})
afterEach(() => engine.close())

test('starts no more threads than there are invocations, nor than it may', async () => {
  const run = many => Promise.all(Array.from({ length: many }, () => engine.run([TASK])))
  await run(3)
  expect(started).toHaveLength(3)
  await run(9)
  expect(started).toHaveLength(4)
})

test('leaves many small objects to two threads, or to one where there are two, and parts to all', async () => {
  const small = Array.from({ length: 9 }, () => TASK)
  const large = Array.from({ length: 9 }, () => ({ ...TASK, bytes: 8 * 1024 ** 2 }))
  const run = async (local, tasks) => {
    await Promise.all(tasks.map(task => local.run([task])))
    return started.length
  }
  const four = createLocalEngine({ threads: 4, manySmall: true })
  expect([await run(four, small), await run(four, large), await run(four, small)]).toEqual([2, 4, 4])
  await four.close()
  started.length = 0
  const two = createLocalEngine({ threads: 2, manySmall: true })
  expect([await run(two, small), await run(two, large)]).toEqual([1, 2])
  await two.close()
})

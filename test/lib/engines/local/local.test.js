'use strict'

/** The real ones, noted as they are made. */
jest.mock('node:worker_threads', () => {
  const real = jest.requireActual('node:worker_threads')
  const made = []
  class Worker extends real.Worker {
    constructor(...args) {
      super(...args)
      made.push(this)
    }
  }
  return { ...real, made, Worker }
})
const { made: started } = require('node:worker_threads')
const { createLocalEngine } = require('../../../../lib/engines/local/engine')

/** A task of which the thread says at once that it makes no sense. */
const REQUEST = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
const TASK = { partNumber: 1, bytes: 8 * 1024 ** 2, sums: [], read: REQUEST }

let engine
beforeEach(() => {
  started.length = 0
  engine = createLocalEngine({ threads: 4 })
})
afterEach(() => engine.close())

test.each([
  ['as many as ever help', undefined, 64],
  ['as many as hold 4 MiB each', 64 * 1024 ** 2, 16],
])('runs %s at once', async (_, memoryBytes, concurrent) => {
  const bounded = createLocalEngine({ threads: 1, memoryBytes })
  expect(await bounded.limits()).toMatchObject({ concurrent })
  await bounded.close()
})

test('starts no more threads than there are invocations, nor than it may', async () => {
  const run = many => Promise.all(Array.from({ length: many }, () => engine.run([TASK])))
  await run(3)
  expect(started).toHaveLength(3)
  await run(9)
  expect(started).toHaveLength(4)
  // One thread is enough for two: each holds some ten megabytes.
  const two = createLocalEngine({ concurrency: 2 })
  expect([two.where, two.startWith]).toEqual(['1 thread of this machine', 2])
  await two.close()
})

test('runs what is small in the thread of the program, and parts in threads of their own', async () => {
  const run = async bytes => {
    await Promise.all(Array.from({ length: 9 }, () => engine.run([{ ...TASK, bytes }])))
    return started.length
  }
  expect([await run(4 * 1024 ** 2), await run(5 * 1024 ** 2)]).toEqual([0, 4])
})

test('runs what has a write of its own making in the thread of the program, and what is beside it where it runs alone', async () => {
  const late = { ...TASK, partNumber: 2, bytes: 1, late: async () => ({ write: REQUEST, sums: {} }) }
  expect(await engine.run([late])).toMatchObject([{ partNumber: 2, error: {} }])
  expect(started).toHaveLength(0)
  const both = [2, TASK.partNumber].map(partNumber => ({ partNumber, error: {} }))
  expect(await engine.run([late, TASK])).toMatchObject(both)
  expect(started).toHaveLength(1)
})

test('an empty invocation, as that of xfer doctor, starts a thread', async () => {
  expect([await engine.run([]), started.length]).toEqual([[], 1])
})

'use strict'

const fc = require('fast-check')
const { createInFlight } = require('../../../../lib/schedule/limits')

test('nothing starts while as many bytes are in flight as may be', () => {
  const inFlight = createInFlight({ most: 200 })
  const [first, second] = [{}, {}]
  expect(inFlight.startable(100)).toBe(2)
  inFlight.take(first, 100)
  expect([inFlight.isFree(), inFlight.startable(100)]).toEqual([true, 1])
  inFlight.take(second, 100)
  expect([inFlight.isFree(), inFlight.startable(100)]).toEqual([false, 0])
  inFlight.release(first)
  expect([inFlight.isFree(), inFlight.startable(50)]).toEqual([true, 2])
})

test('one may start even if it is larger, and what ends twice is released once', () => {
  const inFlight = createInFlight({ most: 10 })
  const large = {}
  expect(inFlight.startable(1_000)).toBe(1)
  inFlight.take(large, 1_000)
  inFlight.release(large)
  inFlight.release(large)
  inFlight.take({}, 10)
  expect(inFlight.isFree()).toBe(false)
})

test('as many start as were said to be startable', () => {
  const numbers = fc.integer({ min: 1, max: 1_000 })
  fc.assert(
    fc.property(numbers, numbers, (most, each) => {
      const inFlight = createInFlight({ most })
      const startable = inFlight.startable(each)
      let started = 0
      for (; inFlight.isFree(); started++) inFlight.take({}, each)
      expect(started).toBe(startable)
    }),
  )
})

'use strict'

const { createInOrder } = require('../../../../lib/prefix/report/events')

/** @returns {any} */
function setUp() {
  const told = []
  return { told, ...createInOrder(event => told.push(event)) }
}

test('events come in the order of their places, whichever is known first', () => {
  const { told, place, emit } = setUp()
  emit('a')
  const [b, c] = [place(), place()]
  emit('d')
  c('c')
  expect(told).toEqual(['a'])
  b('b')
  expect(told).toEqual(['a', 'b', 'c', 'd'])
  emit('e')
  expect(told).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a place that stays empty holds nothing up', () => {
  const { told, place, emit } = setUp()
  const a = place()
  emit('b')
  a()
  expect(told).toEqual(['b'])
})

test('there is no room while a thousand events wait', async () => {
  const { told, place, emit, room } = setUp()
  expect(room()).toBeUndefined()
  const [first, second] = [place(), place()]
  for (let i = 2; i < 999; i++) emit(i)
  expect(room()).toBeUndefined()
  emit('last')
  const again = room()
  first('a')
  await again
  expect([room(), told]).toEqual([undefined, ['a']])
  second('b')
  expect(told).toHaveLength(1_000)
})

test('a place is taken once', () => {
  const { told, place } = setUp()
  const [a, b] = [place(), place()]
  b('b')
  b()
  a('a')
  expect(told).toEqual(['a', 'b'])
})

'use strict'

const { createInOrder } = require('../../../../lib/prefix/report/in-order')

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

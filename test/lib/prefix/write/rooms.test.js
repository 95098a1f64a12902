'use strict'

const { createRooms } = require('../../../../lib/prefix/write/rooms')

/** Enters one object after the other. @param {ReturnType<typeof createRooms>} rooms @param {number} count @returns {number} how many are in */
function enter(rooms, count) {
  for (let i = 0; i < count; i++) void rooms.small.enter(1)
  return rooms.small.taken()
}

test('this machine has sixteen small objects under way for each invocation', () => {
  expect(enter(createRooms({ concurrency: 64, server: false, here: true }), 5_000)).toBe(1_024)
  expect(enter(createRooms({ concurrency: 1, server: false, here: true }), 5_000)).toBe(128)
})

test('functions have some thousands, so that their invocations are full', () => {
  expect(enter(createRooms({ concurrency: 2, server: false }), 5_000)).toBe(4_096)
  expect(enter(createRooms({ concurrency: 1_000, server: false }), 25_000)).toBe(20_000)
})

test('a way that is opened later widens the room', () => {
  const rooms = createRooms({ concurrency: 2, server: true, here: true })
  expect(enter(rooms, 5_000)).toBe(8)
  rooms.widen(64)
  expect(rooms.small.taken()).toBe(1_024)
})

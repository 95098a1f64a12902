'use strict'

const { createRoom } = require('../../../../lib/prefix/write/rooms')

/** What has begun so far. */
function setUp(most) {
  const room = createRoom(most)
  const begun = []
  const enter = (name, size) => room.enter(size).then(() => begun.push(name))
  const turn = () => new Promise(resolve => setImmediate(resolve))
  return { room, begun, enter, turn }
}

test('lets in objects that fit, in order of arrival', async () => {
  const { room, begun, enter, turn } = setUp(3)
  enter('a', 2)
  enter('b', 2)
  enter('c', 1)
  await turn()
  // The small one does not pass the one before it.
  expect(begun).toEqual(['a'])
  room.leave(2)
  await turn()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('an object larger than the whole room is let in alone', async () => {
  const { room, begun, enter, turn } = setUp(3)
  enter('a', 1)
  enter('huge', 100)
  enter('b', 1)
  await turn()
  expect(begun).toEqual(['a'])
  room.leave(1)
  await turn()
  expect(begun).toEqual(['a', 'huge'])
  room.leave(100)
  await turn()
  expect(begun).toEqual(['a', 'huge', 'b'])
})

test('tells when it is empty', async () => {
  const { room, enter, turn } = setUp(3)
  await room.empty()
  enter('a', 1)
  enter('b', 3)
  let empty = false
  room.empty().then(() => {
    empty = true
  })
  await turn()
  room.leave(1)
  await turn()
  expect(empty).toBe(false)
  room.leave(3)
  await turn()
  expect(empty).toBe(true)
})

test('tells when somebody has to wait', async () => {
  let waits = 0
  const room = createRoom(2, () => waits++)
  for (let i = 0; i < 2; i++) await room.enter(1)
  expect(waits).toBe(0)
  void room.enter(1)
  expect(waits).toBe(1)
})

test('becomes wider, and lets in who waited', async () => {
  const { room, enter, begun, turn } = setUp(2)
  for (const name of ['a', 'b', 'c']) enter(name, 1)
  await turn()
  expect(begun).toEqual(['a', 'b'])
  room.widen(3)
  await turn()
  expect(begun).toEqual(['a', 'b', 'c'])
})

'use strict'

const { createLanes } = require('../../../lib/schedule/lanes')

const MB = 1e6

/** Invocations of functions whose connections have 30 MB/s, and whose network has this. @param {ReturnType<typeof createLanes>} lanes */
function copy(lanes, { megabytes, invocations = 20 }) {
  for (let i = 0; i < invocations; i++) {
    const now = lanes.current()
    const bytes = now * 100 * MB
    lanes.took({ lanes: now, bytes, elapsedMs: (1000 * bytes) / Math.min(now * 30 * MB, megabytes * MB) })
  }
}

describe('lanes of an invocation', () => {
  test('are doubled as long as that is clearly faster', () => {
    const lanes = createLanes({ first: 1, most: 4 })
    copy(lanes, { megabytes: 1000 })
    expect(lanes.current()).toBe(4)
  })

  test.each([
    ['one, where a connection has all of the network', 30, 1],
    ['two, where two have it', 50, 2],
  ])('are %s', (_name, megabytes, expected) => {
    const lanes = createLanes({ first: 1, most: 4 })
    copy(lanes, { megabytes, invocations: 100 })
    expect(lanes.current()).toBe(expected)
  })

  test('are one while a store refuses requests, and the same as before once it has not for long', () => {
    const lanes = createLanes({ first: 4, most: 4 })
    lanes.answered({ asked: 100, refused: 50 })
    expect([lanes.current(), lanes.pressed()]).toEqual([1, true])
    for (let i = 0; i < 5000; i++) lanes.answered({ asked: 1, refused: 0 })
    expect([lanes.current(), lanes.pressed()]).toEqual([4, false])
  })
})

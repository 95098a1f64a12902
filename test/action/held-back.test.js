'use strict'

/** The piece that is held back until the read has ended, and the memory that it lies in. */

const { Attempt } = require('../../actions/copy-range/attempt')
const { pump } = require('../../actions/copy-range/copy')
const { release, takeSlab } = require('../../actions/copy-range/slab')

test('its memory is not used again before it is written', async () => {
  const slab = takeSlab()
  const piece = slab.memory.subarray(0, 10)
  const attempt = new Attempt({ stallMs: 1000, fresh: true, reach: {} })
  const body = {
    start({ data, end }) {
      data(piece, slab)
      // The connection goes on with another.
      release(slab)
      end()
    },
    pause() {},
    resume() {},
  }
  const written = []
  const sink = { listen() {}, write: (_, { users }) => written.push(users), end() {} }
  const work = { partNumber: 1, bytes: piece.length, sums: ['crc32'], expect: {} }
  await pump({ body }, { sink, answered: () => false }, work, attempt, {})
  attempt.end()
  expect(written).toEqual([1])
  expect(takeSlab()).toBe(slab)
})

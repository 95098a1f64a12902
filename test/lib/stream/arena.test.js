'use strict'

/** The memory for parts: no two ranges overlap, and what is given back can be taken again. */

const fc = require('fast-check')
const { createArena } = require('../../../lib/stream/up/arena')

it('gives ranges that do not overlap, until none is left, and the same memory again', () => {
  const steps = fc.array(fc.record({ take: fc.integer({ min: 1, max: 400 }), give: fc.nat() }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, moves => {
      const arena = createArena(1000)
      const taken = []
      for (const { take, give } of moves) {
        const range = arena.take(take)
        if (range) taken.push(range)
        else if (taken.length > 0) arena.give(taken.splice(give % taken.length, 1)[0])
        const inOrder = taken.toSorted((one, other) => one.start - other.start)
        for (const [i, { start, bytes }] of inOrder.entries()) {
          expect(start).toBeGreaterThanOrEqual(i === 0 ? 0 : inOrder[i - 1].start + inOrder[i - 1].bytes)
          expect(start + bytes).toBeLessThanOrEqual(1000)
        }
      }
      for (const range of taken) arena.give(range)
      expect(arena.take(1000)).toEqual({ start: 0, bytes: 1000 })
    }),
  )
})

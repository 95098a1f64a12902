'use strict'

const { once, EventEmitter } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const fc = require('fast-check')
const { walk } = require('../../../lib/listing')
const { XferError } = require('../../../lib/errors')
const { anyName } = require('./names')
const { createCursors, joinOf, listStore, tellPairs } = require('./stores')

const anyKeys = fc.uniqueArray(anyName({ maxLength: 5 }), { maxLength: 120 })
const anyCase = fc.record({
  source: anyKeys,
  destination: anyKeys,
  shared: anyKeys,
  page: fc.integer({ min: 1, max: 12 }),
  lists: fc.integer({ min: 1, max: 6 }),
  stops: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 4 }),
  turns: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 }),
  heeds: fc.constantFrom(true, true, true, false),
})

test('any walk reports each name of either side once, wherever it is stopped and continued', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ source, destination, shared, page, lists, stops, turns, heeds }) => {
      const ours = [...new Set([...source, ...shared])]
      const other = [...new Set([...destination, ...shared])]
      let draw = 0
      const chance = () => turns[draw++ % turns.length]
      const waits = async () => {
        for (let i = chance(); i > 0; i--) await turn()
      }
      const pageSize = () => 1 + ((chance() * 5 + page) % 12)
      const place = (key, names, how) => {
        const { store } = listStore([...names.map(name => key + name), 'a', 'z'], { pageSize, turn: waits, ...how })
        return { store, key }
      }
      const places = { source: place('p/', ours, { heeds }), destination: place('q/é', other, { side: 'destination' }) }
      const cursors = createCursors()
      const pairs = []
      for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
        let steps = 0
        for await (const step of walk({ ...places, lists, ranges: cursors.ranges() })) {
          cursors.note(step)
          if (step.type === 'pairs') pairs.push(...step.pairs)
          if (++steps >= stop) break
        }
      }
      expect([cursors.ranges(), tellPairs(pairs)]).toEqual([[], joinOf(ours, other)])
    }),
    { numRuns: 200 },
  )
})

test('an abort ends the walk with its reason, and leaves nothing running', async () => {
  const events = new EventEmitter()
  let running = 0
  const abort = new AbortController()
  const store = {
    facts: {},
    async list(_, { signal }) {
      running++
      events.emit('asked')
      await once(signal, 'abort')
      running--
      throw signal.reason
    },
  }
  const steps = walk({ source: { store, key: '' }, signal: abort.signal })
  const asked = once(events, 'asked')
  const first = steps.next()
  await asked
  const reason = new XferError('TIMED_OUT', { afterMs: 1000 })
  abort.abort(reason)
  await expect(first).rejects.toBe(reason)
  expect(running).toBe(0)
  expect(await steps.next()).toEqual({ value: undefined, done: true })
})

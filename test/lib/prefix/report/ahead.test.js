'use strict'

const { setImmediate: turn } = require('node:timers/promises')
const { createAhead } = require('../../../../lib/prefix/report')

const PAGES = 200

/** A store that makes its pages as they are asked for. */
function storeOf({ refuse } = {}) {
  const asked = []
  const store = {
    facts: { side: 'source' },
    async list({ marker = '0' }, { signal }) {
      await turn()
      signal.throwIfAborted()
      asked.push(marker)
      if (marker === refuse) throw new Error('refused')
      const page = Number(marker)
      const objects = Array.from({ length: 1_000 }, (_, i) => ({
        key: `p/${String(page * 1_000 + i).padStart(9, '0')}`,
        bytes: 2,
        etag: '',
      }))
      return { objects, ...(page + 1 < PAGES && { next: String(page + 1) }) }
    },
  }
  return { asked, place: { source: { store, prefix: 'p/' } } }
}
/** @param {() => boolean} reached */
async function until(reached) {
  while (!reached()) await turn()
}

test('nothing is asked before the listing has to wait; then all is counted, page after page', async () => {
  const { asked, place } = storeOf()
  const sizeOf = ({ name, source }) => (name.endsWith('7') ? undefined : source.bytes)
  const ahead = createAhead(place, { sizeOf, from: { objects: 3, bytes: 30 } })
  expect(ahead.counted()).toEqual({ through: false, objects: 3, bytes: 30 })
  expect(asked).toEqual([])
  ahead.start()
  ahead.start()
  await until(() => ahead.counted().through)
  expect(asked).toHaveLength(PAGES)
  // A tenth does not count.
  expect(ahead.counted()).toEqual({ through: true, objects: 180_003, bytes: 360_030 })
  await ahead.end()
})

test('ends when the listing is through, and asks no more', async () => {
  const { asked, place } = storeOf()
  const ahead = createAhead(place, { sizeOf: () => 1 })
  ahead.start()
  await until(() => asked.length > 2)
  await ahead.end()
  const { length } = asked
  ahead.start()
  await turn()
  expect([asked.length, ahead.counted().through]).toEqual([length, false])
  expect(length).toBeLessThan(PAGES)
})

test('that fails leaves the total open', async () => {
  const { asked, place } = storeOf({ refuse: '3' })
  const ahead = createAhead(place, { sizeOf: () => 1 })
  ahead.start()
  await until(() => asked.includes('3'))
  await ahead.end()
  expect(ahead.counted().through).toBe(false)
})

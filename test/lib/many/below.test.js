'use strict'

/** Which names are below an object, where names come in order, in ranges. */

const fc = require('fast-check')
const { createBelow } = require('../../../lib/many/keys')
const { compareNames } = require('../../../lib/listing')
const { XferError } = require('../../../lib/errors')

const FACTS = { side: 'source', bucket: 'b', endpoint: 'http://store' }

/** @param {string[]} names of the source */
function sourceOf(names) {
  const asked = []
  const store = {
    async head(key) {
      asked.push(key)
      if (!names.includes(key)) throw new XferError('NO_SUCH_KEY', FACTS)
    },
  }
  return { asked, job: { source: { store, key: '' }, destination: { store: { can: {} } } } }
}

test('however names are cut into ranges, those below an object are found, and a boundary asks at most once for a folder', async () => {
  const segment = fc.constantFrom('a', 'a-', 'a.b', 'b', 'ab')
  const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), fc.nat(), async (all, at) => {
      const names = all.sort(compareNames)
      const cut = at % names.length
      const { asked, job } = sourceOf(names)
      const below = createBelow(job, [{ id: 0 }], { ordered: true })
      below.split({ into: { id: 1, after: names[cut] } })
      const found = []
      for (const [i, name] of names.entries()) {
        const folder = await below.saw(i <= cut ? 0 : 1, name)()
        if (folder !== undefined) found.push(name)
      }
      expect(found).toEqual(names.filter(name => names.some(other => name.startsWith(`${other}/`))))
      expect(asked).toHaveLength(new Set(asked).size)
      for (const folder of asked) expect(names[cut].startsWith(folder)).toBe(true)
    }),
  )
})

test('where names come in no order, of a name and one that is below it the second fails, whichever that is', async () => {
  const { job } = sourceOf([])
  const below = createBelow(job, [], { ordered: false })
  const found = []
  for (const name of ['a/b', 'c', 'a', 'c/d/e', 'c/d', 'f/g', 'f/h']) found.push(await below.saw(undefined, name)())
  expect(found).toEqual([undefined, undefined, 'a', 'c', 'c', undefined, undefined])
})

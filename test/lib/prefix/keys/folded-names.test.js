'use strict'

const fc = require('fast-check')
const { MOST_UNKNOWN, createFoldedNames } = require('../../../../lib/prefix/keys/folded-names')

const anyName = fc
  .array(fc.constantFrom('a', 'A', 'b', 'B', '\u00e9', '\u00c9', 'e\u0301', 'E\u0301', '1', '/', '\u{1F600}'), {
    minLength: 1,
    maxLength: 3,
  })
  .map(signs => signs.join(''))

test('tells of each name whether one before is the same by case, by Unicode, or by both', () => {
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 30 }), given => {
      const folded = createFoldedNames()
      const before = []
      for (const name of given) {
        const others = before.filter(other => other !== name)
        const lower = text => text.toLowerCase()
        const composed = text => text.normalize('NFC')
        const expected = {
          case: others.some(other => lower(other) === lower(name)),
          unicode: others.some(other => composed(other) === composed(name)),
        }
        const kinds = folded.add(name)
        // Of three spellings the third is compared with the first.
        if (!before.includes(name)) expect(kinds.includes('case')).toBe(expected.case)
        if (!before.includes(name)) expect(kinds.includes('unicode')).toBe(expected.unicode)
        if (kinds.length > 0) {
          expect(others.some(other => lower(composed(other)) === lower(composed(name)))).toBe(true)
        }
        before.push(name)
      }
    }),
  )
})

test('a name that comes twice is the same name', () => {
  const folded = createFoldedNames()
  expect([folded.add('Ab'), folded.add('Ab'), folded.add('aB'), folded.clashesOf('Ab')]).toEqual([[], [], ['case'], []])
})

test('so many names take little memory, and none once they do not matter', () => {
  const folded = createFoldedNames()
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i <= MOST_UNKNOWN; i++) folded.add(`folder/name${i}`)
  expect(folded.areMany()).toBe(true)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * 1024 * 1024)
  folded.forget('case')
  expect([folded.areMany(), folded.add('FOLDER/name1')]).toEqual([false, []])
})

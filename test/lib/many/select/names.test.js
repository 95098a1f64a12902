'use strict'

jest.mock('node:os', () => ({ ...jest.requireActual('node:os'), tmpdir: () => '/no/such/folder' }))

const fc = require('fast-check')
const { createSpool, lineOf, namesIn } = require('../../../../lib/many/select')
const { anyName } = require('../../listing/names')

/** @param {Buffer} bytes @param {number} size of each chunk */
async function* inChunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** @param {string | Buffer} text @returns {Promise<string[]>} */
async function allIn(text, size = 7, how) {
  const names = []
  for await (const name of namesIn(inChunks(Buffer.from(text), size), 'names.txt', how)) names.push(name)
  return names
}

describe('a file of names', () => {
  test.each([
    ['line ends of Windows', 'a\r\nb\r\n\r\nc', ['a', 'b', 'c']],
    ['blanks are part of a name', ' a \n\tb\n  \n', [' a ', '\tb', '  ']],
    ['a name may begin with the sign of a comment, in quotes', '"#a"\n"# b"\r\n', ['#a', '# b']],
    ['a mark at the beginning is none of the first name', '\ufeffa\n\ufeffb\n', ['a', '\ufeffb']],
    ['JSON strings', '"a\\nb"\n" c"\n"\\"d\\""\n"\\ud83d\\ude00"\n""\n', ['a\nb', ' c', '"d"', '😀', '']],
    ['other line ends are part of a name', 'a\u2028b\u0085c\rd\n', ['a\u2028b\u0085c\rd']],
    ['names that end with NUL are taken as they are', '# a\n"b"\0c', ['# a\n"b"', 'c'], { nul: true }],
  ])('%s', async (_, text, names, how = {}) => {
    for (const size of [1, 2, 3, 1_000]) expect(await allIn(text, size, how)).toEqual(names)
  })

  test.each([
    ['a\n"b\n', 'Line 2 of names.txt begins with a double quote and is no JSON string.'],
    ['"\\ud800"', 'Line 1 of names.txt is a JSON string that no key can be.'],
    [Buffer.from('a\n\nb\xff\n', 'latin1'), 'Line 3 of names.txt is not UTF-8.'],
    [`a\n${'x'.repeat(70_000)}\n`, 'Line 2 of names.txt is too long for a name.'],
  ])('%j is refused by its line', async (text, message) => {
    for (const size of [5, 100_000]) {
      await expect(allIn(text, size)).rejects.toMatchObject({ code: 'USAGE', exitCode: 2, message })
    }
  })

  test('any name comes back from the line that was written for it, between comments and empty lines', async () => {
    const begun = fc.tuple(fc.constantFrom('#', '"', '\ufeff', ' ', '\r'), anyName()).map(all => all.join(''))
    const name = fc.oneof(anyName(), begun)
    const comment = fc.constantFrom('', '\n', '\r\n', '# a comment\n', '#"\r\n')
    const lines = fc.array(fc.tuple(comment, name), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), fc.integer({ min: 1, max: 50 }), async (given, windows, size) => {
        const text = given.map(([before, one]) => before + lineOf(one).replace(/\n$/, windows ? '\r\n' : '\n')).join('')
        expect(await allIn(text, size)).toEqual(given.map(([, one]) => one))
      }),
      { numRuns: 200 },
    )
  })
})

test('who puts many names aside learns at once that they cannot be kept, and of few when they are read', async () => {
  const unwritable = {
    code: 'FILE_UNWRITABLE',
    message: expect.stringMatching(/^The list of what to delete, in .*, cannot be written \(ENOENT/),
    hint: expect.stringContaining('nothing was deleted'),
  }
  await expect(createSpool().add('n'.repeat(70_000))).rejects.toMatchObject(unwritable)
  const few = createSpool()
  await few.add('n')
  await expect(few.names().next()).rejects.toMatchObject(unwritable)
})

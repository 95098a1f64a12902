'use strict'

/** The types of the library's options have what the library takes, by function and by side. */

const { FUNCTIONS } = require('../../../docs/make/option-types')
const { declarationsOf } = require('../../../docs/make/declarations')
const { copyPrefix } = require('../../../lib')
const { OPTIONS } = require('../../../lib/options')
const { checkOptionNames } = require('../../../lib/options/names')

const DECLARED = Object.fromEntries(declarationsOf('api/options.d.ts').map(({ name, code }) => [name, code]))
const NAMES = [...new Set(OPTIONS.map(({ name }) => name))]

/** @param {string} heading of an interface @returns {Record<string, string>} by field, its type */
function fieldsOf(heading) {
  const code = DECLARED[heading]
  const [, bases = ''] = /extends ([\w, ]+) \{/.exec(code) ?? []
  const inherited = bases.split(', ').filter(Boolean).map(fieldsOf)
  const own = [...code.matchAll(/^ {2}(\w+)\?: (.*)$/gm)].map(([, name, type]) => [name, type])
  return Object.assign({}, ...inherited, Object.fromEntries(own))
}

/** @param {string} type such as `Omit<SourceOptions, 'versionId'>`; undefined: the function has no such side */
function namesIn(type = '') {
  const [, heading, without = ''] = /(\w+Options)((?:.*'\w+')*)/.exec(type) ?? []
  return heading ? Object.keys(fieldsOf(heading)).filter(name => !without.includes(`'${name}'`)) : []
}

/** @param {(name: string) => object} optionsWith @param {string} name of the function */
function takenBy(name, optionsWith) {
  return NAMES.filter(option => {
    try {
      checkOptionNames(name, optionsWith(option))
      return true
    } catch (error) {
      if (error.code !== 'USAGE') throw error
      return false
    }
  })
}

/** Options that a call knows only to refuse them, or some of their values, with an advice: they are in no type. */
const ADVISED = {
  copyPrefix: ['expectSha256', 'ifMatch', 'source.versionId'],
  upload: ['onFailure', 'route'],
}

test.each(FUNCTIONS)('%s has what %s takes', (heading, name) => {
  const fields = fieldsOf(heading)
  const typed = [
    ...Object.keys(fields),
    ...['source', 'destination'].flatMap(side => namesIn(fields[side]).map(option => `${side}.${option}`)),
  ]
  const taken = [
    ...takenBy(name, option => ({ [option]: {} })),
    ...['source', 'destination'].flatMap(side =>
      takenBy(name, option => ({ [side]: { [option]: 1 } }))
        .filter(() => side in fields)
        .map(option => `${side}.${option}`),
    ),
  ]
  expect([...typed, ...(ADVISED[name] ?? [])].sort()).toEqual(taken.sort())
})

test('no option is described in words of the command line', () => {
  const text = Object.values(DECLARED).join('\n')
  const words = /--[a-z][\w-]*|[ ;]-[rR]\b|\b(?:SRC|DEST|Ctrl-C|print|repeatable)\b|\bxfer [a-z]+\b(?<!xfer chooses)/g
  expect(text.match(words)).toBeNull()
})

test.each([
  ['CopyOptions', 'concurrency', '1000'],
  ['CopyOptions', 'chunk', '100'],
  ['CopyOptions', 'outageTimeout', "'10m'"],
  ['CopyOptions', 'verify', "'auto'"],
  ['CopyOptions', 'clobber', 'true'],
  ['CopyOptions', 'dryRun', 'false'],
  ['CopyOptions', 'caBundle', 'AWS_CA_BUNDLE'],
  ['PrefixOptions', 'recursive', "'copy'"],
])('the hint of %s.%s has its default, %s', (heading, name, expected) => {
  const base = [heading, 'TransferOptions', 'WriteOptions'].map(name => DECLARED[name]).join('')
  const [, usual] = new RegExp(`@default (.*)\n {3}\\*/\n  ${name}\\?:`).exec(base) ?? []
  expect(usual).toBe(expected)
})

test.each([
  [{ ifMatch: '"e"' }, 'one object'],
  [{ source: { versionId: '1' } }, 'one object'],
])('copyPrefix refuses %j', async (options, words) => {
  await expect(copyPrefix('s3://src/a', 's3://dst/b', options)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(words),
  })
})

test('what only a journal has is in no type', () => {
  const inner = OPTIONS.filter(({ journalOnly }) => journalOnly).map(({ name }) => name)
  expect(inner).not.toEqual([])
  const text = Object.values(DECLARED).join('\n')
  expect(inner.filter(name => new RegExp(`^ {2}${name}\\?:`, 'm').test(text))).toEqual([])
})

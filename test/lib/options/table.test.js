'use strict'

const { Command } = require('commander')
const { addOptions } = require('../../../cli/options')
const { OF_OWN_JOURNAL, OPTIONS, flagsOfCommand, helpOf, optionsOf, readerOf } = require('../../../lib/options')
const { ALL } = require('../../../lib/options/table/commands')
const { readFact } = require('../../../lib/journal/facts')
const { FUNCTIONS } = require('../../../docs/make/option-types')
const { checkOptionNames, sideOptions } = require('../../../lib/options/arguments')
const { thrownBy } = require('../../support/thrown')

/** The table of options: rows that fit together, and what is made of them. */

test.each(ALL)('no two options of xfer %s have the same flag', command => {
  const flags = flagsOfCommand(command).map(({ flag }) => flag)
  expect(flags.length).toBeGreaterThan(0)
  expect(flags.filter((flag, i) => flags.indexOf(flag) !== i)).toEqual([])
})

const FLAGS = ALL.flatMap(command => flagsOfCommand(command).map(one => ({ command, ...one })))
/** Options of which a word is chosen on the command line. */
const CHOSEN = FLAGS.filter(({ spec: { takes } }) => takes.as && takes.choices)

test('the help names every choice', () => {
  expect(CHOSEN.length).toBeGreaterThan(10)
  for (const { command, spec, side, flag } of CHOSEN) {
    const words = helpOf(spec, { command, side })
    const missing = spec.takes.choices.filter(choice => !words.includes(choice))
    expect({ flag, missing }).toEqual({ flag, missing: [] })
  }
})

test('a choice that only the command line has is checked by it', () => {
  const own = CHOSEN.filter(({ spec }) => spec.only === 'cli')
  expect(own.map(({ flag }) => flag)).toContain('--print')
  for (const { command, flag, spec } of own) {
    const parse = word => {
      const program = new Command(command)
      addOptions(program)
      return program.exitOverride().parse([flag, word], { from: 'user' }).opts()[spec.name]
    }
    expect(parse(spec.takes.choices[0])).toBe(spec.takes.choices[0])
    expect(() => parse('nonsense')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  }
})

test('every default is a value that the option takes, and what is usual needs no reading', () => {
  for (const { command, spec, side } of FLAGS) {
    const { value } = spec.default
    if (value === undefined || side) continue
    expect(readerOf(command, {})(spec.name)).toEqual(readerOf(command, { [spec.name]: value })(spec.name))
  }
})

test('a journal keeps the options of a job, and no others', () => {
  const side = { profile: 'p', endpointUrl: 'https://s', region: 'r', versionId: 'v', sseC: true }
  const options = {
    ...{ chunk: '8M', concurrency: 5, bandwidth: '10M', retries: '1', outageTimeout: '1m' },
    ...{ engine: 'local', route: 'engine', apihost: 'h' },
    ...{ clobber: false, ifMatch: '"e"', verify: 'full', onFailure: 'abort' },
    ...{ caBundle: '/ca.pem', metadata: 'replace', contentType: 'a/b' },
    ...{ headers: { Expires: '2027-01-31' }, metadataSet: ['a=b'], tags: 'none' },
    ...{ storageClass: 'COLD', sse: 'aws:kms', sseKmsKeyId: 'k', mtime: true },
    recursive: 'sync',
    select: {
      ...{ filters: [{ exclude: '*' }, { include: 'a' }], newerThan: '7d', olderThan: 1000, minSize: '1', maxSize: 2 },
      ...{ filesFrom: '/names', namesDigest: 'ab', ignoreExisting: true, sizeOnly: true, checksum: false },
      ...{ delete: true, maxDelete: '10%', failures: '/failed' },
    },
    source: { ...side, noSignRequest: true, requestPayer: true },
    destination: side,
  }
  const end = { text: 's3://a/', place: 'a' }
  const line = { n: 1, at: 1, type: 'job', version: 1, id: 'j', source: end, destination: end }
  expect(readFact({ ...line, options }).entry).toEqual({ ...line, options })
  expect(readFact({ ...line, options: { timeout: '1h' } }).entry.options).toEqual({})
  expect(readFact({ ...line, options: { verify: 'perhaps' } })).toEqual({ damaged: true })
})

/** Options that a call knows only to refuse them, or some of their values, with an advice. */
const ADVISED = { copyPrefix: { '': ['expectSha256', 'ifMatch'], source: ['versionId'] } }
const NAMES = [...new Set(OPTIONS.map(({ name }) => name))].sort()

// That the types have these docs.test.js tells.
test.each(FUNCTIONS)('what the table has for %s is what %s takes, of a side too', (_, name) => {
  const isTaken = options => thrownBy(() => checkOptionNames(name, options))?.code !== 'USAGE'
  const own = optionsOf(name).map(spec => spec.name)
  const sides = ['source', 'destination'].filter(side => own.includes(side))
  for (const side of ['', ...sides]) {
    const specs = side ? sideOptions(name, side) : optionsOf(name)
    const known = new Set([...specs.map(spec => spec.name), ...(ADVISED[name]?.[side] ?? [])])
    const taken = NAMES.filter(option => isTaken(side ? { [side]: { [option]: 1 } } : { [option]: {} }))
    expect([side, taken]).toEqual([side, [...known].sort()])
  }
})

test('a journal from elsewhere says neither what is deleted nor which files of this machine are used', () => {
  const own = 'delete maxDelete move filesFrom filesFrom0 manifest manifestOut failures caBundle'
  expect(OF_OWN_JOURNAL).toEqual(expect.arrayContaining(own.split(' ')))
})

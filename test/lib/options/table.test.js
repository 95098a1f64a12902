'use strict'

/** The table of options: rows that fit together, and what is made of them. */

const { OPTIONS, flagsOfCommand, helpOf, defaultTextOf, readerOf, valueTypeOf } = require('../../../lib/options')
const { ALL } = require('../../../lib/options/table/commands')
const { readFact } = require('../../../lib/journal/facts')

test.each(ALL)('no two options of xfer %s have the same flag', command => {
  const flags = flagsOfCommand(command).map(({ flag }) => flag)
  expect(flags.length).toBeGreaterThan(0)
  expect(flags.filter((flag, i) => flags.indexOf(flag) !== i)).toEqual([])
})

test('every default is a value that the option takes, and what is usual needs no reading', () => {
  for (const command of ALL) {
    for (const { spec, side } of flagsOfCommand(command)) {
      if (spec.default === undefined || side) continue
      expect(() => readerOf(command, { [spec.name]: spec.default })(spec.name)).not.toThrow()
      expect(readerOf(command, {})(spec.name)).toEqual(readerOf(command, { [spec.name]: spec.default })(spec.name))
    }
  }
})

test('help is one line without a final stop, and names the choices that there are', () => {
  for (const command of ALL) {
    for (const { spec, side } of flagsOfCommand(command)) {
      const help = helpOf(spec, { command, side })
      expect(help).toMatch(/^[^\n{}]*[^.\n]$/)
      if (valueTypeOf(spec) !== 'choice' || spec.value === undefined) continue
      const told = `${help} ${defaultTextOf(spec)}`
      expect(spec.choices.filter(choice => !told.includes(choice))).toEqual([])
    }
  }
})

test('the help of a size, a rate and a duration names the unit of a number alone, or asks for one', () => {
  /** @param {import('../../../lib/options/contract').OptionSpec} spec */
  const unitOf = spec =>
    ({
      size: 'in MiB or with a unit',
      rate: 'in MiB a second or with a unit',
      duration: spec.unit === 's' ? 'in seconds or with a unit' : 'with a unit',
      date: 'with a unit',
    })[valueTypeOf(spec)]
  const told = ALL.flatMap(command =>
    flagsOfCommand(command).flatMap(({ spec, side, flag }) => {
      const unit = unitOf(spec)
      return unit ? [[`${command} ${flag}`, unit, helpOf(spec, { command, side })]] : []
    }),
  )
  expect(told.length).toBeGreaterThan(20)
  expect(told.filter(([, unit, help]) => !help.includes(unit))).toEqual([])
})

test('what is kept for a resume has a flag, or is the fact that a secret was given', () => {
  expect(OPTIONS.filter(({ kept, flag }) => kept && flag === false).map(({ name }) => name)).toEqual([
    'namesDigest',
    'ownCredentials',
    'sseC',
    'headerNames',
    'queryDigest',
    'move',
  ])
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
      ...{
        filesFrom: '/names',
        namesDigest: 'ab',
        ignoreExisting: true,
        sizeOnly: true,
        checksum: false,
        delete: true,
      },
      ...{ maxDelete: '10%', failures: '/failed' },
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

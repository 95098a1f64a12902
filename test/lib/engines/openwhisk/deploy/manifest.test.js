'use strict'

const { differences, keptOf, withChosen, fromCode } = require('../../../../../lib/engines/openwhisk/compare')

const bytes = text => new TextEncoder().encode(text)
const files = { 'index.js': bytes('exports.main = () => ({})'), 'package.json': bytes('{}') }

const wanted = {
  packageName: 'xfer',
  name: 'copy-range',
  runtime: 'nodejs:20',
  annotations: { 'provide-api-key': false, nested: { list: [1, { two: 2 }] } },
  parameters: { access: { hosts: ['*'], metadata: false } },
  limits: { timeout: 300_000, memory: 256, logs: undefined, concurrency: 1 },
  files,
}

/** As a platform tells it, which adds things of its own. */
const found = {
  name: 'copy-range',
  version: '0.0.7',
  exec: { kind: 'nodejs:20', binary: true, main: 'main' },
  annotations: [
    { key: 'exec', value: 'nodejs:20' },
    { key: 'nested', value: { list: [1, { two: 2 }] } },
    { key: 'provide-api-key', value: false },
  ],
  parameters: [{ key: 'access', value: { hosts: ['*'], metadata: false } }],
  limits: { timeout: 300_000, memory: 256, logs: 10, concurrency: 1 },
}

const bound = (value, more = {}) => ({ ...found, parameters: [{ key: 'access', value, ...more }] })

describe('a deployed action', () => {
  test.each([
    ['with all that is wanted', found, files],
    ['whose platform does not know limits.concurrency', { ...found, limits: { timeout: 300_000, memory: 256 } }, files],
  ])('%s is equal', (_, document, foundFiles) => expect(differences(wanted, document, foundFiles)).toEqual([]))

  test.each([
    ['code', found, { ...files, 'index.js': bytes('exports.main = () => ({ other: 1 })') }],
    ['code', found, undefined],
    ['code', { ...found, exec: { ...found.exec, main: 'handler' } }, files],
    ['concurrency', { ...found, limits: { ...found.limits, concurrency: 200 } }, files],
    ['ca-bundle', found, { ...files, 'ca-bundle.pem': bytes('a') }],
    ['access', { ...found, parameters: [] }, files],
  ])('differs in its %s (%#)', (what, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([what])
  })
})

test.each([
  ['what it may connect to', {}, bound({ hosts: ['a.test'], metadata: true }), { hosts: ['a.test'], metadata: true }],
  ['nothing of that which cannot be understood', {}, bound({ hosts: 'a.test' }), {}],
])('of a deployed action stays %s', (_, asked, document, kept) => expect(keptOf(wanted, asked, document)).toEqual(kept))

describe('certificates to trust', () => {
  const given = { ...files, 'ca-bundle.pem': bytes('a') }
  const other = bytes('b')

  test.each([
    ['stay', {}, given, files, { caBundle: given['ca-bundle.pem'] }],
    ['stay not where the folder has its own', {}, given, { ...files, 'ca-bundle.pem': other }, {}],
  ])('%s', (_, asked, foundFiles, own, kept) => {
    expect(keptOf({ ...wanted, files: own }, asked, found, foundFiles)).toEqual(kept)
  })
})

describe('what functions may connect to', () => {
  const access = (chosen, document) => withChosen(wanted, chosen, document).parameters.access
  const sealed = bound('yTcR0mUN1vs=', { encryption: 'aes-256' })

  test.each([
    ['as it is chosen', { hosts: ['a.test'] }, undefined, { hosts: ['a.test'], metadata: false }],
    ['left alone where it is encrypted', {}, sealed, undefined],
  ])('is %s', (_, chosen, document, expected) => expect(access(chosen, document)).toEqual(expected))
})

test.each([undefined, 'exports.main = () => ({})', 'UEsDBAo='])('code %p is no zip', code => {
  expect(fromCode(code)).toBeUndefined()
})

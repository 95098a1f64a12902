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
  ['what it may connect to', bound({ hosts: ['a.test'], metadata: true }), { hosts: ['a.test'], metadata: true }],
  ['nothing of that which cannot be understood', bound({ hosts: 'a.test' }), {}],
])('of a deployed action stays %s', (_, document, kept) => expect(keptOf(wanted, {}, document)).toEqual(kept))

const given = { ...files, 'ca-bundle.pem': bytes('a') }
test.each([
  ['stay', files, { caBundle: given['ca-bundle.pem'] }],
  ['stay not where the folder has its own', { ...files, 'ca-bundle.pem': bytes('b') }, {}],
])('certificates to trust %s', (_, own, kept) => {
  expect(keptOf({ ...wanted, files: own }, {}, found, given)).toEqual(kept)
})

test.each([
  ['as it is chosen', { hosts: ['a.test'] }, undefined, { hosts: ['a.test'], metadata: false }],
  ['left alone where it is encrypted', {}, bound('yTcR0mUN1vs=', { encryption: 'aes-256' }), undefined],
])('what functions may connect to is %s', (_, chosen, document, expected) => {
  expect(withChosen(wanted, chosen, document).parameters.access).toEqual(expected)
})

test.each([undefined, 'exports.main = () => ({})', 'UEsDBAo='])('code %p is no zip', code => {
  expect(fromCode(code)).toBeUndefined()
})

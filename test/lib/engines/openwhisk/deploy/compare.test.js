'use strict'

const {
  boundAccess,
  differences,
  isAlias,
  keptOf,
  storedRuntime,
  withChosen,
} = require('../../../../../lib/engines/openwhisk/deploy/compare')
const { fromCode, toCode } = require('../../../../../lib/engines/openwhisk/deploy/code')
const { zipSync } = require('fflate')

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

const annotated = (key, value) => ({
  ...found,
  annotations: [...found.annotations.filter(annotation => annotation.key !== key), { key, value }],
})

const bound = (value, more = {}) => ({ ...found, parameters: [{ key: 'access', value, ...more }] })

describe('a deployed action', () => {
  test.each([
    ['with all that is wanted', found, files],
    ['without a main, which is then the usual one', { ...found, exec: { kind: 'nodejs:20' } }, files],
    ['whose files are in another order', found, Object.fromEntries(Object.entries(files).toReversed())],
    ['with an annotation more', annotated('other', 1), files],
    ['with a parameter more', { ...found, parameters: [...found.parameters, { key: 'a', value: 1 }] }, files],
    ['whose platform does not know limits.concurrency', { ...found, limits: { timeout: 300_000, memory: 256 } }, files],
    ['whose limits were not asked for', { ...found, limits: { ...found.limits, logs: 3 } }, files],
  ])('%s is equal', (_, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([])
  })

  test.each([
    ['code', found, { ...files, 'index.js': bytes('exports.main = () => ({ other: 1 })') }],
    ['code', found, { 'index.js': files['index.js'] }],
    ['code', found, { ...files, 'more.js': bytes('') }],
    ['code', found, { 'index.js': files['index.js'], toString: files['package.json'] }],
    ['code', found, undefined],
    ['code', { ...found, exec: { ...found.exec, main: 'handler' } }, files],
    ['runtime', { ...found, exec: { ...found.exec, kind: 'nodejs:18' } }, files],
    ['timeout', { ...found, limits: { ...found.limits, timeout: 60_000 } }, files],
    ['memory', { ...found, limits: { ...found.limits, memory: 512 } }, files],
    ['concurrency', { ...found, limits: { ...found.limits, concurrency: 200 } }, files],
    ['provide-api-key', annotated('provide-api-key', true), files],
    ['ca-bundle', found, { ...files, 'ca-bundle.pem': bytes('a') }],
    ['access', bound({ hosts: ['*'], metadata: true }), files],
    ['access', bound({ hosts: ['*'] }), files],
    ['access', { ...found, parameters: [] }, files],
    ['nested', annotated('nested', { list: [1, { two: 3 }] }), files],
    ['nested', { ...found, annotations: found.annotations.filter(({ key }) => key !== 'nested') }, files],
  ])('differs in its %s (%#)', (what, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([what])
  })

  test('of which little is told differs in all of it', () => {
    const changes = ['code', 'runtime', 'timeout', 'memory', 'access', 'provide-api-key', 'nested']
    expect(differences(wanted, {}, undefined)).toEqual(changes)
  })
})

describe('of a deployed action stays', () => {
  const given = { ...found, exec: { kind: 'nodejs:18' }, limits: { timeout: 60_000, memory: 512, logs: 3 } }

  test.each([
    ['nothing that is as the manifest has it', {}, found, {}],
    ['nothing where there is none', {}, undefined, {}],
    ['what it was given', {}, given, { timeout: 60_000, memory: 512, runtime: 'nodejs:18' }],
    ['what is not asked for', { memory: 256, runtime: 'nodejs:20' }, given, { timeout: 60_000 }],
    ['nothing of which it tells nothing', {}, {}, {}],
    ['what it may connect to', {}, bound({ hosts: ['a.test'], metadata: true }), { hosts: ['a.test'], metadata: true }],
    [
      'of that what is not asked for',
      { hosts: ['*'] },
      bound({ hosts: ['a.test'], metadata: true }),
      { metadata: true },
    ],
    ['none of that', { metadata: false }, bound({ hosts: ['*'], metadata: true }), {}],
    ['nothing of that which cannot be understood', {}, bound({ hosts: 'a.test' }), {}],
    ['no runtime of another language', {}, { ...found, exec: { kind: 'python:3' } }, {}],
  ])('%s', (_, asked, document, kept) => expect(keptOf(wanted, asked, document)).toEqual(kept))
})

describe('certificates to trust', () => {
  const given = { ...files, 'ca-bundle.pem': bytes('a') }
  const other = bytes('b')

  test.each([
    ['stay', {}, given, files, { caBundle: given['ca-bundle.pem'] }],
    ['stay not where others are asked for', { caBundle: other }, given, files, {}],
    ['stay not where the folder has its own', {}, given, { ...files, 'ca-bundle.pem': other }, {}],
    ['are none where there were none', {}, files, files, {}],
    ['are none of what is no zip', {}, undefined, files, {}],
  ])('%s', (_, asked, foundFiles, own, kept) => {
    expect(keptOf({ ...wanted, files: own }, asked, found, foundFiles)).toEqual(kept)
  })

  test('are a file of the action', () => {
    expect(withChosen(wanted, { caBundle: other }, found).files).toEqual({ ...files, 'ca-bundle.pem': other })
    const spec = { ...wanted, files: given }
    expect(differences(spec, found, { ...files, 'ca-bundle.pem': other })).toEqual(['ca-bundle'])
    expect(differences(spec, found, { ...given })).toEqual([])
  })
})

describe('what functions may connect to', () => {
  const access = (chosen, document) => withChosen(wanted, chosen, document).parameters.access
  const sealed = bound('yTcR0mUN1vs=', { encryption: 'aes-256' })

  test.each([
    ['as the manifest has it', {}, undefined, { hosts: ['*'], metadata: false }],
    ['as it is chosen', { hosts: ['a.test'] }, undefined, { hosts: ['a.test'], metadata: false }],
    ['as it is chosen, otherwise', { metadata: true }, found, { hosts: ['*'], metadata: true }],
    ['left alone where it is encrypted', {}, sealed, undefined],
    [
      'written where it is encrypted, and something is chosen',
      { metadata: false },
      sealed,
      { hosts: ['*'], metadata: false },
    ],
  ])('is %s', (_, chosen, document, expected) => expect(access(chosen, document)).toEqual(expected))

  test('is written where it is chosen, though the manifest knows nothing of it', () => {
    const spec = { ...wanted, parameters: { other: 1 } }
    expect(withChosen(spec, {}, undefined).parameters).toEqual({ other: 1 })
    expect(withChosen(spec, { hosts: ['a.test'] }, undefined).parameters).toEqual({
      other: 1,
      access: { hosts: ['a.test'] },
    })
  })

  test.each([
    [found, { hosts: ['*'], metadata: false }],
    [bound({ hosts: 7 }), undefined],
    [sealed, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('of %j is %j', (document, expected) => expect(boundAccess(document)).toEqual(expected))
})

describe('code', () => {
  test('is read back as the files that it was made of', () => {
    expect(fromCode(toCode(files))).toEqual(files)
  })

  test('zipped by somebody else, folders and all, is the same', () => {
    const zip = zipSync({
      'package.json': files['package.json'],
      lib: {},
      'index.js': [files['index.js'], { level: 0 }],
    })
    expect(Object.keys(fromCode(Buffer.from(zip).toString('base64'))).sort()).toEqual(Object.keys(files))
  })

  test.each([undefined, '', 'exports.main = () => ({})', 'UEsDBAo='])('%p is no zip', code => {
    expect(fromCode(code)).toBeUndefined()
  })
})

describe('a runtime', () => {
  const info = { runtimes: { nodejs: [{ kind: 'nodejs:18' }, { kind: 'nodejs:20', default: true }] } }

  test.each([
    ['nodejs:default', true],
    ['nodejs', true],
    ['nodejs:20', false],
  ])('%s is an alias: %p', (runtime, alias) => expect(isAlias(runtime)).toBe(alias))

  test.each([
    ['nodejs:default', info, 'nodejs:20'],
    ['nodejs', info, 'nodejs:20'],
    ['nodejs:default', undefined, 'nodejs:default'],
    ['nodejs:default', { runtimes: { nodejs: 'odd' } }, 'nodejs:default'],
    ['python:default', info, 'python:default'],
  ])('%s is stored as the platform says', (runtime, said, stored) => expect(storedRuntime(runtime, said)).toBe(stored))
})

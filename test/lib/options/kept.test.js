'use strict'

/** What a journal keeps of the options, and what a resumed job makes of it. */

const { resolve } = require('node:path')
const { asPrefixOptions, differingOptions, givesSameAttributes, mergeOptions } = require('../../../lib/options')
const { mergeSide, namersOf, optionsToKeep, withoutFixed } = require('../../../lib/options')

const side = (keep = {}) => ({ settings: { keep } })
const keep = (options, job = {}) => optionsToKeep({ source: side(), destination: side(), ...job }, options)
const SYNC = { recursive: 'sync', chunk: '1' }
const NO_SIDES = { source: {}, destination: {} }

test.each([
  ['none that was not given', { chunk: undefined }, {}],
  ['those of the job, and no others', { chunk: '8MiB', retries: 0, json: true }, { chunk: '8MiB', retries: 0 }],
  ['no selection without a prefix', { sizeOnly: true }, {}],
  ['the selection of a prefix', { ...SYNC, sizeOnly: true }, { ...SYNC, select: { sizeOnly: true } }],
  ['those of any engine', { worker: ['u'], apihost: 'h' }, { worker: ['u'], apihost: 'h' }],
  ['those of the engine', { engine: 'http', worker: ['u'], apihost: 'h' }, { engine: 'http', worker: ['u'] }],
  ['a file, with its whole path', { manifestOut: 'out' }, { manifestOut: resolve('out') }],
  ['standard input', { manifestOut: '-' }, { manifestOut: '-' }],
  ['an address in place of a file', { manifestOut: 'S3+x://b/out' }, { manifestOut: 'S3+x://b/out' }],
  ['a file that looks like one', { manifestOut: './s3://b' }, { manifestOut: resolve('./s3://b') }],
  ['a text as it is', { functionName: 'out' }, { functionName: 'out' }],
])('of the options are kept %s', (_, options, kept) => expect(keep(options)).toStrictEqual({ ...NO_SIDES, ...kept }))

test('of the options are kept the places as they were resolved', () => {
  const job = { source: side({ region: 'r', profile: undefined }) }
  const options = { source: { region: 'other', endpointUrl: 'e', credentials: 's' }, destination: { sseC: true } }
  expect(keep(options, job)).toStrictEqual({ source: { region: 'r', endpointUrl: 'e' }, destination: { sseC: true } })
})

test.each([
  [{ clobber: false }, { ignoreExisting: true }],
  ...[{ clobber: true, chunk: '1' }, { chunk: '1' }].map(options => [options, options]),
])('%j of a prefix are %j', (options, expected) => expect(asPrefixOptions(options)).toStrictEqual(expected))

describe('of a resumed job', () => {
  test.each([
    ['what was kept', { profile: 'p' }, undefined, { profile: 'p' }],
    ['what is given', undefined, { profile: 'p', region: undefined }, { profile: 'p' }],
    ['what is given instead', { profile: 'p', region: 'r' }, { profile: 'q' }, { profile: 'q', region: 'r' }],
    ['one given otherwise', { ownCredentials: true, region: 'r' }, { profile: 'q' }, { region: 'r', profile: 'q' }],
    ['one of two ways alone', { noSignRequest: true }, { profile: 'q' }, { noSignRequest: true, profile: 'q' }],
    ['nothing that is not given', { ownCredentials: true }, { profile: undefined }, { ownCredentials: true }],
    ['one that was kept', { endpointUrl: 'e' }, { region: 'r' }, { endpointUrl: 'e', region: 'r', endpointKept: true }],
    ['one that is given', { endpointUrl: 'e' }, { endpointUrl: 'f' }, { endpointUrl: 'f' }],
  ])('a side has %s', (_, kept, given, expected) => expect(mergeSide(kept, given)).toStrictEqual(expected))

  test('the options given override those kept, on each side', () => {
    const kept = {
      ...{ chunk: '1', retries: 3, recursive: 'sync', select: { sizeOnly: true } },
      ...{ source: { region: 'r' }, destination: { region: 's' } },
    }
    const given = { chunk: '2', retries: undefined, sizeOnly: false, destination: { region: 't' } }
    expect(mergeOptions(kept, given)).toStrictEqual({
      ...{ chunk: '2', retries: 3, recursive: 'sync', sizeOnly: false },
      ...{ source: { region: 'r' }, destination: { region: 't' } },
    })
  })

  test.each([
    [{}, {}, true],
    [{ chunk: '1' }, { chunk: '2' }, true],
    [{ contentType: 'a/b' }, {}, false],
    [{ destination: {} }, { destination: { sseC: false } }, true],
    [{ destination: { sseC: true } }, { destination: { sseC: true, region: 'r' } }, true],
    [{ destination: { sseC: true } }, {}, false],
    [{ source: { sseC: true } }, {}, true],
  ])('an upload of %j fits %j: %j', (begun, asked, same) => {
    expect([givesSameAttributes(begun, asked), givesSameAttributes(asked, begun)]).toEqual([same, same])
  })
})

test('what only matters to what is written is not of a side that is read', () => {
  expect(withoutFixed({ sseC: true, region: 'r' })).toStrictEqual({ region: 'r' })
})

test.each([
  [undefined, []],
  [{ manifestOut: 'm' }, []],
  [{ filesFrom: 'a' }, ['--files-from a']],
  [{ filesFrom0: 'b', manifest: 'c' }, ['--files-from0 b', '--manifest c']],
])('the files of %j that name objects', (options, files) => {
  expect(namersOf(options).map(one => Object.values(one).join(' '))).toEqual(files)
  for (const one of namersOf(options)) expect(Object.keys(one)).toEqual(['flag', 'file'])
})

test.each([
  [{ recursive: 'copy' }, { recursive: 'sync' }, ['xfer copy -r']],
  [{ recursive: 'sync' }, { recursive: 'copy' }, ['xfer sync']],
  [{ recursive: 'copy', move: true }, { recursive: 'copy' }, ['xfer mv -r']],
  [{ recursive: 'copy' }, { recursive: 'copy', move: true }, ['xfer copy -r']],
  [{ verify: 'full' }, { verify: 'none' }, []],
  [{ recursive: 'copy' }, { recursive: 'copy', select: { ignoreExisting: false }, verify: 'auto' }, []],
  [{ recursive: 'copy' }, { recursive: 'copy', verify: 'full' }, ['--verify']],
  [{ recursive: 'sync', select: { delete: true } }, { recursive: 'copy' }, ['xfer sync', '--delete']],
  ...[
    [{ filters: [{ exclude: '*' }] }, { filters: [{ exclude: 'a' }] }, ['--include', '--exclude']],
    [{ filesFrom: '/a', namesDigest: 'x' }, { filesFrom: '/a', namesDigest: 'y' }, ['--files-from']],
    // Standard input, and the journal of an older version.
    [{ filesFrom: '-' }, { filesFrom: '-' }, ['--files-from']],
    [{ filesFrom: '/a' }, { filesFrom: '/a', namesDigest: 'x' }, ['--files-from']],
  ].map(([begun, asked, words]) => [{ recursive: 'copy', select: begun }, { recursive: 'copy', select: asked }, words]),
])('a job of %j is another one than of %j: %j', (begun, asked, words) => {
  expect(differingOptions(begun, asked)).toEqual(words)
})

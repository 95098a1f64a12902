'use strict'

/** Which rule of which store a name breaks, what follows, and what `makeBucket` does then. */

const { makeBucket } = require('../../../lib')
const { parsePlace } = require('../../../lib/stores')
const { openStore, startStore } = require('../../support/opened')

const CREDENTIALS = { accessKeyId: 'a', secretAccessKey: 'b' }
/** @param {string} name @param {string} endpoint */
const at = (name, endpoint) => openStore({ ...CREDENTIALS, endpoint, region: 'eu-west-1' }, name)
/** @returns {import('../../../lib/stores/contract').NameFault[]} */
const faultsOf = (name, endpoint) => at(name, endpoint).nameFaults()
const refusalsOf = (name, endpoint) => faultsOf(name, endpoint).filter(fault => fault.refused)
const AWS = 'https://s3.eu-west-1.amazonaws.com'
const ANY = 'http://127.0.0.1:1'
const GOOGLE = 'https://storage.googleapis.com'

/** Opens a container alone. */
const placeOf = text => () => parsePlace(text, 'source', { containerAlone: true })

describe('Amazon S3', () => {
  test.each([
    ['ab', 'is not 3 to 63 characters long'],
    ['a'.repeat(64), 'is not 3 to 63 characters long'],
    ['Backup', 'has upper case letters', /path style alone/],
    ['back_up', 'has underscores', /path style alone/],
    ['back~up', 'has characters other than letters, digits, dots and hyphens'],
    ['-backup', 'does not begin and end with a letter or a digit'],
    ['backup-', 'does not begin and end with a letter or a digit'],
    ['192.168.5.4', 'looks like an IP address', /path style alone/],
    ['xn--backup', 'begins with xn--', /other scripts/],
    ['sthree-backup', 'begins with sthree-', /S3 itself/],
    ['amzn-s3-demo-backup', 'begins with amzn-s3-demo-', /documentation/],
    ['backup-s3alias', 'ends with -s3alias', /access points/],
    ['backup--ol-s3', 'ends with --ol-s3', /with functions/],
    ['backup.mrap', 'ends with .mrap', /Multi-Region/],
    ['backup--x-s3', 'ends with --x-s3', /directory buckets/],
    ['backup--table-s3', 'ends with --table-s3', /table buckets/],
  ])('refuses %s, which %s', (name, says, follows = '') => {
    const told = follows ? expect.stringMatching(follows) : undefined
    expect(refusalsOf(name, AWS)).toEqual([{ says, follows: told, refused: true }])
    expect(refusalsOf(name, ANY)).toEqual([])
    expect(faultsOf(name, ANY).map(fault => fault.says)).toContain(says)
  })

  test.each(['abc', 'a'.repeat(63), 'backup-2', '0a0', 'xn-backup', 'my-sthree-x', 'x-s3', 'mrap'])('has %s', name => {
    expect(faultsOf(name, AWS)).toEqual([])
  })

  test('makes a bucket with dots, which no wildcard certificate covers; two side by side are refused', () => {
    const follows = expect.stringMatching(/certificate.*path style/)
    expect(faultsOf('a.backup', AWS)).toEqual([{ says: 'has dots', follows, refused: false }])
    const two = { says: 'has two dots side by side', follows: expect.any(String), refused: true }
    expect(faultsOf('a..backup', AWS)).toContainEqual(two)
  })

  test.each([
    ['ab', 'is not 3 to 63 characters long'],
    ['-backup', 'does not begin and end with a letter or a digit'],
    ['back~up', 'has characters other than letters, digits, dots and hyphens'],
  ])('the place of %s tells that it %s', (name, says) => expect(placeOf(`s3://${name}`)).toThrow(`it ${says}`))
})

test.each([
  ['ab', 'is not 3 to 63 characters long'],
  [`${'a'.repeat(64)}.b`, 'is not 3 to 63 characters long'],
  [`${'a.'.repeat(111)}b`, 'is not 3 to 63 characters long'],
  ['Backup', 'has upper case letters'],
  ['back~up', 'has characters other than'],
  ['_backup', 'does not begin and end'],
  ['a.-backup', 'does not begin and end'],
  ['a..backup', 'does not begin and end'],
])('Google Cloud Storage: the place of %s tells that it %s', (name, says) => {
  expect(refusalsOf(name, GOOGLE)).toMatchObject([{ says: expect.stringContaining(says) }])
  expect(placeOf(`gs://${name}`)).toThrow(says)
})

test.each([
  ['1.2.3.4', 'looks like an IP address'],
  ['goog-backup', 'begins with goog'],
  ['my-g00gle', 'google or the like'],
])('Google Cloud Storage refuses %s, which %s', (name, says) => {
  expect(refusalsOf(name, GOOGLE)).toMatchObject([{ says: expect.stringContaining(says) }])
})

test('Google Cloud Storage has underscores, and dots for the owner of the domain', () => {
  expect(faultsOf('back_up', GOOGLE)).toEqual([])
  expect(faultsOf('backup.example.com', GOOGLE)).toMatchObject([{ says: 'has dots', refused: false }])
})

test.each([
  ['ab', 'is not 3 to 63 characters long'],
  ['a'.repeat(64), 'is not 3 to 63 characters long'],
  ['Backup', 'has upper case letters'],
  ['back_up', 'has characters other than letters, digits and hyphens'],
  ['back--up', 'begins or ends with a hyphen, or has two side by side'],
  ['backup-', 'begins or ends with a hyphen, or has two side by side'],
])('the place of %s in Azure Blob Storage tells that it %s', (name, says) => {
  expect(placeOf(`az://account/${name}`)).toThrow(`cannot be the name of a container: it ${says}`)
})

test.each([
  [AWS, { writes: 3_500, reads: 5_500, of: 'prefix' }],
  [GOOGLE, { writes: 1_000, reads: 5_000, of: 'bucket' }],
  [ANY, undefined],
])('so many requests a second a new bucket or prefix begins with, at %s: %j', (endpoint, rate) => {
  expect(at('backup', endpoint).baseRate).toEqual(rate)
})

let events
beforeEach(() => {
  events = []
})
const optionsFor = (endpointUrl, credentials = CREDENTIALS) => ({
  destination: { endpointUrl, credentials },
  env: { HOME: '/nowhere' },
  onEvent: event => events.push(event),
})

test('makeBucket asks nothing where the store refuses the name', async () => {
  const says = /^The store makes no bucket "My_Backup", because the name has upper case letters/
  const refused = { code: 'USAGE', exitCode: 2, message: expect.stringMatching(says) }
  await expect(makeBucket('s3://My_Backup', optionsFor(AWS))).rejects.toMatchObject(refused)
  expect(events).toEqual([])
})

test('makeBucket makes the bucket with a notice where the store allows the name, and with none for a good one', async () => {
  const server = await startStore({ region: 'us-east-1' })
  const options = optionsFor(server.endpoint, server)
  await makeBucket('s3://backup', options)
  expect(events).toEqual([])
  expect(await makeBucket('s3://back.up', options)).toEqual({ location: 's3://back.up/' })
  const message = expect.stringMatching(/^The name of s3:\/\/back\.up\/ has dots \(.*\)\.$/)
  expect(events).toEqual([{ type: 'notice', code: 'NAME_BREAKS_RULES', message, time: expect.any(String) }])
})

'use strict'

/** Which rule of which store a name breaks, what follows, and what `makeBucket` does then. */

const { makeBucket } = require('../../../lib')
const { parsePlace } = require('../../../lib/stores')
const { openStore, startStore } = require('../../support/opened')

/** @param {string} name @param {string} endpoint @returns {import('../../../lib/stores/contract').NameFault[]} */
function faultsOf(name, endpoint) {
  const access = { endpoint, accessKeyId: 'a', secretAccessKey: 'b', region: 'eu-west-1' }
  return openStore(access, name).nameFaults()
}
const refusalsOf = (name, endpoint) => faultsOf(name, endpoint).filter(fault => fault.refused)
const AWS = 'https://s3.eu-west-1.amazonaws.com'
const GOOGLE = 'https://storage.googleapis.com'

const S3_RULES = [
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
]

describe('Amazon S3', () => {
  test.each(S3_RULES)('refuses %s, which %s', (name, says, follows = '') => {
    const told = follows ? expect.stringMatching(follows) : undefined
    expect(refusalsOf(name, AWS)).toEqual([{ says, follows: told, refused: true }])
    expect(refusalsOf(name, 'http://127.0.0.1:1')).toEqual([])
    expect(faultsOf(name, 'http://127.0.0.1:1').map(fault => fault.says)).toContain(says)
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
    ['s3://ab', /it is not 3 to 63 characters long/],
    ['s3://-backup', /it does not begin and end with a letter or a digit/],
    ['s3://back~up', /it has characters other than letters, digits, dots and hyphens/],
  ])('the place %s tells why there is none', (text, reason) => {
    expect(() => parsePlace(text, 'source', { containerAlone: true })).toThrow(reason)
  })
})

describe('Google Cloud Storage', () => {
  test.each([
    ['ab', 'is not 3 to 63 characters long'],
    [`${'a'.repeat(64)}.b`, 'is not 3 to 63 characters long'],
    [`${'a.'.repeat(111)}b`, 'is not 3 to 63 characters long'],
    ['Backup', 'has upper case letters'],
    ['back~up', 'has characters other than'],
    ['_backup', 'does not begin and end'],
    ['a.-backup', 'does not begin and end'],
    ['a..backup', 'does not begin and end'],
  ])('the place of %s tells that it %s', (name, says) => {
    expect(refusalsOf(name, GOOGLE)).toMatchObject([{ says: expect.stringContaining(says) }])
    const open = () => parsePlace(`gs://${name}`, 'source', { containerAlone: true })
    expect(open).toThrow(says)
  })

  test.each([
    ['1.2.3.4', 'looks like an IP address'],
    ['goog-backup', 'begins with goog'],
    ['my-g00gle', 'google or the like'],
  ])('refuses %s, which %s', (name, says) => {
    expect(refusalsOf(name, GOOGLE)).toMatchObject([{ says: expect.stringContaining(says) }])
  })

  test('has underscores, and dots for the owner of the domain', () => {
    expect(faultsOf('back_up', GOOGLE)).toEqual([])
    expect(faultsOf('backup.example.com', GOOGLE)).toMatchObject([{ says: 'has dots', refused: false }])
  })
})

describe('Azure Blob Storage', () => {
  test.each([
    ['ab', 'is not 3 to 63 characters long'],
    ['a'.repeat(64), 'is not 3 to 63 characters long'],
    ['Backup', 'has upper case letters'],
    ['back_up', 'has characters other than letters, digits and hyphens'],
    ['back--up', 'begins or ends with a hyphen, or has two side by side'],
    ['backup-', 'begins or ends with a hyphen, or has two side by side'],
  ])('the place of %s tells that it %s', (name, says) => {
    const open = () => parsePlace(`az://account/${name}`, 'source', { containerAlone: true })
    expect(open).toThrow(`cannot be the name of a container: it ${says}`)
  })
})

test('a new prefix of Amazon, and a new bucket of Google, begin with so many requests a second', () => {
  const access = { accessKeyId: 'a', secretAccessKey: 'b', region: 'eu-west-1' }
  const rates = [AWS, GOOGLE, 'http://127.0.0.1:1'].map(
    endpoint => openStore({ ...access, endpoint }, 'backup').baseRate,
  )
  expect(rates).toEqual([
    { writes: 3_500, reads: 5_500, of: 'prefix' },
    { writes: 1_000, reads: 5_000, of: 'bucket' },
    undefined,
  ])
})

describe('makeBucket', () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const optionsFor = (endpointUrl, more = credentials) => {
    const events = []
    const onEvent = event => events.push(event)
    return { events, options: { destination: { endpointUrl, credentials: more }, env: { HOME: '/nowhere' }, onEvent } }
  }

  test('asks nothing where the store refuses the name', async () => {
    const { events, options } = optionsFor(AWS)
    await expect(makeBucket('s3://My_Backup', options)).rejects.toMatchObject({
      code: 'USAGE',
      exitCode: 2,
      message: expect.stringMatching(/^The store makes no bucket "My_Backup", because the name has upper case letters/),
    })
    expect(events).toEqual([])
  })

  test('makes the bucket with a notice where the store allows the name, and with none for a good one', async () => {
    const server = await startStore({ region: 'us-east-1' })
    const { events, options } = optionsFor(server.endpoint, server)
    await makeBucket('s3://backup', options)
    expect(events).toEqual([])
    expect(await makeBucket('s3://back.up', options)).toEqual({ location: 's3://back.up/' })
    const message = expect.stringMatching(/^The name of s3:\/\/back\.up\/ has dots \(.*\)\.$/)
    expect(events).toEqual([{ type: 'notice', code: 'NAME_BREAKS_RULES', message, time: expect.any(String) }])
  })
})

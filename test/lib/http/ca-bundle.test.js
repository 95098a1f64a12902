'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { optionalCaBundle, readCaBundle } = require('../../../lib/http')
const { resolvePlatform } = require('../../../lib/engines/openwhisk/platform/settings')
const { resolveSide } = require('../../../lib/stores/s3/settings')
const { AUTHORITY, STRANGER } = require('../../support/tls')
const { makeHome } = require('../../support/home')

const text = path => readFileSync(path, 'utf8')
const authority = text(AUTHORITY)
const stranger = text(STRANGER).slice(text(STRANGER).indexOf('-----BEGIN CERT'))

describe('a CA bundle', () => {
  const home = makeHome({
    'crlf.pem': authority.replaceAll('\n', '\r\n'),
    'noted.pem': `# Ours\nSubject: CN = x\n${authority}\n\n${text(STRANGER)}`,
    'none.pem': 'not a certificate',
    'key.pem': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    'half.pem': authority.slice(0, 200),
    'odd.pem': `${authority}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`,
    'der.crt': 'MIIB',
  })
  const read = name => readCaBundle(join(home, name), '--ca-bundle')

  test('is its certificates, and nothing else: no remark, and above all no key', async () => {
    expect(await readCaBundle(AUTHORITY, 'x')).toBe(authority)
    expect(await read('noted.pem')).toBe(`${authority}${stranger}`)
    expect(await readCaBundle(STRANGER, 'x')).not.toContain('PRIVATE')
    expect((await read('crlf.pem')).replaceAll('\r', '')).toBe(authority)
  })

  test.each([
    ['missing.pem', 'cannot be read (ENOENT)'],
    ['.', 'cannot be read (EISDIR)'],
    ['none.pem', 'holds no certificate in PEM form'],
    ['key.pem', 'holds no certificate in PEM form'],
    ['half.pem', 'holds no certificate in PEM form'],
    ['der.crt', 'holds no certificate in PEM form'],
    ['odd.pem', 'holds a certificate that cannot be read, its number 2'],
  ])('%s: %s', async (name, why) => {
    const path = join(home, name)
    await expect(read(name)).rejects.toMatchObject({
      code: 'USAGE',
      message: `The CA bundle "${path}", named by --ca-bundle, ${why}.`,
    })
  })

  test('may be named by a variable, which an option comes before', async () => {
    expect(await optionalCaBundle(undefined, {})).toBeUndefined()
    expect(await optionalCaBundle(undefined, { AWS_CA_BUNDLE: '' })).toBeUndefined()
    expect(await optionalCaBundle(undefined, { AWS_CA_BUNDLE: AUTHORITY })).toBe(authority)
    expect(await optionalCaBundle(STRANGER, { AWS_CA_BUNDLE: AUTHORITY })).toBe(stranger)
    await expect(optionalCaBundle('', {})).rejects.toMatchObject({ code: 'USAGE' })
  })

  test('is of a platform too', async () => {
    const env = { HOME: makeHome({}), APIHOST: 'host', AUTH: 'a:b' }
    expect((await resolvePlatform({}, env)).ca).toBeUndefined()
    expect((await resolvePlatform({}, { ...env, AWS_CA_BUNDLE: AUTHORITY })).ca).toBe(authority)
    expect((await resolvePlatform({ caBundle: STRANGER }, { ...env, AWS_CA_BUNDLE: AUTHORITY })).ca).toBe(stranger)
  })
})

describe('of a side', () => {
  const HOME = makeHome({
    '.aws/config': `[default]\nca_bundle = ${STRANGER}\n[profile private]\nca_bundle = ${AUTHORITY}\n[profile bare]\nregion = x\n`,
  })
  const of = async (options, env = {}) => (await resolveSide('source', options, undefined, { HOME, ...env })).ca
  const wrong = { AWS_CA_BUNDLE: '/nonexistent' }

  test.each([
    ['the option first', { caBundle: AUTHORITY, profile: 'private' }, { XFER_SOURCE_CA_BUNDLE: '/nonexistent' }],
    ["then the side's variable", { profile: 'private' }, { XFER_SOURCE_CA_BUNDLE: AUTHORITY, ...wrong }],
    ['then the profile that was named', { profile: 'private' }, wrong],
    ['then the variable of all', { profile: 'bare' }, { AWS_CA_BUNDLE: AUTHORITY }],
    ['then the profile that AWS_PROFILE names', {}, { AWS_PROFILE: 'private' }],
  ])('%s', async (_, options, env) => expect(await of(options, env)).toBe(authority))

  test('then the default profile', async () => expect(await of({})).toBe(stranger))

  test('none where none is named', async () => {
    expect((await resolveSide('source', {}, undefined, { HOME: makeHome({}) })).ca).toBeUndefined()
  })

  test.each([
    [{}, wrong, 'AWS_CA_BUNDLE'],
    [{}, { XFER_SOURCE_CA_BUNDLE: '/nonexistent' }, 'XFER_SOURCE_CA_BUNDLE'],
    [{ caBundle: '/nonexistent' }, {}, '--ca-bundle'],
  ])('%j and %j that is not there is a mistake, and says whose', async (options, env, from) => {
    await expect(of(options, env)).rejects.toMatchObject({
      message: expect.stringContaining(`named by ${from}, cannot`),
    })
  })
})

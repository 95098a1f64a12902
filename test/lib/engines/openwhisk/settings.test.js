'use strict'

const { join } = require('node:path')
const { resolvePlatform } = require('../../../../lib/engines/openwhisk/platform/settings')
const { makeHome } = require('../../../support/home')

const PROPS = 'APIHOST=https://props.example\nAUTH=props-id:props-key\n'
const home = makeHome({ '.wskprops': PROPS, 'other.props': 'APIHOST=other.example\nAUTH=other-key\n' })
const nowhere = makeHome({})

/** Which file is read. */
const filesOf = ({ env = {} }) => env.WSK_CONFIG_FILE ?? join(home, '.wskprops')

const resolve = ({ options = {}, env = {}, HOME = home }) => resolvePlatform(options, { HOME, ...env })

describe('host and key each come from the first place that has it', () => {
  const ENV = { APIHOST: 'https://env.example', AUTH: 'env-key' }
  const OW = { __OW_API_HOST: 'https://ow.example', __OW_API_KEY: 'ow-key' }

  test.each([
    ['~/.wskprops', {}, 'https://props.example', 'props-id:props-key', join(home, '.wskprops')],
    [
      'the file that WSK_CONFIG_FILE names',
      { env: { WSK_CONFIG_FILE: join(home, 'other.props') } },
      'https://other.example',
      'other-key',
      join(home, 'other.props'),
    ],
    ['__OW_*, before a file', { env: OW }, 'https://ow.example', 'ow-key', 'the environment'],
    [
      'APIHOST and AUTH, before __OW_*',
      { env: { ...OW, ...ENV } },
      'https://env.example',
      'env-key',
      'the environment',
    ],
    [
      '--apihost, before the environment',
      { options: { apihost: 'https://option.example' }, env: { ...OW, ...ENV } },
      'https://option.example',
      'env-key',
      '--apihost',
    ],
    [
      'APIHOST with the key of the file',
      { env: { APIHOST: 'h.example' } },
      'https://h.example',
      'props-id:props-key',
      'the environment',
    ],
    [
      'AUTH with the host of the file',
      { env: { AUTH: 'env-key' } },
      'https://props.example',
      'env-key',
      join(home, '.wskprops'),
    ],
  ])('%s', async (_, how, apihost, auth, from) => {
    const found = await resolve(how)
    const usual = { namespace: '_', insecure: false, proxy: expect.any(Function) }
    expect(found).toEqual({ apihost, auth, from, keyFrom: expect.any(String), ...usual })
    expect(found.keyFrom).toBe(auth.startsWith('props') || auth.startsWith('other') ? filesOf(how) : 'the environment')
  })

  test('no host anywhere is no platform, key or not', async () => {
    expect(await resolve({ HOME: nowhere })).toBeUndefined()
    expect(await resolve({ HOME: nowhere, env: { AUTH: 'env-key', APIHOST: '' } })).toBeUndefined()
  })

  test('a host without a key is a usage error that names the file', async () => {
    await expect(resolve({ HOME: nowhere, env: { APIHOST: 'h.example' } })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The OpenWhisk host https://h.example is configured, and no key for it.',
      hint: `Set AUTH in ${join(nowhere, '.wskprops')} or in the environment.`,
    })
  })

  test('a file that cannot be read is a usage error', async () => {
    const folder = makeHome({ '.wskprops/x': '' })
    await expect(resolve({ HOME: folder })).rejects.toMatchObject({
      code: 'USAGE',
      message: `The file ${join(folder, '.wskprops')} cannot be read (EISDIR).`,
    })
  })
})

describe('a properties file', () => {
  test.each([
    ['plain', 'APIHOST=h\nAUTH=a:b\n', 'a:b'],
    ['without a last line end', 'APIHOST=h\nAUTH=a:b', 'a:b'],
    ['with Windows line ends', 'APIHOST=h\r\nAUTH=a:b\r\n', 'a:b'],
    ['with blanks around', '  APIHOST = h  \n\tAUTH =  a:b\t\n', 'a:b'],
    ['with double quotes', 'APIHOST="h"\nAUTH="a:b"\n', 'a:b'],
    ['with single quotes', "APIHOST='h'\nAUTH='a:b'\n", 'a:b'],
    ['with a quote on one side, which is its own', 'APIHOST=h\nAUTH="a:b\n', '"a:b'],
    ['with = in a value', 'APIHOST=h\nAUTH=a:b==\n', 'a:b=='],
    [
      'with comments, blank lines and other names',
      '# APIHOST=no\n\nAPIVERSION=v1\nAPIHOST=h\n#AUTH=no\nAUTH=a:b\n',
      'a:b',
    ],
    ['with names in lower case', 'apihost=h\nauth=a:b\n', 'a:b'],
    ['with a name twice, of which the last counts', 'AUTH=old\nAPIHOST=h\nAUTH=a:b\n', 'a:b'],
  ])('%s', async (_, text, auth) => {
    expect(await resolve({ HOME: makeHome({ '.wskprops': text }) })).toMatchObject({ apihost: 'https://h', auth })
  })

  test('may name a namespace', async () => {
    const HOME = makeHome({ '.wskprops': `${PROPS}NAMESPACE=guest\n` })
    expect(await resolve({ HOME })).toMatchObject({ namespace: 'guest' })
    expect(await resolve({ HOME, env: { NAMESPACE: 'mine' } })).toMatchObject({ namespace: 'mine' })
  })
})

describe('a host', () => {
  test.each([
    ['host.example', 'https://host.example'],
    ['host.example:8443', 'https://host.example:8443'],
    ['host.example:443', 'https://host.example'],
    ['https://host.example/', 'https://host.example'],
    ['http://127.0.0.1:3233', 'http://127.0.0.1:3233'],
    ['http://host/prefix//', 'http://host/prefix'],
    ['http://[::1]:3233', 'http://[::1]:3233'],
  ])('%s is reached at %s', async (apihost, expected) => {
    expect(await resolve({ options: { apihost } })).toMatchObject({ apihost: expected })
  })

  test.each(['http://', 'a b', 'ftp://host', 'https://user:hunter2@host', 'user:hunter2@host', 'host:port'])(
    '%s is refused without being quoted',
    async apihost => {
      const refusal = await resolve({ options: { apihost } }).catch(error => error)
      expect(refusal).toMatchObject({ code: 'USAGE', exitCode: 2 })
      expect(`${refusal.message} ${refusal.hint}`).not.toMatch(/hunter2/)
      expect(await resolve({ HOME: nowhere, options: { apihost } }).catch(error => error.message)).not.toMatch(
        /hunter2/,
      )
    },
  )

  test('has its certificate checked unless __OW_IGNORE_CERTS says not to', async () => {
    expect(await resolve({ env: { __OW_IGNORE_CERTS: 'true' } })).toMatchObject({ insecure: true })
    expect(await resolve({ env: { __OW_IGNORE_CERTS: 'false' } })).toMatchObject({ insecure: false })
  })
})

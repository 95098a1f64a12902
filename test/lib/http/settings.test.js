'use strict'

/** What a connection goes through, and what it trusts: proxies, certificates, and which hosts are this machine. */

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { agent, environmentProxy, isLoopback, isProxied, readCaBundle } = require('../../../lib/http')
const { parsePlace, resolveSettings } = require('../../../lib/stores')
const { resolveSide } = require('../../../lib/stores/s3/settings')
const { listen } = require('../../support/listen')
const { makeHome } = require('../../support/home')
const { thrownBy } = require('../../support/thrown')
const { AUTHORITY, STRANGER } = require('../../support/tls')

const NO_PROXIES = ['ftp://proxy:21', 'socks5h://proxy:21', 'http://', 'http://user:hunter2@', 'hunter2:x:y']
test.each(NO_PROXIES)('a proxy %s is none, and a usage error without its text', proxy => {
  const environment = environmentProxy({ ALL_PROXY: proxy })
  expect(isProxied('http://store.example', environment)).toBe(true)
  const error = thrownBy(() => agent('http://store.example', { proxy: environment }))
  expect(error).toMatchObject({ code: 'USAGE', exitCode: 2 })
  expect(`${error.message} ${error.hint} ${error.cause}`).not.toMatch(/hunter2|proxy:21/)
})

test.each([
  ['is asked for another host', 'http://store.example/path', '', ['http://store.example:80/path'], 200],
  ['is not asked for this machine', undefined, '', ['/path'], 200],
  ['is not asked for an exception', 'http://store.example/path', 'other, .example', [], 'no such host'],
])('a proxy %s', async (_, url, exceptions, expected, end) => {
  const asked = []
  const server = http.createServer((request, response) => {
    asked.push(request.url)
    response.end()
  })
  const { url: origin } = await listen(server)
  const target = url ?? `${origin}/path`
  const connections = agent(target, { proxy: environmentProxy({ HTTP_PROXY: origin, NO_PROXY: exceptions }) })
  const request = http.get(target, { agent: connections, lookup: (_, __, done) => done(new Error('no such host')) })
  const answer = once(request, 'response').then(([response]) => response.resume().statusCode)
  expect([await answer.catch(error => error.message), asked]).toEqual([end, expected])
  connections.destroy()
})

test.each([
  ['for https', { HTTPS_PROXY: 'http://me:p%40ss@proxy:3128' }, 'https://a.example', 'http://me:p%40ss@proxy:3128/'],
  ['for all', { ALL_PROXY: 'http://proxy:3128' }, 'https://a.example', 'http://proxy:3128/'],
  ['but for what is below it', { ALL_PROXY: 'http://proxy', NO_PROXY: 'a.example' }, 'https://b.a.example', ''],
  ['not for http', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://a.example', ''],
])('a proxy of the environment, %s', (_, env, url, expected) => {
  const proxy = environmentProxy(env)
  expect(proxy(url)).toBe(expected)
  expect(isProxied(url, proxy)).toBe(expected !== '')
})

test('the proxy of a side is that of the environment that is given in code, not of the process', async () => {
  const kept = { ...process.env }
  Object.assign(process.env, { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1', NO_PROXY: '*' })
  const env = { HOME: '/nowhere', HTTP_PROXY: 'http://proxy:3128' }
  const { proxy } = await resolveSettings(parsePlace('s3://bucket/key', 'source'), 'source', {}, env)
  process.env = kept
  expect([proxy('http://a.example'), proxy('http://127.0.0.1')]).toEqual(['http://proxy:3128/', ''])
})

test.each([
  [true, ['localhost', 'A.LocalHost', '127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', '[::1]', '[::]', '[::ffff:7f00:1]']],
  [true, ['::ffff:127.0.0.1', '[::ffff:0:0]', 'localhost.', 'a.LocalHost.', '[::127.0.0.1]', '[::7f00:1]']],
  [false, ['localhost.example', 'notlocalhost', '127.0.0.1.example', '[::ffff:a00:1]', '10.0.0.1']],
  [false, ['[::a00:1]', '[::2]', '']],
])('that they are this machine is %s of %j', (expected, hosts) => {
  expect(hosts.filter(host => isLoopback(host) !== expected)).toEqual([])
})

describe('a CA bundle', () => {
  const text = path => readFileSync(path, 'utf8')
  const authority = text(AUTHORITY)
  const stranger = text(STRANGER).slice(text(STRANGER).indexOf('-----BEGIN CERT'))
  const home = makeHome({
    'crlf.pem': authority.replaceAll('\n', '\r\n'),
    'noted.pem': `# Ours\nSubject: CN = x\n${authority}\n\n${text(STRANGER)}`,
    'key.pem': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    'odd.pem': `${authority}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`,
  })

  test('is its certificates, and nothing else: no remark, and above all no key', async () => {
    const read = name => readCaBundle(join(home, name), '--ca-bundle')
    expect(text(STRANGER)).toContain('PRIVATE')
    expect(await read('noted.pem')).toBe(`${authority}${stranger}`)
    expect((await read('crlf.pem')).replaceAll('\r', '')).toBe(authority)
  })

  test.each([
    ['missing.pem', 'cannot be read (ENOENT)'],
    ['key.pem', 'holds no certificate in PEM form'],
  ])('%s: %s', async (name, why) => {
    const path = join(home, name)
    const message = `The CA bundle "${path}", named by --ca-bundle, ${why}.`
    await expect(readCaBundle(path, '--ca-bundle')).rejects.toMatchObject({ code: 'USAGE', message })
  })

  const config = `[default]\nca_bundle = ${STRANGER}\n[profile private]\nca_bundle = ${AUTHORITY}\n`
  const HOME = makeHome({ '.aws/config': config })
  const [XFER_SOURCE_CA_BUNDLE, AWS_CA_BUNDLE, AWS_PROFILE] = ['/nonexistent', '/nonexistent', 'private']
  test.each([
    ['the option first', { caBundle: AUTHORITY, profile: 'private' }, { XFER_SOURCE_CA_BUNDLE }],
    ['then the profile that was named', { profile: 'private' }, { AWS_CA_BUNDLE }],
    ['then the profile that AWS_PROFILE names', {}, { AWS_PROFILE }],
    ['then the default profile', {}, {}, stranger],
  ])('of a side: %s', async (_, options, env, expected = authority) => {
    expect((await resolveSide('source', options, undefined, { HOME, ...env })).ca).toBe(expected)
  })
})

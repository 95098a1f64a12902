'use strict'

const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { agent, environmentProxy, isLoopback, isProxied } = require('../../../lib/http')

describe('an agent', () => {
  test('fits its origin, keeps connections and takes the options of Node', () => {
    const plain = agent('http://store.example', {})
    const secure = agent('https://store.example', { maxSockets: 7, rejectUnauthorized: false })
    expect(plain).toBeInstanceOf(http.Agent)
    expect(plain).not.toBeInstanceOf(https.Agent)
    expect(secure).toBeInstanceOf(https.Agent)
    expect(secure).toMatchObject({ maxSockets: 7, keepAlive: true, options: { rejectUnauthorized: false } })
  })

  test.each(['ftp://proxy:21', 'http://', 'http://user:hunter2@', 'hunter2:x:y'])(
    'where the proxy is %s there is none, and a usage error without its text',
    proxy => {
      const environment = environmentProxy({ HTTP_PROXY: proxy })
      expect(isProxied('http://store.example', environment)).toBe(true)
      let error
      try {
        agent('http://store.example', { proxy: environment })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toMatchObject({ code: 'USAGE', exitCode: 2 })
      expect(`${error.message} ${error.hint} ${error.cause}`).not.toMatch(/hunter2|proxy:21/)
    },
  )

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
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${server.address().port}`
    const target = url ?? `${origin}/path`
    const connections = agent(target, { proxy: environmentProxy({ HTTP_PROXY: origin, NO_PROXY: exceptions }) })
    try {
      const request = http.get(target, { agent: connections, lookup: (_, __, done) => done(new Error('no such host')) })
      const answer = once(request, 'response').then(([response]) => response.resume().statusCode)
      expect(await answer.catch(error => error.message)).toBe(end)
      expect(asked).toEqual(expected)
    } finally {
      connections.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  })
})

describe('the proxy of an environment', () => {
  test.each([
    ['for https', { HTTPS_PROXY: 'http://me:p%40ss@proxy:3128' }, 'https://a.example', 'http://me:p%40ss@proxy:3128/'],
    ['not for http', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://a.example', ''],
    [
      'in lower case, first',
      { https_proxy: 'proxy:1', HTTPS_PROXY: 'proxy:2' },
      'https://a.example',
      'http://proxy:1/',
    ],
    ['not for an exception', { HTTPS_PROXY: 'proxy:1', no_proxy: '.example' }, 'https://a.example', ''],
    ['not for this machine', { HTTP_PROXY: 'proxy:1' }, 'http://127.0.0.1:9000', ''],
  ])('%s', (_, env, url, expected) => {
    const proxy = environmentProxy(env)
    expect(proxy(url)).toBe(expected)
    expect(isProxied(url, proxy)).toBe(expected !== '')
  })
})

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['a.localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.example', false],
  ['0.0.0.0', true],
  ['[::]', true],
  ['[::ffff:7f00:1]', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:0:0]', true],
  ['[::ffff:a00:1]', false],
  ['127.0.0.1.nip.example', false],
  ['10.0.0.1', false],
  ['[::2]', false],
  ['', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

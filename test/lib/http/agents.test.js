'use strict'

const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { agent, isLoopback } = require('../../../lib/http')

const PROXY_NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
let kept
beforeEach(() => {
  kept = { ...process.env }
  for (const name of PROXY_NAMES) delete process.env[name]
})
afterEach(() => {
  process.env = kept
})

describe('an agent', () => {
  test('fits its origin, keeps connections and takes the options of Node', () => {
    const plain = agent('http://store.example')
    const secure = agent('https://store.example', { maxSockets: 7, rejectUnauthorized: false })
    expect(plain).toBeInstanceOf(http.Agent)
    expect(plain).not.toBeInstanceOf(https.Agent)
    expect(secure).toBeInstanceOf(https.Agent)
    expect(secure).toMatchObject({ maxSockets: 7, keepAlive: true, options: { rejectUnauthorized: false } })
  })

  test.each(['ftp://proxy:21', 'http://', 'http://user:hunter2@', 'hunter2:x:y'])(
    'where the proxy is %s there is none, and a usage error without its text',
    proxy => {
      process.env.HTTP_PROXY = proxy
      let error
      try {
        agent('http://store.example')
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
    Object.assign(process.env, { HTTP_PROXY: origin, NO_PROXY: exceptions })
    const target = url ?? `${origin}/path`
    const connections = agent(target)
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

'use strict'

const http = require('node:http')
const { main } = require('../../actions/copy-range')
const { proxyFor } = require('../../actions/copy-range/net')
const { S3, listen, makeTask, partSink, rangeSource, someBytes, TRAILER } = require('./stores')

const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap(name => [name, name.toUpperCase()])
const before = Object.fromEntries(names.map(name => [name, process.env[name]]))
beforeEach(() => {
  for (const name of names) delete process.env[name]
})
afterAll(() => {
  for (const [name, value] of Object.entries(before)) if (value !== undefined) process.env[name] = value
})

/** A proxy that takes every name for this machine, and keeps the requests it got. */
async function makeProxy() {
  const requests = []
  const server = http.createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers })
    const { port, pathname, search } = new URL(request.url)
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = http.request({ port, path: pathname + search, method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  return Object.assign(await listen(server), { requests })
}

const env = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'secure:3129' }
test.each([
  ['https://store.example/', env, 'http://secure:3129/'],
  ['https://store.example/', { ...env, https_proxy: '' }, undefined],
  ['http://127.0.0.1/', env, undefined],
  ['http://a.store.example/', { ...env, NO_PROXY: 'store.example' }, undefined],
  ['http://a.store.example:81/', { ...env, NO_PROXY: 'store.example:80' }, 'http://plain:3128/'],
  ['http://mystore.example/', { ...env, NO_PROXY: 'store.example' }, 'http://plain:3128/'],
  ['http://store.example/', { ...env, NO_PROXY: '.store.example' }, 'http://plain:3128/'],
  ['http://10.1.2.3/', { ...env, NO_PROXY: 'x,10.1.0.0/16' }, undefined],
  ['http://10.2.2.3/', { ...env, NO_PROXY: '10.1.0.0/16,10.2.2.4' }, 'http://plain:3128/'],
  ['http://[fd00::1]:9000/', { ...env, NO_PROXY: 'fd00::/8' }, undefined],
  ['https://store.example/', { ALL_PROXY: 'any:3130' }, 'http://any:3130/'],
  ['http://store.example/', { ...env, all_proxy: 'any:3130' }, 'http://plain:3128/'],
  ['http://store.example/', { all_proxy: 'any:3130', NO_PROXY: '*' }, undefined],
  ['http://a.store.example/', { ...env, no_proxy: '.store.example' }, undefined],
  ['http://store.example/', { ...env, NO_PROXY: 'store.example:80' }, undefined],
])('the proxy of a URL %s, in %j, is %s', (url, environment, expected) => {
  expect(proxyFor(new URL(url), environment)?.url.href).toBe(expected)
})

const NO_PROXIES = [['ftp://user:secret@proxy'], ['http://user:secret@proxy:port']]
test.each(NO_PROXIES)('a proxy that is no URL of http or https (%s) is refused without a word of it', text => {
  const call = () => proxyFor(new URL('http://store.example'), { http_proxy: text })
  expect(call).toThrow(TypeError)
  expect(call).not.toThrow(/secret/)
})

const named = task => {
  for (const request of [task.read, task.write]) request.url = request.url.replace('127.0.0.1', 'store.example')
  return task
}

test('through a proxy plain HTTP names the whole URL, and keeps its connections', async () => {
  const [proxy, source, sink] = [await makeProxy(), await rangeSource(someBytes(5000)), await partSink()]
  process.env.HTTP_PROXY = `http://user:p%40ss@127.0.0.1:${proxy.port}`
  const tasks = [1, 2].map(() => named(makeTask(source, sink, { bytes: 5000, trailer: TRAILER })))
  expect((await main({ ...S3, tasks })).outcomes).toMatchObject([{ bytes: 5000 }, { bytes: 5000 }])
  expect(proxy.requests[0].url).toBe(tasks[0].read.url)
  expect(proxy.requests.map(({ headers }) => headers['proxy-authorization'])).toEqual(
    new Array(4).fill(`Basic ${Buffer.from('user:p@ss').toString('base64')}`),
  )
  // The second write may begin before the first is acknowledged.
  expect(proxy.connections).toBeLessThanOrEqual(3)
})

'use strict'

const net = require('node:net')
const { VERSION, main, probe } = require('../../actions/copy-range')
const { accessRules } = require('../../actions/copy-range/address-guard')
const { closed, httpStore, listen, rawStore } = require('./stores')

/** @param {...unknown} urls */
const ask = (...urls) => main({ version: VERSION, probe: urls.map(url => ({ url })) })

test('an address that answers is reachable, whatever it answers, and tells its time', async () => {
  const requests = []
  const store = await httpStore((request, response) => {
    requests.push(request)
    const date = 'Tue, 01 Dec 2026 10:00:00 GMT'
    response.writeHead(request.url === '/denied' ? 403 : 200, { date, 'content-length': 10 }).end()
  })
  const { version, probes, container } = await ask(`${store.url}/denied`, store.url)
  expect(version).toBe(VERSION)
  expect(container).toMatchObject({ id: expect.any(String), invocation: expect.any(Number) })
  const dateMs = Date.UTC(2026, 11, 1, 10)
  expect(probes).toEqual([
    { reachable: true, status: 403, dateMs, elapsedMs: expect.any(Number) },
    { reachable: true, status: 200, dateMs, elapsedMs: expect.any(Number) },
  ])
  expect(requests.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(['HEAD /', 'HEAD /denied'])
  for (const { headers } of requests) expect(Object.keys(headers)).not.toContain('authorization')
})

test('an address that answers is not followed elsewhere, and may keep its time to itself', async () => {
  const store = await rawStore(socket =>
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
  )
  const { probes } = await ask(store.url)
  expect(probes).toEqual([{ reachable: true, status: 307, elapsedMs: expect.any(Number) }])
})

test.each([
  ['because nothing listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
  ['because it is a file', 'file:///etc/passwd', 'BAD_URL'],
  ['because it holds a password', 'http://user:hunter2@127.0.0.1:1', 'BAD_URL'],
  ['because it is no text', undefined, 'BAD_URL'],
])('an address that does not %s is not reachable', async (_, url, code) => {
  const { probes } = await ask(url)
  expect(probes).toEqual([
    { reachable: false, error: { code: expect.stringMatching(code), message: expect.stringMatching(/^[A-Z].*\.$/) } },
  ])
  expect(JSON.stringify(probes)).not.toContain('hunter2')
})

test('an address that does not because it keeps silent is left after a while', async () => {
  const store = await listen(net.createServer(socket => socket.on('error', () => {}).resume()))
  expect(await probe({ url: store.url }, { access: accessRules() }, 200)).toEqual({
    reachable: false,
    error: { code: 'ETIMEDOUT', message: 'It did not answer within 0.2 s.' },
  })
  await Promise.all([...store.sockets].map(closed))
})

const NO_PROBES = [[null], ['text'], [{}], [['http://127.0.0.1']], [Array(11).fill({})]]
test.each(NO_PROBES)('probes that cannot be understood, %j: one sentence', async given => {
  const error = 'The parameter probe is no array of at most 10 objects.'
  expect(await main({ version: VERSION, probe: given })).toEqual({ error })
})

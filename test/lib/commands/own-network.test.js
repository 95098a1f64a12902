'use strict'

/** Programs that give a side its own proxy and certificates: all that this machine sends to it takes that way. */

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { startPlatform } = require('../../../sandbox/platform')
const { startStore } = require('../../../sandbox/store')
const { copy, deploy, doctor, undeploy } = require('../../../lib')
const { jobFiles, newStateHome } = require('../../support/journals')
const { bytesOf, createBuckets, get, openStore, put } = require('../../support/s3')
const { AUTHORITY, STRANGER, startTlsRelay } = require('../../support/tls')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const PASSWORD = 'hunter2-of-the-proxy'

let origin
let server
let front
let proxy
let from
let to
let env
beforeAll(async () => {
  ;[origin, server, proxy] = await Promise.all([startStore(), startStore(), startProxy()])
  front = await startTlsRelay(server.port)
  await Promise.all([createBuckets(origin, 'source'), createBuckets(server, 'target')])
  from = openStore(origin, 'source')
  to = openStore(server, 'target')
  await put(from, 'large', BODY)
})
beforeEach(() => {
  env = { HOME: newStateHome(), XDG_STATE_HOME: newStateHome() }
  proxy.seen.length = 0
})
afterAll(async () => {
  for (const store of [from, to]) store?.close()
  await Promise.all([origin?.close(), server?.close(), front?.close(), proxy?.close()])
})

/** A forward proxy that wants a password. */
async function startProxy() {
  const seen = []
  const running = http.createServer((request, response) => {
    const expected = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`
    if (request.headers['proxy-authorization'] !== expected) return response.writeHead(407).end()
    const url = new URL(request.url)
    seen.push(`${request.method} ${url.port}`)
    const path = request.url.slice(url.origin.length)
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = http.request({ host: '127.0.0.1', port: url.port, method: request.method, path, headers })
    onward.on('response', answer => answer.pipe(response.writeHead(answer.statusCode, answer.rawHeaders)))
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await once(running.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://me:${PASSWORD}@127.0.0.1:${running.address().port}`,
    seen,
    async close() {
      running.closeAllConnections()
      await once(running.close(), 'close')
    },
  }
}

const at = ({ endpoint, accessKeyId, secretAccessKey }, more) => ({
  endpointUrl: endpoint,
  credentials: { accessKeyId, secretAccessKey },
  ...more,
})
const options = (destination, source = {}) => ({
  source: at(origin, source),
  destination: at(server, destination),
  engine: 'local',
  chunk: 5,
  env,
})
const secure = more => ({ endpointUrl: front.endpoint, ...more })
const journals = () => {
  const folder = join(env.XDG_STATE_HOME, 'xfer', 'jobs')
  return jobFiles(env.XDG_STATE_HOME).map(name => readFileSync(join(folder, name), 'utf8'))
}
/** How many requests of this method the proxy sent on to a server. */
const count = (method, { port }) => proxy.seen.filter(one => one === `${method} ${port}`).length

describe('a proxy of one side', () => {
  it('gets all requests of that side, of the threads too, and none of the other', async () => {
    await copy('s3://source/large', 's3://target/proxied', options({ proxy: proxy.url }))
    expect((await get(to, 'proxied')).equals(BODY)).toBe(true)
    expect(count('PUT', server)).toBe(3)
    expect(count('POST', server)).toBe(2)
    expect(proxy.seen.every(one => one.endsWith(` ${server.port}`))).toBe(true)
  })

  it('is that of the source, for what is read there', async () => {
    await copy('s3://source/large', 's3://target/read', options({}, { proxy: new URL(proxy.url) }))
    // Its tags, and three parts.
    expect(count('GET', origin)).toBe(4)
    expect(proxy.seen.every(one => one.endsWith(` ${origin.port}`))).toBe(true)
  })

  it('is shown and written nowhere, with its password', async () => {
    const events = []
    server.faults.add({ operation: 'UploadPart', partNumber: 2, status: 400, code: 'InvalidArgument' })
    const given = { ...options({ proxy: proxy.url }), retries: 0, onEvent: event => events.push(event) }
    const error = await copy('s3://source/large', 's3://target/shown', given).catch(thrown => thrown)
    server.faults.clear()
    expect(error.facts.job).toEqual(expect.any(String))
    for (const text of [inspect([error, events], { depth: null, showHidden: true }), ...journals()])
      expect(text).not.toMatch(/hunter2|"proxy"/)
    const wrong = await copy(
      's3://source/large',
      's3://target/x',
      options({ proxy: proxy.url.replace('me', 'you') }),
    ).catch(thrown => thrown)
    expect(inspect(wrong, { depth: null, showHidden: true })).not.toContain('hunter2')
  })

  it.each([
    ['ftp://me:hunter2@proxy', 'not a URL of http or https'],
    ['http://', 'not a URL of http or https'],
    [5, 'a number, not a string'],
    [true, 'a boolean, not a string'],
    [null, 'null, not a string'],
  ])('that is %p is refused without its text', async (wrong, words) => {
    const error = await copy('s3://source/large', 's3://target/x', options({ proxy: wrong })).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'USAGE', message: `The destination's proxy is ${words}.` })
    expect(inspect(error, { depth: null })).not.toContain('hunter2')
  })
})

describe('an environment that is given in code', () => {
  const DEAD = 'http://127.0.0.1:1'
  /** A name that only the proxy knows: requests for this machine go through no proxy of an environment. */
  const named = ({ port }) => ({ endpointUrl: `http://store.invalid:${port}` })
  let kept
  beforeEach(() => {
    kept = { ...process.env }
    Object.assign(process.env, { HTTP_PROXY: DEAD, http_proxy: DEAD, NO_PROXY: '*', no_proxy: '*' })
  })
  afterEach(() => {
    process.env = kept
  })

  it("has the proxy of a copy, of the threads too, and the process's own does not count", async () => {
    const given = { ...options(named(server)), env: { ...env, HTTP_PROXY: proxy.url, NO_PROXY: 'other.invalid' } }
    await copy('s3://source/large', 's3://target/by-env', given)
    expect((await get(to, 'by-env')).equals(BODY)).toBe(true)
    expect(count('PUT', server)).toBe(3)
    expect(proxy.seen.every(one => one.endsWith(` ${server.port}`))).toBe(true)
  })

  it('has the exceptions from it', async () => {
    const given = { ...options(named(server)), env: { ...env, HTTP_PROXY: proxy.url, NO_PROXY: '.invalid' } }
    const checks = []
    await doctor('s3://source/large', 's3://target', {
      ...{ source: given.source, destination: given.destination, env: given.env },
      onCheck: checked => checks.push(checked),
    })
    const writing = checks.find(({ name }) => name === 'destination writing')
    expect(writing).toMatchObject({ ok: false, detail: expect.stringContaining('cannot be reached (') })
    expect(proxy.seen).toEqual([])
  })

  it('has the proxy of the platform', async () => {
    const platform = await startPlatform({ limits: { perMinute: 100_000 } })
    const apihost = platform.apihost.replace('127.0.0.1', 'platform.invalid')
    try {
      const through = { ...env, APIHOST: apihost, AUTH: platform.auth, HTTP_PROXY: proxy.url }
      await deploy({ env: through })
      await undeploy({ env: through })
    } finally {
      await platform.close()
    }
    const methods = new Set(proxy.seen.map(one => one.split(' ')[0]))
    expect([...methods].sort()).toEqual(['DELETE', 'GET', 'PUT'])
  })

  it('has the certificates that AWS_CA_BUNDLE names', async () => {
    process.env.AWS_CA_BUNDLE = STRANGER
    const given = { ...options(secure({})), env: { ...env, AWS_CA_BUNDLE: AUTHORITY } }
    await copy('s3://source/large', 's3://target/bundled', given)
    expect((await get(to, 'bundled')).equals(BODY)).toBe(true)
  })
})

describe('certificates of one side', () => {
  it('that no usual authority has signed are refused', async () => {
    const refused = copy('s3://source/large', 's3://target/refused', options(secure({})))
    // Under jest errors of Node.js are of another realm.
    await expect(refused).rejects.toMatchObject({
      code: 'CERTIFICATE_REFUSED',
      facts: { reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', side: 'destination' },
    })
  })

  it.each([
    ['a string', pem => pem],
    ['a Buffer', pem => Buffer.from(pem)],
    ['an array', pem => [readFileSync(STRANGER), pem]],
  ])('are trusted when their authority is given as %s', async (kind, given) => {
    const ca = given(readFileSync(AUTHORITY, 'utf8'))
    const key = `trusted as ${kind}`
    await copy('s3://source/large', `s3://target/${key}`, options(secure({ ca })))
    expect((await get(to, key)).equals(BODY)).toBe(true)
  })

  it('are trusted in addition to those of caBundle', async () => {
    const ca = readFileSync(AUTHORITY)
    await copy('s3://source/large', 's3://target/both', options(secure({ ca, caBundle: STRANGER })))
    expect((await get(to, 'both')).equals(BODY)).toBe(true)
  })

  it.each([
    ['no certificate', 'holds no certificate in PEM form'],
    [5, 'is a number, not a string or a Buffer'],
    [[{}], 'is an object, not a string or a Buffer'],
    [[], 'holds no certificate in PEM form'],
  ])('that are %p are refused', async (ca, words) => {
    const error = await copy('s3://source/large', 's3://target/x', options(secure({ ca }))).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'USAGE', message: `The destination's ca ${words}.` })
  })
})

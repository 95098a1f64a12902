'use strict'

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { inspect } = require('node:util')
const { clean, copy, copyPrefix, doctor, resume, verify } = require('../../../lib')
const { jobFiles, newStateHome } = require('../../support/journals')
const { keep, openStore, startStore } = require('../../support/opened')
const { sideOptions } = require('../../support/run-xfer')
const { bytesOf, get, put } = require('../../support/s3')
const { AUTHORITY, STRANGER, startTlsRelay } = require('../../support/tls')

/** Programs that give a side its own proxy, certificates and credentials, against stores that check signatures. */

const BODY = bytesOf(16 * 1024 ** 2 + 1)
const PASSWORD = 'hunter2-of-the-proxy'
/** Keys that only their own bucket lets in. */
const READER = { accessKeyId: 'AKIAREADER', secretAccessKey: 'the-secret-of-the-reader', buckets: ['source'] }
const WRITER = { accessKeyId: 'AKIAWRITER', secretAccessKey: 'the-secret-of-the-writer', buckets: ['target'] }

/** Where the source is, and where the destination: two servers, so that no store copies by itself. */
let origin
let server
let front
let proxy
let to
let env
beforeAll(async () => {
  origin = await startStore({ buckets: ['source'] })
  server = await startStore({ buckets: ['source', 'target'] })
  proxy = await keep(startProxy())
  front = await keep(startTlsRelay(server.port))
  for (const account of [READER, WRITER]) for (const one of [origin, server]) one.addAccount(account)
  const from = openStore(origin, 'source')
  to = openStore(server, 'target')
  await put(from, 'large', BODY)
  await put(from, 'dir/one', BODY.subarray(0, 1000))
})
beforeEach(() => {
  env = { HOME: newStateHome(), XDG_STATE_HOME: newStateHome() }
  proxy.seen.length = 0
})
afterEach(() => server.faults.clear())

/** A side at a server, with its own keys or those of an account. */
const at = ({ endpoint }, { accessKeyId, secretAccessKey }) => sideOptions({ endpoint, accessKeyId, secretAccessKey })
const journals = () => {
  const folder = join(env.XDG_STATE_HOME, 'xfer', 'jobs')
  return jobFiles(env.XDG_STATE_HOME).map(name => readFileSync(join(folder, name), 'utf8'))
}

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

describe('a proxy and certificates', () => {
  const options = destination => ({
    source: sideOptions(origin),
    destination: { ...sideOptions(server), ...destination },
    engine: 'local',
    chunk: 5,
    env,
  })
  /** How many requests of this method the proxy sent on to a server. */
  const count = (method, { port }) => proxy.seen.filter(one => one === `${method} ${port}`).length

  it('a proxy of one side gets all requests of that side, of the threads too, and none of the other', async () => {
    await copy('s3://source/large', 's3://target/proxied', options({ proxy: proxy.url }))
    expect((await get(to, 'proxied')).equals(BODY)).toBe(true)
    expect(count('PUT', server)).toBe(4)
    expect(count('POST', server)).toBe(2)
    expect(proxy.seen.every(one => one.endsWith(` ${server.port}`))).toBe(true)
  })

  it('a proxy of one side is shown and written nowhere, with its password', async () => {
    const events = []
    server.faults.add({ operation: 'UploadPart', partNumber: 2, status: 400, code: 'InvalidArgument' })
    const given = { ...options({ proxy: proxy.url }), retries: 0, onEvent: event => events.push(event) }
    const error = await copy('s3://source/large', 's3://target/shown', given).catch(thrown => thrown)
    expect(error.facts.job).toEqual(expect.any(String))
    for (const text of [inspect([error, events], { depth: null, showHidden: true }), ...journals()])
      expect(text).not.toMatch(/hunter2|"proxy"/)
    const wrong = { [proxy.url.replace('me', 'you')]: expect.any(String), 'ftp://me:hunter2@proxy': 'USAGE' }
    for (const [proxy, code] of Object.entries(wrong)) {
      const refused = await copy('s3://source/large', 's3://target/x', options({ proxy })).catch(thrown => thrown)
      expect(refused).toMatchObject({ code })
      expect(inspect(refused, { depth: null, showHidden: true })).not.toContain('hunter2')
    }
  })

  it('certificates of one side are trusted when their authority is given', async () => {
    const ca = [readFileSync(STRANGER), readFileSync(AUTHORITY, 'utf8')]
    await copy('s3://source/large', 's3://target/trusted', options({ endpointUrl: front.endpoint, ca }))
    expect((await get(to, 'trusted')).equals(BODY)).toBe(true)
  })
})

describe('credentials', () => {
  const options = (more = {}) => ({
    source: at(origin, READER),
    destination: at(server, WRITER),
    engine: 'local',
    env,
    ...more,
  })
  const expectDiscreet = text => expect(text).not.toContain('the-secret-of')

  it('every call that has sides takes credentials for them', async () => {
    const events = []
    const { proof } = await copy('s3://source/large', 's3://target/plain', options({ onEvent: e => events.push(e) }))
    expect(proof.length).toBeGreaterThan(0)
    expect((await get(to, 'plain')).equals(BODY)).toBe(true)
    const { objects } = await copyPrefix('s3://source/dir/', 's3://target/dir/', options())
    expect(objects.copied).toBe(1)
    const both = options({ destination: sideOptions(server) })
    expect(await verify('s3://source/large', 's3://target/plain', both)).toMatchObject({ bytes: BODY.length })
    const { engine, ...few } = options()
    const checks = []
    await doctor('s3://source/large', 's3://target', { ...few, onCheck: checked => checks.push(checked) })
    const ofSides = checks.filter(({ name }) => /^(source|destination) (credentials|reading|writing)$/.test(name))
    expect(ofSides.map(({ ok }) => ok)).toEqual([true, true, true, true])
    expect(await clean('s3://target', { destination: options().destination, env })).toMatchObject({ uploads: [] })
    expectDiscreet(inspect([events, checks], { depth: null }))
  })

  it('the keys of one side are not those of the other, though both are one server', async () => {
    const swapped = { source: at(server, WRITER), destination: at(server, READER) }
    const refused = await copy('s3://source/large', 's3://target/swapped', options(swapped)).catch(error => error)
    expect(refused).toMatchObject({ code: 'ACCESS_DENIED', facts: { side: 'source' } })
    expectDiscreet(inspect(refused, { depth: null, showHidden: true }))
  })

  it('a job with credentials of its program is written down without them, and resume takes them again', async () => {
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 400, code: 'InvalidArgument' })
    const destination = { endpointUrl: server.endpoint, credentials: async () => at(server, WRITER).credentials }
    const given = options({ destination, chunk: 5, concurrency: 1, retries: 0 })
    const error = await copy('s3://source/large', 's3://target/resumed', given).catch(thrown => thrown)
    server.faults.clear()
    const { job } = error.facts
    const written = journals().join('')
    expectDiscreet(written)
    expect(written).not.toMatch(/AKIA|ASIA/)
    expect(written.match(/"ownCredentials":true/g)).toHaveLength(2)

    const aws = { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey }
    const message = expect.stringContaining('program with credentials of its')
    const refused = { code: 'USAGE', message, hint: expect.stringContaining('source.credentials') }
    await expect(resume(job, { env: { ...env, ...aws } })).rejects.toMatchObject(refused)
    const half = await resume(job, { env, source: { credentials: at(origin, READER).credentials } }).catch(
      error => error,
    )
    expect(half.message).toContain('for the destination')

    const [source, own] = [READER, WRITER].map(account => ({ credentials: at(server, account).credentials }))
    expect((await resume(job, { env, source, destination: own })).resumedBytes).toBeGreaterThan(0)
    expect((await get(to, 'resumed')).equals(BODY)).toBe(true)
  })
})

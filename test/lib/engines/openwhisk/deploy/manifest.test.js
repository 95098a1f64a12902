'use strict'

const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { unzipSync } = require('fflate')
const { differences, keptOf, withChosen, fromCode } = require('../../../../../lib/engines/openwhisk/compare')
const { deploy } = require('../../../../../lib')

const bytes = text => new TextEncoder().encode(text)
const files = { 'index.js': bytes('exports.main = () => ({})'), 'package.json': bytes('{}') }

const wanted = {
  packageName: 'xfer',
  name: 'copy-range',
  runtime: 'nodejs:20',
  annotations: { 'provide-api-key': false, nested: { list: [1, { two: 2 }] } },
  parameters: { access: { hosts: ['*'], metadata: false } },
  limits: { timeout: 300_000, memory: 256, logs: undefined, concurrency: 1 },
  files,
}

/** As a platform tells it, which adds things of its own. */
const found = {
  name: 'copy-range',
  version: '0.0.7',
  exec: { kind: 'nodejs:20', binary: true, main: 'main' },
  annotations: [
    { key: 'exec', value: 'nodejs:20' },
    { key: 'nested', value: { list: [1, { two: 2 }] } },
    { key: 'provide-api-key', value: false },
  ],
  parameters: [{ key: 'access', value: { hosts: ['*'], metadata: false } }],
  limits: { timeout: 300_000, memory: 256, logs: 10, concurrency: 1 },
}

const bound = (value, more = {}) => ({ ...found, parameters: [{ key: 'access', value, ...more }] })

describe('a deployed action', () => {
  test.each([
    ['with all that is wanted', found, files],
    ['whose platform does not know limits.concurrency', { ...found, limits: { timeout: 300_000, memory: 256 } }, files],
  ])('%s is equal', (_, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([])
  })

  test.each([
    ['code', found, { ...files, 'index.js': bytes('exports.main = () => ({ other: 1 })') }],
    ['code', found, undefined],
    ['code', { ...found, exec: { ...found.exec, main: 'handler' } }, files],
    ['concurrency', { ...found, limits: { ...found.limits, concurrency: 200 } }, files],
    ['ca-bundle', found, { ...files, 'ca-bundle.pem': bytes('a') }],
    ['access', { ...found, parameters: [] }, files],
  ])('differs in its %s (%#)', (what, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([what])
  })
})

describe('of a deployed action stays', () => {
  test.each([
    ['what it may connect to', {}, bound({ hosts: ['a.test'], metadata: true }), { hosts: ['a.test'], metadata: true }],
    ['nothing of that which cannot be understood', {}, bound({ hosts: 'a.test' }), {}],
  ])('%s', (_, asked, document, kept) => expect(keptOf(wanted, asked, document)).toEqual(kept))
})

describe('certificates to trust', () => {
  const given = { ...files, 'ca-bundle.pem': bytes('a') }
  const other = bytes('b')

  test.each([
    ['stay', {}, given, files, { caBundle: given['ca-bundle.pem'] }],
    ['stay not where the folder has its own', {}, given, { ...files, 'ca-bundle.pem': other }, {}],
  ])('%s', (_, asked, foundFiles, own, kept) => {
    expect(keptOf({ ...wanted, files: own }, asked, found, foundFiles)).toEqual(kept)
  })
})

describe('what functions may connect to', () => {
  const access = (chosen, document) => withChosen(wanted, chosen, document).parameters.access
  const sealed = bound('yTcR0mUN1vs=', { encryption: 'aes-256' })

  test.each([
    ['as it is chosen', { hosts: ['a.test'] }, undefined, { hosts: ['a.test'], metadata: false }],
    ['left alone where it is encrypted', {}, sealed, undefined],
  ])('is %s', (_, chosen, document, expected) => expect(access(chosen, document)).toEqual(expected))
})

describe('code', () => {
  test.each([undefined, 'exports.main = () => ({})', 'UEsDBAo='])('%p is no zip', code => {
    expect(fromCode(code)).toBeUndefined()
  })
})

describe('what is deployed', () => {
  const ROOT = join(__dirname, '..', '..', '..', '..', '..')
  const ACTION = join(ROOT, 'actions', 'copy-range')

  let dir
  let platform

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'xfer-test-deploy-'))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  beforeEach(async () => {
    platform = await startPlatform()
  })
  afterEach(() => platform.close())

  /**
   * A platform that has nothing and takes everything, and keeps what it was asked.
   */
  async function startPlatform() {
    const requests = []
    const server = http.createServer(async (request, response) => {
      const chunks = await request.toArray()
      const body = JSON.parse(Buffer.concat(chunks).toString() || 'null')
      requests.push({
        method: request.method,
        url: request.url,
        authorization: request.headers.authorization,
        body,
      })
      const answer =
        request.method === 'GET'
          ? { status: 404, body: { error: 'The requested resource does not exist.', code: 'id' } }
          : { status: 200, body: { name: 'stored', version: '0.0.1' } }
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body ?? {}))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { APIHOST: `http://127.0.0.1:${server.address().port}`, AUTH: 'id:key', HOME: dir }
    return { requests, env, close: () => new Promise(resolve => server.close(resolve)) }
  }

  /** What was written, and not only asked for. */
  const writes = () => platform.requests.filter(({ method }) => method === 'PUT')

  const zipOf = request => Buffer.from(request.body.exec.code, 'base64')

  test('zips every file of the action as it is, and nothing else', async () => {
    await deploy({ env: platform.env })
    const files = unzipSync(zipOf(writes()[1]))
    const expected = readdirSync(ACTION, { recursive: true }).filter(name => /\.(js|json)$/.test(String(name)))
    expect(Object.keys(files).sort()).toEqual(expected.sort())
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['package.json', 'index.js']))
    expect(Object.keys(files).filter(name => /test|spec|node_modules/.test(name))).toEqual([])
    for (const name of expected) expect(Buffer.from(files[name])).toEqual(readFileSync(join(ACTION, name)))
  })
})

'use strict'

const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { zipSync, unzipSync } = require('fflate')
const {
  boundAccess,
  differences,
  keptOf,
  withChosen,
  fromCode,
  toCode,
} = require('../../../../../lib/engines/openwhisk/deploy/compare')
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

const annotated = (key, value) => ({
  ...found,
  annotations: [...found.annotations.filter(annotation => annotation.key !== key), { key, value }],
})

const bound = (value, more = {}) => ({ ...found, parameters: [{ key: 'access', value, ...more }] })

describe('a deployed action', () => {
  test.each([
    ['with all that is wanted', found, files],
    ['whose files are in another order', found, Object.fromEntries(Object.entries(files).toReversed())],
    ['with a parameter more', { ...found, parameters: [...found.parameters, { key: 'a', value: 1 }] }, files],
    ['whose platform does not know limits.concurrency', { ...found, limits: { timeout: 300_000, memory: 256 } }, files],
  ])('%s is equal', (_, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([])
  })

  test.each([
    ['code', found, { ...files, 'index.js': bytes('exports.main = () => ({ other: 1 })') }],
    ['code', found, { 'index.js': files['index.js'], toString: files['package.json'] }],
    ['code', found, undefined],
    ['code', { ...found, exec: { ...found.exec, main: 'handler' } }, files],
    ['runtime', { ...found, exec: { ...found.exec, kind: 'nodejs:18' } }, files],
    ['timeout', { ...found, limits: { ...found.limits, timeout: 60_000 } }, files],
    ['memory', { ...found, limits: { ...found.limits, memory: 512 } }, files],
    ['concurrency', { ...found, limits: { ...found.limits, concurrency: 200 } }, files],
    ['provide-api-key', annotated('provide-api-key', true), files],
    ['ca-bundle', found, { ...files, 'ca-bundle.pem': bytes('a') }],
    ['access', bound({ hosts: ['*'], metadata: true }), files],
    ['access', { ...found, parameters: [] }, files],
    ['nested', annotated('nested', { list: [1, { two: 3 }] }), files],
  ])('differs in its %s (%#)', (what, document, foundFiles) => {
    expect(differences(wanted, document, foundFiles)).toEqual([what])
  })
})

describe('of a deployed action stays', () => {
  const given = { ...found, exec: { kind: 'nodejs:18' }, limits: { timeout: 60_000, memory: 512, logs: 3 } }

  test.each([
    ['nothing that is as the manifest has it', {}, found, {}],
    ['what it was given', {}, given, { timeout: 60_000, memory: 512, runtime: 'nodejs:18' }],
    ['what is not asked for', { memory: 256, runtime: 'nodejs:20' }, given, { timeout: 60_000 }],
    ['what it may connect to', {}, bound({ hosts: ['a.test'], metadata: true }), { hosts: ['a.test'], metadata: true }],
    ['nothing of that which cannot be understood', {}, bound({ hosts: 'a.test' }), {}],
    ['no runtime of another language', {}, { ...found, exec: { kind: 'python:3' } }, {}],
  ])('%s', (_, asked, document, kept) => expect(keptOf(wanted, asked, document)).toEqual(kept))
})

describe('certificates to trust', () => {
  const given = { ...files, 'ca-bundle.pem': bytes('a') }
  const other = bytes('b')

  test.each([
    ['stay', {}, given, files, { caBundle: given['ca-bundle.pem'] }],
    ['stay not where others are asked for', { caBundle: other }, given, files, {}],
    ['stay not where the folder has its own', {}, given, { ...files, 'ca-bundle.pem': other }, {}],
    ['are none of what is no zip', {}, undefined, files, {}],
  ])('%s', (_, asked, foundFiles, own, kept) => {
    expect(keptOf({ ...wanted, files: own }, asked, found, foundFiles)).toEqual(kept)
  })

  test('are a file of the action', () => {
    expect(withChosen(wanted, { caBundle: other }, found).files).toEqual({ ...files, 'ca-bundle.pem': other })
    const spec = { ...wanted, files: given }
    expect(differences(spec, found, { ...files, 'ca-bundle.pem': other })).toEqual(['ca-bundle'])
    expect(differences(spec, found, { ...given })).toEqual([])
  })
})

describe('what functions may connect to', () => {
  const access = (chosen, document) => withChosen(wanted, chosen, document).parameters.access
  const sealed = bound('yTcR0mUN1vs=', { encryption: 'aes-256' })

  test.each([
    ['as the manifest has it', {}, undefined, { hosts: ['*'], metadata: false }],
    ['as it is chosen', { hosts: ['a.test'] }, undefined, { hosts: ['a.test'], metadata: false }],
    ['left alone where it is encrypted', {}, sealed, undefined],
    [
      'written where it is encrypted, and something is chosen',
      { metadata: false },
      sealed,
      { hosts: ['*'], metadata: false },
    ],
  ])('is %s', (_, chosen, document, expected) => expect(access(chosen, document)).toEqual(expected))

  test('is written where it is chosen, though the manifest knows nothing of it', () => {
    const spec = { ...wanted, parameters: { other: 1 } }
    expect(withChosen(spec, {}, undefined).parameters).toEqual({ other: 1 })
    expect(withChosen(spec, { hosts: ['a.test'] }, undefined).parameters).toEqual({
      other: 1,
      access: { hosts: ['a.test'] },
    })
  })

  test.each([
    [bound({ hosts: 7 }), undefined],
    [sealed, undefined],
    [undefined, undefined],
  ])('of %j is %j', (document, expected) => expect(boundAccess(document)).toEqual(expected))
})

describe('code', () => {
  test('is read back as the files that it was made of', () => {
    expect(fromCode(toCode(files))).toEqual(files)
  })

  test('zipped by somebody else, folders and all, is the same', () => {
    const zip = zipSync({
      'package.json': files['package.json'],
      lib: {},
      'index.js': [files['index.js'], { level: 0 }],
    })
    expect(Object.keys(fromCode(Buffer.from(zip).toString('base64'))).sort()).toEqual(Object.keys(files))
  })

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
   *
   * @param {(body: any) => { status: number, body?: object } | undefined} [refusalOf] what it answers to a body instead
   */
  async function startPlatform(refusalOf = () => undefined) {
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
      const usual =
        request.method === 'GET'
          ? { status: 404, body: { error: 'The requested resource does not exist.', code: 'id' } }
          : { status: 200, body: { name: 'stored', version: '0.0.1' } }
      const answer = refusalOf(body) ?? usual
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body ?? {}))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { APIHOST: `http://127.0.0.1:${server.address().port}`, AUTH: 'id:key', HOME: dir }
    return { requests, env, close: () => new Promise(resolve => server.close(resolve)) }
  }

  function writeManifest(text) {
    const path = join(mkdtempSync(join(dir, 'm-')), 'manifest.yaml')
    writeFileSync(path, text)
    return path
  }

  /** What was written, and not only asked for. */
  const writes = () => platform.requests.filter(({ method }) => method === 'PUT')

  const zipOf = request => Buffer.from(request.body.exec.code, 'base64')

  describe('the manifest that comes with xfer', () => {
    test("reads what exists, then puts the package, then the action, with the platform's key", async () => {
      const deployed = await deploy({ env: platform.env })
      const actions = [{ name: 'xfer/copy-range', outcome: 'created', version: '0.0.1' }]
      expect(deployed).toEqual({ apihost: platform.env.APIHOST, actions })
      expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /api/v1/namespaces/_/actions/xfer/copy-range?code=true',
        'GET /api/v1/namespaces/_/packages/xfer',
        'PUT /api/v1/namespaces/_/packages/xfer?overwrite=true',
        'PUT /api/v1/namespaces/_/actions/xfer/copy-range?overwrite=true',
      ])
      for (const { authorization } of platform.requests) {
        expect(authorization).toBe(`Basic ${Buffer.from('id:key').toString('base64')}`)
      }
    })

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

  describe('a manifest', () => {
    const withAction = action => `packages:\n  p:\n    actions:\n      a:\n${action}`

    test.each([
      ['is empty', '', /describes no action/],
      ['has an action without a function', withAction('        runtime: nodejs:20'), /the action a names no function/],
      [
        'names a folder that is not there',
        withAction('        function: nowhere'),
        /folder .*nowhere of the action a cannot be read \(ENOENT\)/,
      ],
      ['is no YAML', 'packages: [', /Flow sequence/],
    ])('that %s is refused before the platform is asked', async (_, text, reason) => {
      const path = writeManifest(text)
      const error = await deploy({ manifest: path, env: platform.env }).catch(error => error)
      expect(error).toMatchObject({
        code: 'USAGE',
        exitCode: 2,
        facts: { text: expect.stringMatching(reason) },
      })
      expect(error.message).toMatch(/^[^\n]*[^.:]\.$/)
      expect(platform.requests).toEqual([])
    })

    test('may leave out all but the function, and its folder is beside it', async () => {
      const path = writeManifest(withAction('        function: code\n        limits:\n        annotations:'))
      mkdirSync(join(path, '..', 'code'))
      writeFileSync(join(path, '..', 'code', 'index.js'), 'exports.main = () => ({})')
      await deploy({ manifest: path, env: platform.env })
      const [, { body }] = writes()
      const { exec, limits, annotations } = body
      expect({ kind: exec.kind, limits, annotations }).toEqual({ kind: 'nodejs:default', limits: {}, annotations: [] })
      expect(Object.keys(unzipSync(zipOf(writes()[1])))).toEqual(['index.js'])
    })
  })

  describe('a platform that refuses limits.concurrency', () => {
    const refusal = { status: 400, body: { error: 'The request content was malformed:\nlimits', code: 'id' } }

    test('gets the action without it', async () => {
      const refusing = await startPlatform(body => (body?.limits?.concurrency === undefined ? undefined : refusal))
      try {
        const { actions } = await deploy({ env: refusing.env })
        expect(actions).toEqual([{ name: 'xfer/copy-range', outcome: 'created', version: '0.0.1' }])
        const puts = refusing.requests.filter(({ method, url }) => method === 'PUT' && url.includes('/actions/'))
        const usual = { timeout: 300_000, memory: 256, logs: 1 }
        expect(puts.map(({ body }) => body.limits)).toEqual([{ ...usual, concurrency: 1 }, usual])
      } finally {
        await refusing.close()
      }
    })

    test('and then lets more activations into a container is refused', async () => {
      const stored = { name: 'copy-range', version: '0.0.1', limits: { concurrency: 200 } }
      const refusing = await startPlatform(body => {
        if (body?.exec === undefined) return undefined
        return body.limits.concurrency === undefined ? { status: 200, body: stored } : refusal
      })
      try {
        await expect(deploy({ env: refusing.env })).rejects.toMatchObject({
          code: 'PLATFORM_REFUSED',
          facts: { status: 400 },
        })
      } finally {
        await refusing.close()
      }
    })
  })
})

'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync, mkdirSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { basename, join } = require('node:path')
const { unzipSync } = require('fflate')
const { deploy } = require('../../../../../lib')

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

  test('describes the action as wskdeploy would', async () => {
    await deploy({ env: platform.env })
    const { exec, annotations, limits } = writes()[1].body
    expect({ ...exec, code: undefined }).toEqual({ kind: 'nodejs:20', binary: true, main: 'main', code: undefined })
    expect(limits).toEqual({ timeout: 300_000, memory: 256, logs: 1, concurrency: 1 })
    expect(annotations).toContainEqual({ key: 'provide-api-key', value: false })
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

test('the same files make the same zip, whatever their times and wherever it is made', async () => {
  const [one, two] = ['one', 'two'].map(name => join(dir, name))
  const names = ['a.js', 'b/c.js', 'b.js', 'z.json']
  for (const [folder, order] of [
    [one, names],
    [two, names.toReversed()],
  ]) {
    mkdirSync(join(folder, 'b'), { recursive: true })
    for (const name of order) writeFileSync(join(folder, name), `// ${name}`)
  }
  utimesSync(join(two, 'a.js'), 1e9, 1e9)
  const script = `
    const { deploy } = require(${JSON.stringify(join(ROOT, 'lib'))})
    deploy({ manifest: process.argv[1] })
  `
  for (const [folder, TZ] of [
    [one, 'UTC'],
    [two, 'Asia/Tokyo'],
  ]) {
    const manifest = writeManifest(`packages: { p: { actions: { a: { function: ../${basename(folder)} } } } }`)
    const child = spawn(process.execPath, ['-e', script, manifest], {
      env: { PATH: process.env.PATH, TZ, ...platform.env },
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  const [first, second] = writes()
    .filter(({ url }) => url.includes('/actions/'))
    .map(zipOf)
  expect(Object.keys(unzipSync(first))).toEqual(names.toSorted())
  expect(first.equals(second)).toBe(true)
})

describe('a manifest', () => {
  const withAction = action => `packages:\n  p:\n    actions:\n      a:\n${action}`

  test.each([
    ['is empty', '', /describes no action/],
    ['is a text', 'hello', /describes no action/],
    ['has no packages', 'project: {}', /describes no action/],
    ['has an empty package', 'packages: { p: }', /describes no action/],
    ['has a package without actions', 'packages: { p: { actions: {} } }', /describes no action/],
    ['has an action without anything', 'packages: { p: { actions: { a: } } }', /the action a names no function/],
    ['has an action without a function', withAction('        runtime: nodejs:20'), /the action a names no function/],
    ['has a function that is a list', withAction('        function: [x]'), /the action a names no function/],
    [
      'names a folder that is not there',
      withAction('        function: nowhere'),
      /folder .*nowhere of the action a cannot be read \(ENOENT\)/,
    ],
    ['names a file for a folder', withAction('        function: manifest.yaml'), /cannot be read \(ENOTDIR\)/],
    ['is no YAML', 'packages: [', /Flow sequence/],
    ['names one thing twice', 'packages: {}\npackages: {}', /unique/i],
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

  test('that does not exist is refused', async () => {
    const refused = deploy({ manifest: join(dir, 'none.yaml'), env: platform.env })
    await expect(refused).rejects.toMatchObject({ code: 'USAGE', cause: { code: 'ENOENT' } })
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

test('without a platform nothing can be deployed', async () => {
  const env = { HOME: dir }
  await expect(deploy({ engine: 'openwhisk', env })).rejects.toMatchObject({ code: 'NO_PLATFORM', exitCode: 5 })
  await expect(deploy({ env })).rejects.toMatchObject({ code: 'PLATFORM_UNDECIDED', exitCode: 5 })
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

test.each([
  [401, 'PLATFORM_KEY_REFUSED'],
  [413, 'PLATFORM_REFUSED'],
  [500, 'PLATFORM_ERROR'],
])('a platform that answers %i is %s', async (status, code) => {
  const refusing = await startPlatform(() => ({ status }))
  try {
    await expect(deploy({ env: refusing.env })).rejects.toMatchObject({ code, facts: { status } })
  } finally {
    await refusing.close()
  }
})

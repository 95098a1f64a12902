'use strict'

/** The store of docs/design/adding.md, made of the page's own blocks in a copy of xfer: it passes the suite, and commands know it. */

const { execFile } = require('node:child_process')
const { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { dirname, join } = require('node:path')
const { promisify } = require('node:util')
const { startWebdav } = require('../../sandbox/peers')
const { keep, newFolder } = require('../support/opened')
const { serve } = require('../support/serving')
const { bytesOf } = require('../support/stores')
const { storeContract } = require('./store')

const ROOT = join(__dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'design', 'adding.md'), 'utf8')

/** A block of JavaScript is the file that is named before it. @returns {Array<[path: string, text: string]>} */
function filesOfPage() {
  const found = PAGE.matchAll(/`(dav\/\w+\.js)`(?:(?!```)[\s\S])*```js\n([\s\S]*?)```/g)
  return [...found].map(([, path, text]) => [`lib/stores/${path}`, text])
}

/** A copy of xfer with the store. @returns {string} where it is */
function withStore() {
  const path = newFolder()
  for (const name of ['actions', 'cli', 'lib', 'package.json'])
    cpSync(join(ROOT, name), join(path, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  for (const [file, text] of filesOfPage()) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  const [, before, line] = /```diff\n {2}( .*)\n\+( .*)\n```/.exec(PAGE)
  const registry = join(path, 'lib', 'stores', 'registry.js')
  writeFileSync(registry, readFileSync(registry, 'utf8').replace(before, `${before}\n${line}`))
  return path
}

/** A server as the page means it, which lets in whoever has the password, and has folders that it was told of. */
async function startServer() {
  /** @type {Map<string, { body: Buffer, etag: string, type: string, modified: string }>} */
  const objects = new Map()
  const folders = new Set()
  let count = 0
  const server = http.createServer(async (request, response) => {
    const end = (status, headers = {}, body) => response.writeHead(status, headers).end(body)
    const { method, url, headers } = request
    const body = Buffer.concat(await request.toArray())
    const found = objects.get(url)
    const [, folder, ...segments] = url.split('/')
    if (headers.authorization !== 'Bearer password') return end(401)
    if (segments.some(segment => ['', '.', '..'].includes(segment))) return end(400)
    if (method === 'PUT') {
      if (!folders.has(folder)) return end(409)
      const etag = `"${++count}"`
      objects.set(url, { body, etag, type: headers['content-type'], modified: new Date().toUTCString() })
      return end(found ? 204 : 201, { etag })
    }
    if (!found) return end(404)
    if ((headers['if-match'] ?? found.etag) !== found.etag) return end(412)
    if (method === 'DELETE') return end(objects.delete(url) && 204)
    const described = {
      ...{ etag: found.etag, 'last-modified': found.modified, 'content-length': found.body.length },
      ...(found.type && { 'content-type': found.type }),
    }
    const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (method === 'HEAD' || start === undefined) return end(200, described, found.body)
    const part = found.body.subarray(Number(start), Number(last) + 1)
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${found.body.length}`
    end(206, { ...described, 'content-length': part.length, 'content-range': range }, part)
  })
  const { port, close } = await serve(server)
  return { host: `127.0.0.1:${port}`, objects, folders, close }
}

/** @type {string} */
let copy
beforeAll(() => {
  copy = withStore()
})

/** @returns {Promise<import('./store').World>} */
async function davWorld() {
  const { openStore, parsePlace, resolveSettings } = require(join(copy, 'lib', 'stores'))
  const { host, folders, close } = await startServer()
  return {
    async open(bucket, { authorization = 'Bearer password' } = {}, now) {
      const place = parsePlace(`dav://${host}/${bucket}/`, 'destination')
      const settings = await resolveSettings(place, 'destination', {}, { DAV_AUTHORIZATION: authorization })
      return openStore(place, settings, now)
    },
    createBucket: bucket => void folders.add(bucket),
    strangers: () => [{ settings: { authorization: 'Bearer other' }, secret: 'other' }],
    traits: {
      ...{ pathKeys: false, conditions: false, conditionalRemoval: true, bucketless: true, denies: true },
      keeps: ({ headers }) => ({ headers: { 'content-type': headers['content-type'] }, user: {} }),
      bucketFact: bucket => `${host}/${bucket}`,
      lacks: ['heeds', 'list', 'partSize', 'serverCopy', 'tags'],
    },
    close,
  }
}

storeContract('dav', davWorld, [], { signedNever: true, listsNever: true, wholeOnly: true })

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server
beforeAll(async () => {
  server = await keep(startServer())
  server.folders.add('here')
})

const xfer = async (args, input, authorization = 'Bearer password') => {
  const env = { PATH: process.env.PATH, HOME: copy, DAV_AUTHORIZATION: authorization }
  const run = promisify(execFile)(process.execPath, [join(copy, 'cli', 'xfer.js'), ...args], { env })
  // It may refuse the rest of its input.
  run.child.stdin.on('error', () => {}).end(input)
  return await run.catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }))
}

test('copies an object larger than a part there, in one request, and back', async () => {
  const [file, back] = ['source.bin', 'back.bin'].map(name => join(copy, name))
  const bytes = bytesOf(1_500_000)
  writeFileSync(file, bytes)
  const there = await xfer(['copy', '--chunk', '1MiB', file, `dav://${server.host}/here/a b`])
  expect(there).toMatchObject({ stderr: expect.stringContaining('in one piece') })
  expect(there.code).toBeUndefined()
  expect([...server.objects]).toMatchObject([['/here/a%20b', { body: bytes, etag: '"1"' }]])
  expect((await xfer(['copy', `dav://${server.host}/here/a b`, back])).code).toBeUndefined()
  expect(readFileSync(back).equals(bytes)).toBe(true)
})

test('copies a stream of one part there, and refuses a longer one', async () => {
  const copyOf = input => xfer(['copy', '--chunk', '1MiB', '-', `dav://${server.host}/here/stream`], input)
  expect((await copyOf(bytesOf(1000))).code).toBeUndefined()
  const { code, stderr } = await copyOf(bytesOf(1_500_000, 'longer'))
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no more fit into one request') })
  expect(server.objects.get('/here/stream').body).toEqual(bytesOf(1000))
})

;(startWebdav ? test : test.skip)('copies to and from rclone, and tells what it lacks', async () => {
  const { endpoint } = await keep(startWebdav())
  const authorization = `Basic ${Buffer.from('user:password').toString('base64')}`
  await fetch(`${endpoint}/there`, { method: 'MKCOL', headers: { authorization } })
  const [file, back] = ['file', 'file-back'].map(name => join(copy, name))
  writeFileSync(file, bytesOf(100_000))
  const place = name => `dav://${new URL(endpoint).host}/${name}`
  expect(await xfer(['copy', file, place('there/file')], '', authorization)).not.toHaveProperty('code')
  expect(await xfer(['copy', place('there/file'), back], '', authorization)).not.toHaveProperty('code')
  expect(readFileSync(back)).toEqual(bytesOf(100_000))
  expect(await xfer(['copy', file, place('nowhere/file')], '', authorization)).toMatchObject({ code: 3 })
  expect(await xfer(['copy', file, place('there/file')])).toMatchObject({ code: 4 })
})

test('tells of the store in its help, and checks it', async () => {
  expect((await xfer(['copy', '--help'])).stdout).toMatch(/davs:\/\/ by\s+DAV_AUTHORIZATION/)
  const { stdout, stderr } = await xfer(['doctor', '/nowhere/at/all', `dav://${server.host}/here/new`])
  expect(stdout + stderr).toContain('was written beside')
  expect([...server.objects.keys()].filter(key => key.includes('doctor'))).toEqual([])
})

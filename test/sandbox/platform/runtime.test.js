'use strict'

/** A container by itself, as the invoker sees it: POST /init and POST /run. */

const { execFileSync, spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { rawCall, zip } = require('./target')

const RUNTIME = path.join(__dirname, '../../../sandbox/platform/runtime/main.js')
const SENTINEL = 'XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX\n'

/** Of the container's directory, so that what escapes from it is found, and removed. */
let parent
let directory
let child
let apihost
let output

beforeEach(async () => {
  parent = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-runtime-')))
  directory = path.join(parent, 'container')
  fs.mkdirSync(directory)
  child = spawn(process.execPath, [RUNTIME], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', text => {
      output[name] += text
    })
  }
  const [port] = await once(child.stdio[3], 'data')
  apihost = `http://127.0.0.1:${Number(port.toString())}`
})
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  fs.rmSync(parent, { recursive: true, force: true })
})

const post = async (route, json, text) => {
  const { status, body, headers } = await rawCall({ apihost, auth: '' }, 'POST', route, { json, text })
  expect(headers['content-length']).toBeDefined()
  return [status, body]
}
const init = (code, more = {}) => post('/init', { value: { name: 'x', main: 'main', code, binary: false, ...more } })
const initZip = (files, more) => init(zip(files).toString('base64'), { binary: true, ...more })
const run = (value, more) => post('/run', { value, ...more })

/** The streams' whole text, when the process is gone. */
async function wholeOutput() {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  return output
}

test('what is neither route, or no JSON, is a bad request', async () => {
  const bad = [500, { error: 'Bad request.' }]
  expect(await post('/', {})).toEqual(bad)
  expect(await post('/run/', {})).toEqual(bad)
  expect(await post('/init', undefined, 'x')).toEqual(bad)
})

test('/init is once, with main and code, and /run is after it', async () => {
  expect(await run({})).toEqual([403, { error: 'System not initialized.' }])
  expect(await init('')).toEqual([403, { error: 'Missing main/no code to execute.' }])
  expect(await init('const main = p => p')).toEqual([200, { OK: true }])
  expect(await init('const main = p => p')).toEqual([403, { error: 'Cannot initialize the action more than once.' }])
  expect(await run({ a: 1 })).toEqual([200, { a: 1 }])
  expect(await run(undefined)).toEqual([200, {}])
  expect(await run([1])).toEqual([200, [1]])
  expect(await run('x')).toEqual([
    403,
    { error: "Internal system error: the argument must be a dictionary but has type 'string'." },
  ])
})

test('a failed /init stops it for ever, and is told on standard error', async () => {
  const [status, { error }] = await init('throw new Error("nope")')
  expect([status, error]).toEqual([502, expect.stringMatching(/^Initialization has failed due to: Error: nope\n/)])
  expect(await init('const main = p => p')).toEqual([403, { error: 'System not ready, status is stopped.' }])
  const { stdout, stderr } = await wholeOutput()
  expect(stdout).toBe(SENTINEL)
  expect(stderr).toMatch(/^Error during initialization: Error: nope\n/)
  expect(stderr.endsWith(SENTINEL)).toBe(true)
})

test('a synchronous throw stops it, a rejection does not', async () => {
  await init('const main = p => { if (p.sync) throw new Error("boom"); return Promise.reject(p.reason) }')
  expect(await run({ reason: 'why' })).toEqual([200, { error: 'why' }])
  expect(await run({ reason: 0 })).toEqual([200, { error: {} }])
  expect(await run({ sync: true })).toEqual([502, { error: 'An error has occurred: Error: boom' }])
  expect(await run({})).toEqual([403, { error: 'System not ready, status is stopped.' }])
  const { stdout } = await wholeOutput()
  expect(stdout).toBe(SENTINEL.repeat(3))
})

test('a second /run at the same time is refused', async () => {
  await init('let done; const main = p => new Promise(r => { done = r; console.log("in") })')
  const running = run({})
  running.catch(() => {})
  while (!output.stdout.includes('in\n')) await once(child.stdout, 'data')
  expect(await run({})).toEqual([403, { error: 'System not ready, status is running.' }])
  const cut = expect(running).rejects.toThrow()
  child.kill('SIGKILL')
  await cut
})

test('the environment comes from /init and from the strings of /run', async () => {
  await init('const loaded = { ...process.env }; const main = () => ({ loaded, now: { ...process.env } })', {
    env: { TEXT: 't', EMPTY: null, OBJECT: { a: 1 } },
  })
  const [, { loaded, now }] = await run({}, { activation_id: 'abc', deadline: '12', number: 5 })
  expect(loaded).toEqual(expect.objectContaining({ TEXT: 't', EMPTY: '', OBJECT: '{"a":1}' }))
  expect(now).toEqual(expect.objectContaining({ __OW_ACTIVATION_ID: 'abc', __OW_DEADLINE: '12' }))
  expect(now).not.toHaveProperty('__OW_NUMBER')
})

test('a reason is shown deeply: causes, own properties, circles', async () => {
  await init(`const main = async () => {
    const e = new RangeError('outer', { cause: new Error('inner') })
    e.self = e; e.bytes = Buffer.from('x'); e.list = [1, { two: 2 }]; e.fn = () => {}
    throw e
  }`)
  const [, { error }] = await run({})
  expect(error).toEqual({
    name: 'RangeError',
    message: 'outer',
    stack: expect.stringContaining('RangeError: outer'),
    cause: { name: 'Error', message: 'inner', stack: expect.any(String) },
    self: '[Circular]',
    bytes: '[object Buffer]',
    list: [1, { two: 2 }],
  })
})

test('a source runs sloppily, and may import what is built in', async () => {
  await init(
    'implicit = 1; const main = async () => ({ implicit, sep: (await import("node:path")).sep, here: __dirname })',
  )
  expect(await run({})).toEqual([200, { implicit: 1, sep: path.sep, here: directory }])
})

test('main is split at its first dot', async () => {
  expect(await initZip({ 'a.js': 'exports.b = { c: () => ({ deep: true }) }' }, { main: 'a.b.c' })).toEqual([
    200,
    { OK: true },
  ])
  expect(await run({})).toEqual([200, { deep: true }])
})

test.each([
  ['one up', () => '../escaped.js'],
  ['two up', () => '../../escaped.js'],
  ['absolute', () => path.join(parent, 'escaped.js')],
])('a zip entry outside of it is refused: %s', async (_case, nameOf) => {
  const name = nameOf()
  const [status, { error }] = await initZip({ 'index.js': 'exports.main = () => ({})', [name]: 'x' })
  expect([status, error]).toEqual([502, expect.stringContaining(`An entry is outside of it: ${name}`)])
  expect(fs.readdirSync(parent, { recursive: true }).filter(file => file.endsWith('escaped.js'))).toEqual([])
})

test('a damaged zip is refused', async () => {
  const damaged = zip({ 'index.js': 'exports.main = () => ({})' }).subarray(0, 60)
  const [status, { error }] = await init(damaged.toString('base64'), { binary: true })
  expect([status, error]).toEqual([
    502,
    expect.stringContaining('There was an error uncompressing the action archive.'),
  ])
})

test('a gzipped tar is unpacked', async () => {
  const source = fs.mkdtempSync(path.join(directory, 'source-'))
  fs.writeFileSync(path.join(source, 'index.js'), 'exports.main = () => ({ tar: true })')
  const archive = require('node:zlib').gzipSync(execFileSync('tar', ['-cf', '-', '-C', source, 'index.js']))
  expect(await init(archive.toString('base64'), { binary: true })).toEqual([200, { OK: true }])
  expect(await run({})).toEqual([200, { tar: true }])
})

test('it ends when the platform is gone', async () => {
  const exit = once(child, 'exit')
  child.stdio[3].destroy()
  await exit
  expect(child.signalCode).toBe('SIGKILL')
})

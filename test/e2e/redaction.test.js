'use strict'

/**
 * No secret is told to anybody: copies are made that succeed, fail, are interrupted and gone on with, by both engines, with
 * secrets that cannot be mistaken for anything else; and all that they left anywhere is searched.
 */

const { existsSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { copy } = require('../../lib')
const { eventOf } = require('../support/events')
const { keep, newFolder, openStore } = require('../support/opened')
const { bareEnv, copyEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')
const { SECRETS, everythingOf, filesOf, leaksIn } = require('./redaction/secrets')
const { startWorld } = require('./redaction/world')

const ENGINES = ['local', 'openwhisk']

let world
let dir
let state
let env
let count = 0

beforeAll(async () => {
  dir = newFolder()
  world = await keep(startWorld())
  const { store, platform } = world
  env = {
    ...copyEnv(store, store, platform),
    XFER_SOURCE_SESSION_TOKEN: SECRETS.token,
    XFER_DEST_SESSION_TOKEN: SECRETS.token,
    AWS_CONFIG_FILE: join(dir, 'config'),
  }
  const command = `/nonexistent/helper --secret ${SECRETS.profile}`
  writeFileSync(join(dir, 'config'), `[profile helper]\ncredential_process = ${command}\n`)
  const credentials = { accessKeyId: store.accessKeyId, secretAccessKey: SECRETS.key, sessionToken: SECRETS.token }
  const source = openStore(store, 'source', { credentials: async () => credentials })
  await put(source, 'object', bytesOf(16 * 1024 ** 2))
  source.close()
}, 60_000)
beforeEach(() => {
  state = join(dir, `state-${++count}`)
})

/** @param {string} text */
function expectNoLeak(text) {
  expect(leaksIn(text, world.signatures)).toEqual([])
}

const argsOf = (key, engine, ...flags) => {
  const how = ['--chunk', '5', '--concurrency', '1', '--retries', '1', '--engine', engine]
  return ['copy', 's3://source/object', `s3://target/${key}`, ...how, ...flags]
}

/**
 * Runs the program and searches all that it printed and wrote down, and what can be seen of its processes.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, act?: (child: any) => void }} [how]
 */
async function run(args, { env: more = {}, act } = {}) {
  const { child, ended } = startXfer(args, { env: { ...env, XDG_STATE_HOME: state, ...more } })
  const lines = world.watch(child.pid)
  act?.(child)
  const result = await ended
  expectNoLeak(result.stdout)
  expectNoLeak(result.stderr)
  if (existsSync(state)) expectNoLeak(filesOf(state))
  expectNoLeak([...lines].join('\n'))
  return { ...result, lines }
}

test('the search finds a secret that is there', () => {
  const { key, token, platform } = SECRETS
  for (const text of [
    key,
    encodeURIComponent(key),
    JSON.stringify({ key }),
    `Authorization: Basic ${Buffer.from(platform).toString('base64')}`,
    platform.split(':')[1],
    everythingOf(
      new Error('x', { cause: Object.assign(new Error('y'), { deep: { headers: [new Map([['a', token]])] } }) }),
    ),
    'AWS4-HMAC-SHA256 Credential=',
  ]) {
    expect(leaksIn(`before ${text} after`)).not.toEqual([])
  }
  expect(leaksIn('signed by feed', ['feed'])).toEqual(['feed'])
  expect(leaksIn('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toEqual([])
})

/** By name: what is to come of it, and in which environment. */
const CASES = [
  ['succeeds', 'object', 0, {}],
  ['fails in a part', 'failing', 1, {}],
  ['is not completed', 'incomplete', 4, {}],
  ['has a wrong secret', 'object', 4, { XFER_SOURCE_SECRET_ACCESS_KEY: SECRETS.wrongKey }],
  ['has a wrong session token', 'object', 4, { XFER_SOURCE_SESSION_TOKEN: SECRETS.wrongToken }],
  ['has a secret with a line end', 'object', 4, { XFER_SOURCE_SECRET_ACCESS_KEY: `${SECRETS.wrongKey}\n` }],
  ['gets no credentials of a process', 'object', 4, { XFER_SOURCE_PROFILE: 'helper' }],
]

describe.each(ENGINES)('a copy by the engine %s', engine => {
  describe.each(CASES)('that %s', (_, key, status, more) => {
    it.each(['--debug', '--debug --json'])('tells none with %s', async flags => {
      expect(await run(argsOf(key, engine, ...flags.split(' ')), { env: more })).toMatchObject({ status })
    })
  })

  it('that is interrupted and gone on with tells none', async () => {
    const interrupted = await run(argsOf('slow', engine, '--json', '--debug'), {
      act: child => void atWork(child).then(() => child.kill('SIGINT')),
    })
    expect(interrupted.status).toBe(130)
    const left = filesOf(state)
    expect(left).toContain('"part"')
    expectNoLeak(left)
    expectNoLeak((await run(['jobs', '--json'])).stdout)
    expect((await run(['resume', '--json', '--debug'])).status).toBe(0)
    const pair = ['s3://source/object', 's3://target/slow']
    expect((await run(['verify', ...pair, '--read', '--engine', engine, '--debug'])).status).toBe(0)
  })

  it('shows nothing in the list of processes', async () => {
    const { lines } = await run(argsOf('object', engine))
    const seen = [...lines].join('\n')
    if (existsSync('/proc/self/cmdline')) expect(seen).toMatch(/xfer\.js copy .*s3:\/\/source\/object/)
    if (existsSync('/proc/self/cmdline') && engine === 'openwhisk') expect(seen).toContain('runtime')
  })
})

/** When the first part is written. @param {any} child */
async function atWork(child) {
  let out = ''
  await eventOf(child.stdout, 'data', text => {
    out += text
    return out.includes('"type":"part"')
  })
}

/** With the addresses of stores that quote in place of their names. @param {Record<string, string>} more */
const withEchoes = more =>
  Object.fromEntries(Object.entries(more).map(([name, value]) => [name, world.echoes[value]?.endpoint ?? value]))

const KEYED = { XFER_SOURCE_SSE_C_KEY: SECRETS.customer, XFER_DEST_SSE_C_KEY: SECRETS.customer }
const BY_FUNCTIONS = argsOf('object', 'openwhisk')
const HERE = argsOf('object', 'local')
const BOTH = [BY_FUNCTIONS, ['doctor', 's3://source/object', 's3://target/new']]
const PROXY = {
  HTTP_PROXY: `http://user:${SECRETS.proxy}@127.0.0.1:1`,
  XFER_SOURCE_ENDPOINT_URL: 'http://store.invalid',
}
it.each([
  ['a source that quotes the request', BOTH, { XFER_SOURCE_ENDPOINT_URL: 'failing' }],
  ['a destination that quotes the request', BOTH, { XFER_DEST_ENDPOINT_URL: 'denying' }],
  ['a platform that quotes the request', BOTH, { APIHOST: 'broken' }],
  ['a platform that quotes a deployment', [['deploy']], { APIHOST: 'barred' }],
  ["a source that quotes a customer's own key", [HERE], { ...KEYED, XFER_SOURCE_ENDPOINT_URL: 'refusing' }],
  ["a destination that quotes a customer's own key", [HERE], { ...KEYED, XFER_DEST_ENDPOINT_URL: 'refusing' }],
  ['a platform that refuses the key', [['deploy'], BY_FUNCTIONS], { AUTH: SECRETS.wrongPlatform }],
  ['a proxy with a password that is not there', [HERE], PROXY],
])('%s is told of without a secret', async (_, commands, more) => {
  for (const args of commands) {
    const { status } = await run([...args, '--debug', '--json'], { env: withEchoes(more) })
    expect([0, 2]).not.toContain(status)
  }
})

it("a customer's own key is told by no copy, nor kept by one that ends early", async () => {
  const { XFER_DEST_SSE_C_KEY } = KEYED
  const failed = await run(argsOf('failing', 'local', '--debug', '--json'), { env: { XFER_DEST_SSE_C_KEY } })
  expect(failed.status).toBe(1)
  expect(filesOf(state)).toContain('"sseC":true')
  expect((await run(argsOf('keyed', 'local', '--debug'), { env: { XFER_DEST_SSE_C_KEY } })).status).toBe(0)
})

const { key } = SECRETS
it.each([
  ['the source', ['copy', `s3://AKIA:${key}@source/object`, 's3://target/x']],
  ['an endpoint', ['copy', 's3://source/object', 's3://target/x', '--dest-endpoint-url', `http://AKIA:${key}@host`]],
  ['a host', ['deploy', '--apihost', `https://${SECRETS.platform}@host`]],
  ['an option that there is not', ['copy', 's3://source/object', 's3://target/x', `--source-secret=${key}`]],
  ['a third location', ['copy', 's3://source/object', 's3://target/x', key]],
])('a secret at the wrong place of the command line (%s) is not repeated', async (_, args) => {
  // It is in the list of processes, where it was typed: of that nobody but the user can be free.
  for (const flags of [[], ['--debug', '--json']]) {
    const { ended } = startXfer([...args, ...flags], { env: { ...env, XDG_STATE_HOME: state } })
    const { status, stdout, stderr } = await ended
    expect(status).toBe(2)
    expectNoLeak(stdout + stderr)
  }
})

describe.each(ENGINES)('the library, with the engine %s,', engine => {
  it.each([
    ...CASES.map(([what, key, , more]) => [what, key, more]),
    ['meets a store that quotes', 'object', { XFER_DEST_ENDPOINT_URL: 'denying' }],
    ['meets a platform that quotes', 'object', { APIHOST: 'broken' }],
  ])('holds none in events and errors when a copy %s', async (_, key, more) => {
    const events = []
    const onEvent = event => events.push(event)
    const options = { chunk: 5, concurrency: 1, retries: 1, engine, route: 'engine', onEvent }
    const surroundings = { ...bareEnv, ...env, XDG_STATE_HOME: state, ...withEchoes(more) }
    const done = await copy('s3://source/object', `s3://target/${key}`, { ...options, env: surroundings }).catch(e => e)
    expect(events.at(-1).type).toBe(done instanceof Error ? 'error' : 'done')
    expectNoLeak(everythingOf(done))
    expectNoLeak(everythingOf(events))
    if (done instanceof Error) expectNoLeak(`${done.stack} ${JSON.stringify(done)} ${done.hint}`)
  })
})

test('at the end no activation record holds any, and the store has printed none', () => {
  expect(world.records()).toContain('"outcomes"')
  expectNoLeak(world.records())
  expectNoLeak(world.logs())
  expect(world.signatures.size).toBeGreaterThan(20)
})

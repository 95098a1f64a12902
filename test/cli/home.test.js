'use strict'

/**
 * What the commands leave in a new home: nothing but what docs/guides/getting-started.md says. On the way no package may
 * print a warning of its own, as the SDK would on an old Node.js.
 */

const { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const module_ = require('node:module')
const { tmpdir } = require('node:os')
const { dirname, join, sep } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { runXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const CACHE = '.cache/xfer/compiled'
/** The folders of the XDG specification stay when they are empty. */
const STATE = ['.local', '.local/state']

let store
let platform
let route
let home
beforeAll(async () => {
  ;[store, platform] = await Promise.all([startStore(), startDeployed()])
  route = await openRoute({ source: store, platform })
  await put(route.from, 'small', bytesOf(1000))
  await put(route.to, 'same', bytesOf(1000))
  await put(route.from, 'large', bytesOf(11 * MiB))
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'xfer-test-home-'))
})
afterEach(() => {
  store.faults.clear()
  rmSync(home, { recursive: true })
})
afterAll(async () => {
  route?.close()
  await Promise.all([store?.close(), platform?.close()])
})

/** @param {string[]} args @param {Record<string, string>} [env] instead of the keys and the platform */
async function run(args, env = route.env) {
  const ended = await runXfer(args, {
    env: { ...env, HOME: home, XDG_STATE_HOME: undefined, NODE_DISABLE_COMPILE_CACHE: undefined },
  })
  expect(ended.stderr).not.toMatch(/warning|deprecat|node:\d|upgrade/i)
  return ended
}

/** @returns {string[]} files and folders in the home, but for what is in the cache */
function left() {
  const all = readdirSync(home, { recursive: true }).map(path => path.replaceAll(sep, '/'))
  const cache = ['.cache', '.cache/xfer', CACHE]
  if ('enableCompileCache' in module_) expect(all).toEqual(expect.arrayContaining(cache))
  return all.filter(path => !cache.includes(path) && !path.startsWith(`${CACHE}/`)).sort()
}

const COPY = ['copy', 's3://source/small', 's3://target/']

test.each(
  [
    ['--version'],
    ['help', 'copy'],
    ['completion', 'bash'],
    ['jobs'],
    ['deploy', '--undeploy'],
    ['deploy'],
    ['doctor', 's3://source/small', 's3://target/'],
    ['verify', 's3://source/small', 's3://target/same', '--read'],
    ['clean', 's3://target'],
    [...COPY, '--dry-run'],
  ].map(args => [args.join(' '), args]),
)('xfer %s leaves nothing', async (_, args) => {
  expect(await run(args)).toMatchObject({ status: 0 })
  expect(left()).toEqual([])
})

test.each([
  ['by functions', 0, [...COPY, '--route', 'engine', '--engine', 'openwhisk']],
  ['by threads', 0, [...COPY, '--route', 'engine', '--engine', 'local']],
  ['by the store', 0, [...COPY, '--route', 'server']],
  ['of a prefix', 0, ['sync', 's3://source/', 's3://target/all/', '--engine', 'local', '--chunk', '5']],
  ['of nothing', 3, ['copy', 's3://source/missing', 's3://target/']],
])('a copy %s leaves no journal, and no folder for one', async (_, status, args) => {
  expect(await run(args)).toMatchObject({ status })
  expect(left()).toEqual(STATE)
})

test('keys of a profile are read without a warning', async () => {
  const config = join(home, '.aws', 'config')
  mkdirSync(dirname(config))
  const keys = `aws_access_key_id=${store.accessKeyId}\naws_secret_access_key=${store.secretAccessKey}`
  writeFileSync(config, `[profile own]\n${keys}\nendpoint_url=${store.endpoint}\nregion=${store.region}\n`)
  const args = ['copy', 's3://own@source/small', 's3://own@target/by-profile', '--route', 'engine']
  expect(await run(args, {})).toMatchObject({ status: 0 })
  expect(left()).toEqual(['.aws', '.aws/config', ...STATE])
})

test('a copy that failed leaves its journal and says how to go on; when it is aborted nothing is left', async () => {
  store.faults.add({ operation: 'UploadPart', status: 403, code: 'AccessDenied' })
  const copy = [
    'copy',
    's3://source/large',
    's3://target/failed',
    '--route',
    'engine',
    '--chunk',
    '5',
    '--retries',
    '0',
  ]
  const { status, stderr } = await run([...copy, '--engine', 'local'])
  expect(status).toBe(4)
  const [, id] = /xfer resume (\S+)/.exec(stderr)
  const folders = [...STATE, '.local/state/xfer', '.local/state/xfer/jobs']
  expect(left()).toEqual([...folders, `.local/state/xfer/jobs/${id}.journal`])
  expect(await run(['abort', id])).toMatchObject({ status: 0 })
  expect(left()).toEqual(STATE)
})

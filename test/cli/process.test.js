'use strict'

/** The process: versions of Node.js, what is kept in a home, and memory. */

const { existsSync, readdirSync, writeFileSync } = require('node:fs')
const module_ = require('node:module')
const { join, sep } = require('node:path')
const { newFolder, startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { runAlone } = require('../support/run-xfer')
const { MiB, bytesOf, put } = require('../support/s3')

let folder
beforeEach(() => {
  folder = newFolder()
})

test.each(['20.18.3', '8.17.0'])('Node.js %s is too old, in one sentence', async version => {
  const preload = join(folder, 'as-old.js')
  const versions = `{ value: { ...process.versions, node: '${version}' } }`
  writeFileSync(preload, `Object.defineProperty(process, 'versions', ${versions})`)
  const stderr = `xfer: Node.js ${version} is too old for xfer, which needs 20.19 or later.\n`
  for (const args of [['--version'], ['copy', 's3://a/b', 's3://c/d', '--json']]) {
    const run = await runAlone(args, { nodeArgs: ['--require', preload] })
    expect(run).toMatchObject({ status: 2, stdout: '', stderr })
  }
})

const REFUSED =
  'xfer: Node.js was told to load code for browsers, which xfer cannot run on: take --conditions=browser (-C browser) out of NODE_OPTIONS.\n'

test.each(['--no-warnings --conditions browser', '-C browser'])('NODE_OPTIONS=%s is refused', async NODE_OPTIONS => {
  const run = await runAlone(['ls', 's3://bucket'], { env: { NODE_OPTIONS } })
  expect(run).toMatchObject({ status: 2, stdout: '', stderr: REFUSED })
})

const can = 'enableCompileCache' in module_

/** @param {Record<string, string>} more */
const version = async more => {
  const env = { NODE_DISABLE_COMPILE_CACHE: undefined, HOME: folder, ...more }
  expect(await runAlone(['--version'], { env })).toMatchObject({ status: 0, stderr: '' })
}

test('what was compiled is kept where the user keeps caches, if Node.js can', async () => {
  await version({})
  expect(existsSync(join(folder, '.cache', 'xfer', 'compiled'))).toBe(can)
  await version({ XDG_CACHE_HOME: join(folder, 'other') })
  expect(existsSync(join(folder, 'other', 'xfer', 'compiled'))).toBe(can)
})

test.each([
  ['where the user wants none', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['where there is no home', { HOME: '' }],
])('of compiled code nothing is kept %s', async (_, env) => {
  await version(env)
  expect(readdirSync(folder)).toEqual([])
})

/**
 * What the commands leave in a new home: nothing but what docs/guides/getting-started.md says. On the way no package may
 * print a warning of its own, as the SDK would on an old Node.js.
 */
describe('a new home', () => {
  const CACHE = '.cache/xfer/compiled'
  /** The folders of the XDG specification stay when they are empty. */
  const STATE = ['.local', '.local/state']

  let store
  let route
  beforeAll(async () => {
    store = await startStore()
    route = await openRoute({ source: store, platform: await startDeployed() })
    await put(route.from, 'small', bytesOf(1000))
    await put(route.to, 'same', bytesOf(1000))
    await put(route.from, 'large', bytesOf(11 * MiB))
  })
  afterEach(() => store.faults.clear())

  /** @param {string[]} args */
  async function run(args) {
    const bare = { HOME: folder, XDG_STATE_HOME: undefined, NODE_DISABLE_COMPILE_CACHE: undefined }
    const ended = await runAlone(args, { env: { ...route.env, ...bare } })
    expect(ended.stderr).not.toMatch(/warning|deprecat|node:\d|upgrade/i)
    return ended
  }

  /** @returns {string[]} files and folders in the home, but for what is in the cache */
  function left() {
    const all = readdirSync(folder, { recursive: true }).map(path => path.replaceAll(sep, '/'))
    const cache = ['.cache', '.cache/xfer', CACHE]
    if ('enableCompileCache' in module_) expect(all).toEqual(expect.arrayContaining(cache))
    return all.filter(path => !cache.includes(path) && !path.startsWith(`${CACHE}/`)).sort()
  }

  test.each([
    [0, [], '--version'],
    [0, [], 'help copy'],
    [0, [], 'completion bash'],
    [0, [], 'jobs'],
    [0, [], 'deploy --undeploy'],
    [0, [], 'deploy'],
    [0, [], 'doctor s3://source/small s3://target/'],
    [0, [], 'verify s3://source/small s3://target/same --read'],
    [0, [], 'clean s3://target'],
    [0, [], 'copy s3://source/small s3://target/ --dry-run'],
    [0, STATE, 'copy s3://source/small s3://target/ --route engine --engine openwhisk'],
    [0, STATE, 'sync s3://source/ s3://target/all/ --engine local --chunk 5'],
    [3, STATE, 'copy s3://source/missing s3://target/'],
  ])('ends with %i, and leaves no journal, but %j: xfer %s', async (status, folders, line) => {
    expect(await run(line.split(' '))).toMatchObject({ status })
    expect(left()).toEqual(folders)
  })

  test('a copy that failed leaves its journal and says how to go on; when it is aborted nothing is left', async () => {
    store.faults.add({ operation: 'UploadPart', status: 403, code: 'AccessDenied' })
    const copy = 'copy s3://source/large s3://target/failed --route engine --chunk 5 --retries 0'.split(' ')
    const { status, stderr } = await run([...copy, '--engine', 'local'])
    expect(status).toBe(4)
    const [, id] = /xfer resume (\S+)/.exec(stderr)
    const folders = [...STATE, '.local/state/xfer', '.local/state/xfer/jobs']
    expect(left()).toEqual([...folders, `.local/state/xfer/jobs/${id}.journal`])
    expect(await run(['abort', id])).toMatchObject({ status: 0 })
    expect(left()).toEqual(STATE)
  })
})

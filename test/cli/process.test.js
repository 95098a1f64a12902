'use strict'

/** The process: versions of Node.js, what is kept in a home, and memory. */

const { existsSync, mkdirSync, readdirSync, writeFileSync } = require('node:fs')
const module_ = require('node:module')
const { dirname, join, sep } = require('node:path')
const { newFolder, startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { runAlone } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

/** What the program says of a Node.js that it cannot run on. */
describe('Node.js', () => {
  let folder
  beforeAll(() => {
    folder = newFolder()
  })

  /** Runs the program on a Node.js that calls itself so. @param {string} version @param {string[]} args */
  async function runOn(version, args) {
    const preload = join(folder, `${version}.js`)
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    return await runAlone(args, { nodeArgs: ['--require', preload] })
  }

  test.each(['20.18.3', '8.17.0'])('Node.js %s is too old, in one sentence', async version => {
    for (const args of [['--version'], ['copy', 's3://a/b', 's3://c/d', '--json']]) {
      expect(await runOn(version, args)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: `xfer: Node.js ${version} is too old for xfer, which needs 20.19 or later.\n`,
      })
    }
  })

  const REFUSED =
    'xfer: Node.js was told to load code for browsers, which xfer cannot run on: take --conditions=browser (-C browser) out of NODE_OPTIONS.\n'

  test.each(['--no-warnings --conditions browser', '-C browser'])(
    'NODE_OPTIONS=%s is refused with what to do',
    async options => {
      const run = await runAlone(['ls', 's3://bucket'], { env: { NODE_OPTIONS: options } })
      expect(run).toMatchObject({ status: 2, stdout: '', stderr: REFUSED })
    },
  )
})

describe('compiled code', () => {
  const can = 'enableCompileCache' in module_

  let folder
  beforeEach(() => {
    folder = newFolder()
  })

  /** @param {Record<string, string>} env */
  const version = async env => {
    const { status, stderr } = await runAlone(['--version'], {
      env: { NODE_DISABLE_COMPILE_CACHE: undefined, HOME: folder, ...env },
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
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
  ])('nothing is kept %s', async (_, env) => {
    await version(env)
    expect(readdirSync(folder)).toEqual([])
  })
})

/**
 * What the commands leave in a new home: nothing but what docs/guides/getting-started.md says. On the way no package may
 * print a warning of its own, as the SDK would on an old Node.js.
 */
describe('a new home', () => {
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
    home = newFolder()
  })
  afterEach(() => store.faults.clear())

  /** @param {string[]} args @param {Record<string, string>} [env] instead of the keys and the platform */
  async function run(args, env = route.env) {
    const ended = await runAlone(args, {
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

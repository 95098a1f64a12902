'use strict'

/** What of the program and of its packages is loaded for what: each module costs time at the start, and memory to the end. */

const { readFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { openRoute } = require('./support/copies')
const { makeHome } = require('./support/home')
const { startDeployed, startStore } = require('./support/opened')
const { runAlone } = require('./support/run-xfer')
const { put } = require('./support/s3')

const ROOT = join(__dirname, '..')

const WRITE = `require('node:fs').writeFileSync(process.env.XFER_TEST_LOADED, JSON.stringify(Object.keys(require.cache)))`
// Threads have an environment and a cache of their own.
const HOOK = `if (require('node:worker_threads').isMainThread) process.on('exit', () => { ${WRITE} })\n`
const folder = makeHome({ 'hook.js': HOOK })
const hook = join(folder, 'hook.js')

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ status: number, stderr: string, own: string[], packages: string[] }>} own: files from the root; packages: by name,
 *   as often as files of theirs were loaded
 */
async function loadedBy(args, env = {}) {
  const told = join(folder, 'loaded.json')
  const options = { NODE_OPTIONS: `--require ${hook}`, XFER_TEST_LOADED: told }
  const { status, stderr } = await runAlone(args, { env: { ...env, ...options } })
  const files = JSON.parse(readFileSync(told, 'utf8')).filter(file => file !== hook)
  const packages = files.flatMap(file => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [])
  const own = files.filter(file => !/node_modules/.test(file)).map(file => relative(ROOT, file).replaceAll('\\', '/'))
  return { status, stderr, own, packages }
}

const ofLibrary = ({ own }) => own.filter(file => /^(lib|actions)\//.test(file))

/** Of the library the table of options, which is rows alone, and the factories, which load the rest when they are used (lazily). */
const ROWS =
  /^lib\/(lazily|options\/(index|table\/[a-z-]+)|(stores|engines)\/(registry|index|\w+\/(options|index)))\.js$/

test.each([
  ['--version', ['--version']],
  ['version', ['version']],
  ['(nothing)', []],
  ['--help', ['--help']],
  ['-h copy', ['-h', 'copy']],
  ['copy --help', ['copy', '--help']],
  ['help deploy', ['help', 'deploy']],
  ['completion bash', ['completion', 'bash']],
])('xfer %s loads the command line, and nothing that it would run', async (_, args) => {
  const loaded = await loadedBy(args)
  expect(loaded.status).toBe(0)
  expect([...new Set(loaded.packages)]).toEqual(['commander'])
  expect(loaded.own.filter(file => /^cli\/hints\//.test(file))).toEqual([])
  expect(ofLibrary(loaded).filter(file => !ROWS.test(file))).toEqual(['lib/index.js'])
})

test('a mistake on the command line loads the errors too', async () => {
  const loaded = await loadedBy(['copy', '--chnk', '5'])
  expect(loaded.status).toBe(2)
  expect([...new Set(loaded.packages)]).toEqual(['commander'])
  // The hints write command lines.
  const NEEDED = /^(?:lib\/(index|errors\/.*|options\/command-line)|actions\/copy-range\/redact)\.js$/
  expect(ofLibrary(loaded).filter(file => !ROWS.test(file) && !NEEDED.test(file))).toEqual([])
})

describe('a copy', () => {
  let server
  let platform
  let route
  beforeAll(async () => {
    ;[server, platform] = await Promise.all([startStore(), startDeployed()])
    route = await openRoute({ source: server })
    await put(route.from, 'small', Buffer.from('small'))
  })
  const copy = (flags, env = {}) =>
    loadedBy(['copy', 's3://source/small', 's3://target/small', '--quiet', ...flags], { ...route.env, ...env })

  test('between stores whose keys are in the environment loads no SDK: where there are profiles their reader', async () => {
    const home = makeHome({ config: '[default]\nregion = us-east-1\n' })
    const ofSdk = async (/** @type {string} */ file) => {
      const loaded = await copy(['--engine', 'local'], { HOME: home, AWS_CONFIG_FILE: file })
      expect({ status: loaded.status, stderr: loaded.stderr }).toEqual({ status: 0, stderr: '' })
      expect(loaded.own).not.toContain('lib/aws/remotes.js')
      return loaded.packages.filter(name => /^@(aws-sdk|aws-crypto|smithy)\//.test(name))
    }
    expect(await ofSdk('')).toEqual([])
    const ofReader = await ofSdk(join(home, 'config'))
    expect([...new Set(ofReader)].sort()).toEqual(['@smithy/core', '@smithy/shared-ini-file-loader', '@smithy/types'])
    expect(ofReader.length).toBeLessThanOrEqual(6)
  })

  test('on this machine loads neither the client of the platform nor what deploys', async () => {
    const loaded = await copy(['--engine', 'local'])
    expect(loaded.packages.filter(name => ['yaml', 'fflate', 'mime-types'].includes(name))).toEqual([])
    const own = ofLibrary(loaded)
    const OF_PLATFORMS =
      /^lib\/(doctor|engines\/(openwhisk|lambda)\/(?!index\.js|options|settings\.js|errors\.js|platform\/(?:index|settings|package|errors)\.js)|commands\/(?!copy))/
    expect(own.filter(file => OF_PLATFORMS.test(file))).toEqual([])
    // It counts what it uses; prices are for those who ask.
    expect(own.filter(file => file.startsWith('lib/cost/'))).toEqual(['lib/cost/index.js', 'lib/cost/usage.js'])
    // A small object needs no thread.
    expect(own).not.toContain('lib/engines/local/worker.js')
  })

  test('on a platform starts no thread, does not deploy, and does not load the client of deployments', async () => {
    const loaded = await copy(['--engine', 'openwhisk'], { APIHOST: platform.apihost, AUTH: platform.auth })
    expect({ status: loaded.status, stderr: loaded.stderr }).toEqual({ status: 0, stderr: '' })
    expect(ofLibrary(loaded)).toContain('lib/engines/openwhisk/client.js')
    expect(loaded.packages).not.toContain('openwhisk')
    const OTHERS = /^lib\/(doctor|engines\/(openwhisk\/deploy|local\/(?!index\.js))|commands\/(?!copy))/
    expect(ofLibrary(loaded).filter(file => OTHERS.test(file))).toEqual([])
  })
})

'use strict'

const { fork, spawn } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { gathered } = require('./bounded-child')

const XFER = join(__dirname, '..', '..', 'cli', 'xfer.js')

/** A home without any configuration: it does not exist. */
const home = join(tmpdir(), 'xfer-test-no-home')

/** A folder for journals. */
const makeStateHome = () => mkdtempSync(join(tmpdir(), 'xfer-test-state-'))
/** @param {string} dir */
const removeStateHome = dir => rmSync(dir, { recursive: true, force: true })

/** Of whoever runs the program otherwise than by startXfer. */
const sharedStateHome = makeStateHome()
process.on('exit', () => removeStateHome(sharedStateHome))
// Jest's own processes end without that event.
if (typeof afterAll === 'function') afterAll(() => removeStateHome(sharedStateHome))

/** The environment of a user who has configured nothing. */
const bareEnv = {
  PATH: process.env.PATH,
  HOME: home,
  XDG_STATE_HOME: sharedStateHome,
  // It would be made there: test/cli/process.test.js has it.
  NODE_DISABLE_COMPILE_CACHE: '1',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Many tests copy from a store to itself, and mean the way of the bytes through an engine: it is taken where they do not say
 * otherwise.
 *
 * @param {string[]} args
 */
function throughEngine(args) {
  const [command, ...rest] = args
  return command === 'copy' && !rest.includes('--route') ? [command, '--route', 'engine', ...rest] : args
}

/**
 * What a run gets besides what its test says: a bare environment, and a folder for its journals.
 *
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function prepareRun(args, env) {
  const stateHome = env.XDG_STATE_HOME ?? makeStateHome()
  return {
    args: throughEngine(args),
    env: { ...bareEnv, XDG_STATE_HOME: stateHome, ...env },
    /** Removes the folder, unless the test brought its own. */
    discard() {
      if (env.XDG_STATE_HOME === undefined) removeStateHome(stateHome)
    },
  }
}

/**
 * Starts the real program with a bare environment. Its journals are in a folder of its own, which goes when it ends: a
 * test of jobs that outlive a run gives XDG_STATE_HOME.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, node?: string, nodeArgs?: string[], cwd?: string, input?: any, output?: any }} [options] input, output:
 *   as of `stdio`
 */
function startXfer(
  args,
  { env = {}, node = process.execPath, nodeArgs = [], cwd, input = 'ignore', output = 'pipe' } = {},
) {
  const run = prepareRun(args, env)
  const stdio = [input, output, 'pipe']
  const child = spawn(node, [...nodeArgs, XFER, ...run.args], { env: run.env, cwd, stdio })
  const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)]
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      run.discard()
      resolve({ status, signal, stdout: stdout(), stderr: stderr() })
    })
  })
  return { child, ended }
}

/**
 * Runs a command in a process of its own.
 *
 * @param {string[]} args
 * @param {Parameters<typeof startXfer>[1]} [options]
 * @returns {Promise<{ status: number, signal: string | null, stdout: string, stderr: string }>}
 */
const runAlone = (args, options) => startXfer(args, options).ended

/**
 * Runs a command in a process that may have run others before.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string }} [options]
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
async function runXfer(args, { env = {}, ...options } = {}) {
  const run = prepareRun(args, env)
  const { status, stdout, stderr } = await runWarm(run.args, { ...options, env: run.env })
  run.discard()
  return { status, stdout: stdout.toString(), stderr: stderr.toString() }
}

const WARM = join(__dirname, 'warm-xfer.js')
const WARM_STDIO = /** @type {const} */ (['ignore', 'inherit', 'inherit', 'ipc'])
/** Processes that wait for their next command, by what they were started with. @type {Map<string, import('node:child_process').ChildProcess[]>} */
const idle = new Map()
if (typeof afterAll === 'function') {
  afterAll(() => {
    for (const child of [...idle.values()].flat()) child.kill()
  })
}

/**
 * Runs a command in a process that has run others before: in a fraction of the time, for what is no matter of the process itself (its
 * start, signals, standard input, its open files, how it ends).
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, nodeArgs?: string[] }} [options] nodeArgs: for the process
 * @returns {Promise<{ status: number, stdout: Buffer, stderr: Buffer }>}
 */
async function runWarm(args, { nodeArgs = [], ...options } = {}) {
  const kind = nodeArgs.join(' ')
  const waiting = idle.get(kind) ?? idle.set(kind, []).get(kind)
  const child =
    waiting?.pop() ?? fork(WARM, { execArgv: nodeArgs, env: bareEnv, serialization: 'advanced', stdio: WARM_STDIO })
  const ended = await new Promise((resolve, reject) => {
    const died = (/** @type {unknown} */ why) =>
      reject(new Error(`The process of xfer ${args.join(' ')} ended (${why})`))
    child.once('exit', died).once('error', reject)
    child.once('message', answer => {
      child.removeAllListeners('exit').removeAllListeners('error')
      resolve(answer)
    })
    child.send({ ...options, args, env: { ...bareEnv, ...options.env } })
  })
  waiting?.push(child)
  return ended
}

/** The events of a run with --json. @param {{ stdout: string }} run */
function eventsOf({ stdout }) {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

/** What configures one side of a copy for a store. @param {'SOURCE' | 'DEST'} side @param {any} access */
function sideEnv(side, { endpoint, accessKeyId, secretAccessKey, region }) {
  return {
    [`XFER_${side}_ENDPOINT_URL`]: endpoint,
    [`XFER_${side}_ACCESS_KEY_ID`]: accessKeyId,
    [`XFER_${side}_SECRET_ACCESS_KEY`]: secretAccessKey,
    [`XFER_${side}_REGION`]: region,
  }
}

/** The same as options of the library give it. @param {any} access */
const sideOptions = ({ endpoint, accessKeyId, secretAccessKey }) => ({
  endpointUrl: endpoint,
  credentials: { accessKeyId, secretAccessKey },
})

/** What configures a copy from one store to another, and maybe a platform. */
function copyEnv(source, destination, openwhisk) {
  const platform = openwhisk && { APIHOST: openwhisk.apihost, AUTH: openwhisk.auth }
  return { ...sideEnv('SOURCE', source), ...sideEnv('DEST', destination), ...platform }
}

/** What reaches a state as the destination is reached. @param {Record<string, string>} env @returns {Record<string, string>} */
function stateEnv(env) {
  const ofDestination = Object.entries(env).filter(([name]) => name.startsWith('XFER_DEST_'))
  return Object.fromEntries(ofDestination.map(([name, value]) => [name.replace('XFER_DEST_', 'XFER_STATE_'), value]))
}

module.exports = {
  startXfer,
  runAlone,
  runXfer,
  runWarm,
  eventsOf,
  sideEnv,
  sideOptions,
  copyEnv,
  stateEnv,
  bareEnv,
  XFER,
}

'use strict'

/**
 * The S3 servers that suites run against: the sandbox's store always, versitygw and MinIO where their programs are
 * found (in the folder XFER_TEST_BIN, or on the PATH). With XFER_TEST_SERVERS=required a missing one is a failure.
 */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { existsSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const http = require('node:http')
const net = require('node:net')
const { tmpdir } = require('node:os')
const { delimiter, join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { startStore } = require('../../sandbox/store')

const ACCESS = { accessKeyId: 'xfer-test-key', secretAccessKey: 'xfer-test-secret', region: 'us-east-1' }
const START_LIMIT_MS = 30_000

/** @param {string} name @returns {string | undefined} */
function findProgram(name) {
  const folders = [process.env.XFER_TEST_BIN, ...(process.env.PATH ?? '').split(delimiter)]
  return folders
    .filter(Boolean)
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}

/** @returns {Promise<number>} a port that was free a moment ago */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** @param {string} endpoint @returns {Promise<boolean>} whether an HTTP server answers there */
function answers(endpoint) {
  return new Promise(resolve => {
    const request = http.get(endpoint, response => {
      response.resume()
      resolve(true)
    })
    request.on('error', () => resolve(false))
  })
}

/**
 * Starts a server program on a free port with a data folder of its own, in memory where there is such a place.
 *
 * @param {string} program
 * @param {(at: { port: number, dir: string }) => { args: string[], env: Record<string, string> }} how
 */
async function startProgram(program, how) {
  const dir = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'xfer-server-'))
  const port = await freePort()
  const { args, env } = how({ port, dir })
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output = (output + text).slice(-4000)
    })
  }
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const endpoint = `http://127.0.0.1:${port}`
  const until = Date.now() + START_LIMIT_MS
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${program} did not start: ${output}`)
    await delay(50)
  }
  return {
    endpoint,
    ...ACCESS,
    pid: child.pid,
    async close() {
      process.off('exit', kill)
      child.kill('SIGKILL')
      await exited
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const versitygw = findProgram('versitygw')
const minio = findProgram('minio')

/**
 * By name: what starts one server, and what it is known not to do.
 *
 * @type {Array<{ name: string, start?: (options?: object) => Promise<any>, traits: { pathKeys: boolean } }>}
 */
const ALL = [
  // pathKeys: keys with `./`, `../`, `//` or a closing slash are plain names; below the others are file systems.
  { name: 'sandbox', start: startStore, traits: { pathKeys: true } },
  {
    name: 'versitygw',
    traits: { pathKeys: false },
    start:
      versitygw &&
      (() =>
        startProgram(versitygw, ({ port, dir }) => ({
          args: ['--port', `127.0.0.1:${port}`, '--region', ACCESS.region, 'posix', dir],
          env: { ROOT_ACCESS_KEY: ACCESS.accessKeyId, ROOT_SECRET_KEY: ACCESS.secretAccessKey },
        }))),
  },
  {
    name: 'minio',
    traits: { pathKeys: false },
    start:
      minio &&
      (() =>
        startProgram(minio, ({ port, dir }) => ({
          args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, dir],
          env: {
            MINIO_ROOT_USER: ACCESS.accessKeyId,
            MINIO_ROOT_PASSWORD: ACCESS.secretAccessKey,
            MINIO_BROWSER: 'off',
          },
        }))),
  },
]

const missing = ALL.filter(server => !server.start).map(server => server.name)
if (missing.length > 0 && process.env.XFER_TEST_SERVERS === 'required') {
  throw new Error(`XFER_TEST_SERVERS=required, and these programs are missing: ${missing.join(', ')}`)
}

/** Those that can be started here. */
const SERVERS = ALL.filter(server => server.start)

module.exports = { SERVERS, missing, freePort }

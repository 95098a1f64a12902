'use strict'

/** Starts real S3 servers, and Azurite, if their programs are installed. For the suites that test against more than the sandbox, and for benchmarks. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { existsSync, readFileSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const http = require('node:http')
const https = require('node:https')
const net = require('node:net')
const { tmpdir } = require('node:os')
const { delimiter, join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')

const ACCESS = { accessKeyId: 'xfer-test-key', secretAccessKey: 'xfer-test-secret', region: 'us-east-1' }
/** A key of an Azure account is base64. */
const AZURE = { account: 'xfertest', key: Buffer.from('xfer-test-key-of-an-azure-account').toString('base64') }
const START_LIMIT_MS = 30_000

/** @param {string} name @returns {string | undefined} */
function findProgram(name) {
  const folders = [process.env.XFER_TEST_BIN, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.flatMap(folder => (folder ? [join(folder, name)] : [])).find(path => existsSync(path))
}

/** @returns {Promise<number>} a port that was free a moment ago */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** @param {number} port @returns {Promise<boolean>} whether anything listens there */
async function listens(port) {
  const socket = net.connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(() => true)
    .catch(() => false)
    .finally(() => socket.destroy())
}

/** @param {string} endpoint @param {string | undefined} ca @returns {Promise<boolean>} whether an HTTP server answers there */
function answers(endpoint, ca) {
  return new Promise(resolve => {
    const get = ca === undefined ? http.get : https.get
    const request = get(endpoint, { ca, agent: false }, response => {
      response.resume()
      resolve(true)
    })
    request.on('error', () => resolve(false))
  })
}

/** The names that MinIO wants in a folder of certificates. @param {string} folder */
const certificateIn = folder => ({ cert: join(folder, 'public.crt'), key: join(folder, 'private.key') })

/**
 * Starts a server program on a free port, with a data folder of its own: in memory if there is /dev/shm.
 *
 * @param {string} program
 * @param {(at: { port: number, dir: string }) => { args: string[], env?: Record<string, string>, speaksHttp?: false }} how
 * @param {PeerOptions} options
 */
async function startProgram(program, how, { certificate, onDisk = false }) {
  const inMemory = !onDisk && existsSync('/dev/shm')
  const dir = await mkdtemp(join(inMemory ? '/dev/shm' : tmpdir(), 'xfer-server-'))
  const port = await freePort()
  const { args, env, speaksHttp = true } = how({ port, dir })
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output = (output + text).slice(-4000)
    })
  }
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  async function close() {
    process.off('exit', kill)
    kill()
    await exited
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  const endpoint = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  const ca = certificate && readFileSync(certificateIn(certificate).cert, 'utf8')
  const until = Date.now() + START_LIMIT_MS
  while (!(await (speaksHttp ? answers(endpoint, ca) : listens(port)))) {
    if (child.exitCode !== null || Date.now() > until) {
      await close()
      throw new Error(`${program} did not start: ${output}`)
    }
    await delay(50)
  }
  return { endpoint, ...ACCESS, ...(ca && { ca }), pid: /** @type {number} */ (child.pid), dir, close }
}

/**
 * `ca`: the certificate to trust, PEM, if the server uses TLS; `dir`: of its data.
 * @typedef {{
 *   endpoint: string, accessKeyId: string, secretAccessKey: string, region: string, ca?: string, pid: number, dir: string,
 *   close: () => Promise<void>
 * }} Peer
 *
 * `args`: more arguments; `certificate`: the folder of a self-signed certificate, `public.crt` and `private.key`, to use
 * TLS with; `env`: more variables; `onDisk`: its data does not fit into memory.
 * @typedef {{ args?: string[], certificate?: string, env?: Record<string, string>, onDisk?: boolean }} PeerOptions
 */

/**
 * Functions that start a server; undefined if its program is not installed.
 *
 * @type {Record<'versitygw' | 'minio' | 'rclone' | 'moto' | 'gofakes3', ((options?: PeerOptions) => Promise<Peer>) | undefined>}
 */
const PEERS = {
  versitygw: starter('versitygw', ({ port, dir }, { args, certificate }) => {
    const { cert, key } = certificateIn(certificate ?? '')
    const tls = certificate ? ['--cert', cert, '--key', key] : []
    return {
      args: ['--port', `127.0.0.1:${port}`, '--region', ACCESS.region, ...tls, ...args, 'posix', dir],
      env: { ROOT_ACCESS_KEY: ACCESS.accessKeyId, ROOT_SECRET_KEY: ACCESS.secretAccessKey },
    }
  }),
  // With `--no-compat` its ETags are no MD5s.
  minio: starter('minio', ({ port, dir }, { args, certificate }) => ({
    args: [
      ...['server', '--quiet', ...(certificate ? ['--certs-dir', certificate] : []), ...args],
      ...['--address', `127.0.0.1:${port}`, dir],
    ],
    env: { MINIO_ROOT_USER: ACCESS.accessKeyId, MINIO_ROOT_PASSWORD: ACCESS.secretAccessKey, MINIO_BROWSER: 'off' },
  })),
  rclone: starter('rclone', ({ port, dir }, { args }) => ({
    args: [
      ...['serve', 's3', '--addr', `127.0.0.1:${port}`, '--config', join(dir, 'rclone.conf'), ...args],
      ...['--auth-key', `${ACCESS.accessKeyId},${ACCESS.secretAccessKey}`, join(dir, 'data')],
    ],
  })),
  // These two take any key.
  moto: starter('moto_server', ({ port }, { args }) => ({
    args: ['-H', '127.0.0.1', '-p', String(port), ...args],
  })),
  gofakes3: starter('gofakes3', ({ port }, { args }) => ({
    args: ['-host', `127.0.0.1:${port}`, '-backend', 'memory', '-quiet', ...args],
  })),
}

/** Its data is in its folder, which is in memory: its own way to keep data in memory is slow. */
const startAzuriteProgram = starter('azurite-blob', ({ port, dir }, { args }) => ({
  args: [
    ...['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', dir, '--silent', '--disableTelemetry'],
    // Clients of today send versions that it does not know yet.
    ...['--skipApiVersionCheck', ...args],
  ],
  env: { AZURITE_ACCOUNTS: `${AZURE.account}:${AZURE.key}` },
}))

/**
 * Starts Azurite, Microsoft's emulator of Azure Blob; undefined if its program is not installed. Its endpoint has the account.
 *
 * @type {((options?: PeerOptions) => Promise<{ endpoint: string, account: string, key: string, pid: number, close(): Promise<void> }>) | undefined}
 */
const startAzurite =
  startAzuriteProgram &&
  (async options => {
    const { endpoint, pid, close } = await startAzuriteProgram(options)
    return { endpoint: `${endpoint}/${AZURE.account}`, ...AZURE, pid, close }
  })

const REDIS_PASSWORD = 'xfer-test-password'
const startRedisProgram = starter('redis-server', ({ port, dir }, { args }) => ({
  args: [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'],
    ...['--requirepass', REDIS_PASSWORD, ...args],
  ],
  speaksHttp: false,
}))

/** Starts Redis, in memory; undefined if its program is not installed. @type {((options?: PeerOptions) => Promise<{ port: number, password: string, pid: number, close(): Promise<void> }>) | undefined} */
const startRedis =
  startRedisProgram &&
  (async options => {
    const { endpoint, pid, close } = await startRedisProgram(options)
    return { port: Number(new URL(endpoint).port), password: REDIS_PASSWORD, pid, close }
  })

/** Starts rclone as a server of WebDAV, which lets in `user` with the password `password`; undefined if it is not installed. */
const startWebdav = starter('rclone', ({ port, dir }, { args }) => ({
  args: [
    ...['serve', 'webdav', '--addr', `127.0.0.1:${port}`, '--config', join(dir, 'rclone.conf'), ...args],
    ...['--user', 'user', '--pass', 'password', dir],
  ],
}))

/**
 * @param {string} name
 * @param {(at: { port: number, dir: string }, options: { args: string[], certificate?: string }) => ReturnType<Parameters<typeof startProgram>[1]>} how
 */
function starter(name, how) {
  const program = findProgram(name)
  if (program === undefined) return undefined
  return (/** @type {PeerOptions} */ { args = [], env = {}, ...options } = {}) => {
    const start = (/** @type {{ port: number, dir: string }} */ at) => how(at, { args, ...options })
    return startProgram(program, at => ({ ...start(at), env: { ...start(at).env, ...env } }), options)
  }
}

module.exports = { PEERS, startAzurite, startRedis, startWebdav, findProgram, freePort }

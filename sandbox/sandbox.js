'use strict'

/**
 * The sandbox: two object stores, an OpenWhisk platform and on request AWS Lambda, workers and an Azure Blob service, on
 * loopback. Each is a process of its own, so that it can be killed or measured without the others.
 */

const { randomBytes } = require('node:crypto')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')

/** How long a process may take to end after SIGTERM before it is killed. */
const END_LIMIT_MS = 10_000

/** The bucket that both stores have from the start. */
const BUCKET = 'sandbox'

/** The name of the function on the sandbox's Lambda. */
const FUNCTION = 'xfer-copy-range'

/**
 * @typedef {object} Member
 * @property {string} kind
 * @property {any} ready its first line of output, parsed
 * @property {number} pid
 * @property {() => Promise<void>} end
 *
 * @typedef {{ endpoint: string, accessKeyId: string, secretAccessKey: string, region: string, ca?: string }} StoreAccess ca: PEM
 * @typedef {{ endpoint: string, account: string, key: string }} AzureAccess endpoint: with the account in its path
 *
 * @typedef {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} LambdaAccess
 *
 * @typedef {{ urls: string[], token: string }} WorkersAccess
 *
 * @typedef {object} Sandbox
 * @property {StoreAccess[]} stores the first is meant as source, the second as destination
 * @property {{ apihost: string, auth: string }} openwhisk
 * @property {AzureAccess} [azure]
 * @property {LambdaAccess} [lambda]
 * @property {WorkersAccess} [workers]
 * @property {{ openwhisk: number }} pids
 * @property {() => Promise<void>} close leaves no process and no file
 */

/**
 * @param {{
 *   stores?: Array<Record<string, unknown>>,
 *   openwhisk?: Record<string, unknown>,
 *   azure?: Record<string, unknown>,
 *   lambda?: Record<string, unknown>,
 *   workers?: number,
 * }} [options] stores: of each, what startStore takes (store/index.js), two by default; openwhisk: what startPlatform takes
 *   (platform/index.js); azure: what startAzureStore takes (azure/index.js), none by default; lambda: what startLambda
 *   takes (lambda/types.d.ts), none by default; workers: how many there are, none by default
 * @returns {Promise<Sandbox>}
 * @throws {Error} if a process cannot start, with its error output; the others are ended
 */
async function startSandbox({ stores = [{}, {}], openwhisk = {}, azure, lambda, workers = 0 } = {}) {
  const token = randomBytes(16).toString('hex')
  const wanted = [
    ...stores.map(store => ({ kind: 'store', options: { buckets: [BUCKET], ...store } })),
    { kind: 'platform', options: openwhisk },
    ...(azure ? [{ kind: 'azure', options: azure }] : []),
    ...(lambda ? [{ kind: 'lambda', options: lambda }] : []),
    ...Array.from({ length: workers }, () => ({ kind: 'worker', options: { token } })),
  ]
  const results = await Promise.allSettled(wanted.map(({ kind, options }) => startMember(kind, options)))
  const members = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async () => {
    await Promise.all(members.map(member => member.end()))
  }
  const failed = results.find(result => result.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }
  /** @param {string} kind */
  const readyOf = kind => members.flatMap(member => (member.kind === kind ? [member.ready] : []))
  const urls = readyOf('worker').map(({ url }) => url)
  return {
    stores: readyOf('store'),
    openwhisk: readyOf('platform')[0],
    azure: readyOf('azure')[0],
    lambda: readyOf('lambda')[0],
    ...(workers > 0 && { workers: { urls, token } }),
    pids: { openwhisk: members[stores.length].pid },
    close,
  }
}

/**
 * @param {string} kind of main.js
 * @param {Record<string, unknown>} options
 * @returns {Promise<Member>}
 */
async function startMember(kind, options) {
  const child = spawn(process.execPath, [join(__dirname, 'main.js'), kind, JSON.stringify(options)], {
    // The process ends when its standard input closes, so it never outlives its parent.
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C at a terminal goes to the whole process group. Detached, the processes are ended by their parent alone, in order.
    detached: true,
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaint = (complaint + text).slice(-2000)
  })
  child.stdin.on('error', () => {})
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([once(lines, 'line').then(([first]) => first), exited.then(() => undefined)])
  lines.close()
  child.stdout.resume()
  if (line === undefined) throw new Error(`the ${kind} did not start: ${complaint.trim()}`)
  return {
    kind,
    ready: JSON.parse(line),
    pid: /** @type {number} */ (child.pid),
    async end() {
      child.kill('SIGTERM')
      child.stdin.destroy()
      const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * Returns the environment of an xfer command that copies from the sandbox's first store to its second.
 *
 * @param {Pick<Sandbox, 'stores' | 'openwhisk'>} sandbox
 * @returns {Record<string, string>}
 */
function environmentOf({ stores: [source, destination], openwhisk }) {
  return {
    ...sideEnvironment('XFER_SOURCE', source),
    ...sideEnvironment('XFER_DEST', destination),
    APIHOST: openwhisk.apihost,
    AUTH: openwhisk.auth,
  }
}

/** @param {string} prefix @param {StoreAccess} store */
function sideEnvironment(prefix, { endpoint, accessKeyId, secretAccessKey, region }) {
  return {
    [`${prefix}_ENDPOINT_URL`]: endpoint,
    [`${prefix}_ACCESS_KEY_ID`]: accessKeyId,
    [`${prefix}_SECRET_ACCESS_KEY`]: secretAccessKey,
    [`${prefix}_REGION`]: region,
  }
}

/**
 * Returns what an xfer command needs to copy with the sandbox's Lambda, beside what it needs for the stores.
 *
 * @param {LambdaAccess} lambda
 * @returns {Record<string, string>}
 */
function lambdaEnvironment({ endpoint, region, accessKeyId, secretAccessKey }) {
  return {
    AWS_ENDPOINT_URL_LAMBDA: endpoint,
    XFER_LAMBDA_FUNCTION: FUNCTION,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

/**
 * Returns what an xfer command needs to copy with the sandbox's workers, beside what it needs for the stores.
 *
 * @param {WorkersAccess} workers
 * @returns {Record<string, string>}
 */
function workersEnvironment({ urls, token }) {
  return { XFER_WORKERS: urls.join(','), XFER_TOKEN: token }
}

/** The sandbox's stores as profiles of an AWS configuration file: xfer, the AWS CLI and others read it. */

/** The profiles of the stores for people, and the bucket of each. */
const OLD = { profile: 'old', bucket: 'photos' }
const NEW = { profile: 'new', bucket: 'backup' }
/** A store that answers like Google Cloud Storage. */
const GOOGLE = { profile: 'google', bucket: 'photos-archive' }

/** @param {string} name @param {StoreAccess} store */
function profileText(name, { region, endpoint, accessKeyId, secretAccessKey }) {
  return `[profile ${name}]
region = ${region}
endpoint_url = ${endpoint}
aws_access_key_id = ${accessKeyId}
aws_secret_access_key = ${secretAccessKey}
`
}

/**
 * Writes the file into a folder of its own.
 *
 * @param {StoreAccess[]} stores the old one, the new one and, where there is one, Google's
 * @returns {Promise<{ file: string, remove: () => Promise<void> }>}
 */
async function writeProfiles(stores) {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-sandbox-'))
  const file = join(folder, 'config')
  const names = [OLD, NEW, GOOGLE].map(({ profile }) => profile)
  const texts = stores.map((store, i) => profileText(names[i], store))
  await writeFile(file, texts.join('\n'), { mode: 0o600 })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

module.exports = {
  lambdaEnvironment,
  startSandbox,
  environmentOf,
  sideEnvironment,
  workersEnvironment,
  BUCKET,
  writeProfiles,
  OLD,
  NEW,
  GOOGLE,
}

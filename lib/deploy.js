'use strict'

/** Puts what manifest.yaml describes on a platform, as wskdeploy does: the package, then each action, zipped. */

const { readFile, readdir } = require('node:fs/promises')
const { dirname, join, posix } = require('node:path')
const { zipSync } = require('fflate')
const { parse } = require('yaml')
const { XferError, asXferError } = require('./errors')
const { connect } = require('./engines/openwhisk')
const { fromPlatformError } = require('./engines/openwhisk-errors')
const { agent: createAgent } = require('./http/agents')
const { resolvePlatform } = require('./settings/platform')

const MANIFEST = join(__dirname, '..', 'manifest.yaml')
const REQUEST_LIMIT_MS = 60_000

/** The oldest time that a zip can hold: the same files give the same bytes, whenever and wherever they are zipped. */
const ZIP_TIME = new Date(1980, 0, 1)

/**
 * @typedef {object} ActionSpec
 * @property {string} packageName
 * @property {string} name
 * @property {string} folder absolute
 * @property {string} runtime
 * @property {Record<string, unknown>} annotations
 * @property {{ timeout?: number, memory?: number, logs?: number }} limits milliseconds, MB, MB
 */

/**
 * @param {{ manifest?: string, apihost?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal }} [options] manifest: a path;
 *   default the one that came with this xfer
 * @returns {Promise<{ apihost: string, actions: string[] }>} the actions' names with their packages'
 * @throws {import('./types').XferError} BAD_MANIFEST, NO_PLATFORM, and what a platform answers
 */
async function deploy({ manifest = MANIFEST, apihost, env = process.env, signal } = {}) {
  const specs = await readManifest(manifest)
  const bodies = await Promise.all(specs.map(spec => describe(spec, manifest)))
  const platform = await resolvePlatform({ apihost }, env)
  if (!platform) throw new XferError('NO_PLATFORM')
  const agent = createAgent(platform.apihost, { rejectUnauthorized: !platform.insecure })
  const client = connect(platform, agent)
  const transport = {
    open_timeout: 10_000,
    response_timeout: REQUEST_LIMIT_MS,
    read_timeout: REQUEST_LIMIT_MS,
    use_proxy_from_env_var: false,
    signal: signal ?? null,
    overwrite: true,
  }
  try {
    for (const name of new Set(specs.map(spec => spec.packageName))) {
      await client.packages.update({ name, package: {}, ...transport })
    }
    for (const [i, spec] of specs.entries()) {
      await client.actions.update({ name: nameOf(spec), action: bodies[i], ...transport })
    }
  } catch (error) {
    throw fromPlatformError(error, { apihost: platform.apihost, action: specs.map(nameOf).join(', ') }, Date.now())
  } finally {
    agent.destroy()
  }
  return { apihost: platform.apihost, actions: specs.map(nameOf) }
}

/** @param {ActionSpec} spec */
function nameOf({ packageName, name }) {
  return `${packageName}/${name}`
}

/**
 * The body of `PUT namespaces/_/actions/P/A`.
 *
 * @param {ActionSpec} spec
 * @param {string} path the manifest's
 * @throws {XferError} BAD_MANIFEST
 */
async function describe({ name, folder, runtime, annotations, limits }, path) {
  const zip = await zipFolder(folder).catch(cause => {
    const reason = `the folder ${folder} of the action ${name} cannot be read (${cause.code})`
    throw new XferError('BAD_MANIFEST', { path, reason }, { cause })
  })
  const code = Buffer.from(zip).toString('base64')
  return {
    exec: { kind: runtime, code, binary: true, main: 'main' },
    annotations: Object.entries(annotations).map(([key, value]) => ({ key, value })),
    limits,
  }
}

/** @param {string} folder */
async function zipFolder(folder) {
  /** @type {Record<string, Uint8Array>} */
  const files = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(entry => entry.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    files[posix.normalize(name)] = await readFile(path)
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
  return zipSync(sorted, { mtime: ZIP_TIME, level: 9 })
}

/**
 * The part of wskdeploy's manifest that xfer uses: `packages.<p>.actions.<a>` with `function` (a folder), `runtime`,
 * `limits` and `annotations`. https://github.com/apache/openwhisk-wskdeploy/blob/master/specification/README.md
 *
 * @param {string} path
 * @returns {Promise<ActionSpec[]>}
 */
async function readManifest(path) {
  /** @param {string} reason @param {unknown} [cause] */
  const bad = (reason, cause) => new XferError('BAD_MANIFEST', { path, reason }, { cause })
  /** @type {any} */
  let document
  try {
    document = parse(await readFile(path, 'utf8'))
  } catch (error) {
    // Of what is wrong with YAML the first line says where; the lines after it show it.
    throw bad(asXferError(error).facts.reason.split('\n')[0].replace(/[:.]$/, ''), error)
  }
  const specs = Object.entries(document?.packages ?? {}).flatMap(([packageName, content]) =>
    Object.entries(/** @type {any} */ (content)?.actions ?? {}).map(([name, action]) => {
      const { function: folder, runtime, annotations, limits } = /** @type {any} */ (action ?? {})
      if (typeof folder !== 'string') throw bad(`the action ${name} names no function`)
      return {
        packageName,
        name,
        folder: join(dirname(path), folder),
        runtime: runtime ?? 'nodejs:default',
        annotations: annotations ?? {},
        limits: { timeout: limits?.timeout, memory: limits?.memorySize, logs: limits?.logSize },
      }
    }),
  )
  if (specs.length === 0) throw bad('it describes no action')
  return specs
}

module.exports = { deploy }

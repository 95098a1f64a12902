'use strict'

/**
 * Puts what manifest.yaml describes on a platform, as wskdeploy does, and takes it away again. What is there already is left
 * alone, and keeps the memory, timeout and runtime that it was given; what is written is read and compared again before it is
 * repeated, so that a lost answer is no second version.
 */

const { join } = require('node:path')
const { XferError, getPath, openClient, parsePackageName, resolvePlatform } = require('../platform')
const { repeat } = require('../../../async')
const { readCaBundle } = require('../../../http')
const { boundAccess, differences, isAlias, isSealed, keptOf, storedRuntime, withChosen } = require('./compare')
const { readManifest } = require('./manifest')
const { fromCode, toCode } = require('./zip')

/** @typedef {import('./manifest').ActionSpec} ActionSpec */
/** @typedef {import('./compare').Chosen} Chosen */
/** @typedef {import('../platform/client').Client} Platform */

const MANIFEST = join(__dirname, '..', '..', '..', '..', 'manifest.yaml')
const RETRIES = 3
const ADVICE = 'Choose --package, --memory, --timeout and --runtime as the platform allows them.'

/**
 * @typedef {object} DeployOptions
 * @property {string} [manifest] a path; default the one that came with this xfer
 * @property {string} [apihost]
 * @property {string} [packageName] default the manifest's
 * @property {number} [memory] MB; default what the deployed action has, else the manifest's, as of the next two
 * @property {number} [timeout] seconds
 * @property {string} [runtime]
 * @property {string[]} [allowHosts] what functions may speak to, likewise: names, `*.` and the end of a name, addresses,
 *   ranges of addresses, `*`
 * @property {boolean} [allowMetadata] link-local and metadata addresses too, likewise
 * @property {string} [caBundle] a file of certificates that functions trust beside the usual ones, likewise; to reach the platform
 *   they are trusted too
 * @property {boolean} [reset] the manifest's are the default of all of them, whatever the deployed action has
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal]
 */

/** @typedef {import('../../../types').DeployedAction} Deployed */

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<{ apihost: string, actions: Deployed[] }>}
 * @throws {import('../../../types').XferError} USAGE, BAD_MANIFEST, NO_PLATFORM, and what a platform answers
 */
async function deploy(options = {}) {
  const asked = await askedFor(options)
  const { specs, apihost, platform } = await open(options)
  /** @param {ActionSpec} spec */
  const bring = spec => bringUp(spec, { asked, reset: options.reset, platform, signal: options.signal })
  try {
    const actions = []
    for (const spec of specs) actions.push(await bring(spec))
    return { apihost, actions }
  } finally {
    platform.close()
  }
}

/**
 * Takes the actions of the manifest away, and their packages where nothing else is left in them.
 *
 * @param {DeployOptions} [options]
 * @returns {Promise<{ apihost: string, actions: Deployed[], packages: Array<{ name: string, outcome: 'removed' | 'kept' | 'missing' }> }>}
 * @throws {import('../../../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  const { specs, apihost, platform } = await open(options)
  try {
    const actions = []
    const packages = []
    for (const spec of specs) actions.push(await takeDown(spec, platform, options.signal))
    for (const name of new Set(specs.map(spec => spec.packageName))) {
      packages.push(await takePackageDown(name, platform, options.signal))
    }
    return { apihost, actions, packages }
  } finally {
    platform.close()
  }
}

/** Everything that can be wrong without asking the platform is found here. @param {DeployOptions} options */
async function open({ apihost, caBundle, env = process.env, signal, manifest, packageName }) {
  const specs = await wantedActions(manifest, { packageName })
  const settings = await resolvePlatform({ apihost, caBundle }, env)
  if (!settings) throw new XferError('NO_PLATFORM', { neededBy: 'deploy' })
  const platform = openClient(settings, {
    action: specs.map(nameOf).join(', '),
    advice: ADVICE,
    neededBy: 'deploy',
    configures: true,
    signal,
  })
  return { specs, apihost: settings.apihost, platform }
}

/**
 * What the manifest describes, in the package that was asked for.
 *
 * @param {string} manifest
 * @param {{ packageName?: string }} [options]
 * @returns {Promise<ActionSpec[]>}
 * @throws {XferError} USAGE, BAD_MANIFEST
 */
async function wantedActions(manifest = MANIFEST, { packageName } = {}) {
  const renamed = packageName === undefined ? {} : { packageName: parsePackageName(packageName) }
  const specs = await readManifest(manifest)
  return specs.map(spec => ({ ...spec, ...renamed }))
}

/** @param {DeployOptions} options @returns {Promise<Chosen>} @throws {XferError} USAGE */
async function askedFor({ memory, timeout, runtime, caBundle, allowHosts, allowMetadata }) {
  return {
    ...(memory !== undefined && { memory }),
    ...(timeout !== undefined && { timeout: 1000 * timeout }),
    ...(runtime !== undefined && { runtime }),
    ...(caBundle !== undefined && { caBundle: Buffer.from(await readCaBundle(caBundle, '--ca-bundle')) }),
    ...(allowHosts !== undefined && { hosts: allowHosts }),
    ...(allowMetadata !== undefined && { metadata: allowMetadata }),
  }
}

/**
 * @param {ActionSpec} spec
 * @param {{ asked: Chosen, reset: boolean | undefined, platform: Platform, signal: AbortSignal | undefined }} how
 * @returns {Promise<Deployed>}
 */
async function bringUp(spec, { asked, reset, platform, signal }) {
  const name = nameOf(spec)
  /** What is being done, from the first write on: an answer may be lost after it was. @type {Pick<Deployed, 'outcome' | 'changes'> | undefined} */
  let begun
  return repeat(
    async () => {
      const found = await findAction(name, platform, true)
      const usual = { ...spec, runtime: await resolveRuntime(spec.runtime, platform) }
      const files = found && fromCode(found.exec?.code)
      const kept = reset ? {} : keptOf(usual, asked, found, files)
      const chosen = withChosen(spec, { ...asked, ...kept }, reset ? undefined : found)
      const wanted = { ...chosen, runtime: await resolveRuntime(chosen.runtime, platform) }
      const changes = found ? differences(wanted, found, files) : undefined
      if (changes?.length === 0) {
        return { name, version: found.version, ...(begun ?? { outcome: 'unchanged' }), ...toldOf(kept) }
      }
      begun ??= changes ? { outcome: 'updated', changes } : { outcome: 'created' }
      if (!found) await ensurePackage(spec.packageName, platform)
      const stored = await platform.ask((npm, transport) =>
        npm.actions.update({ name, action: bodyOf(chosen, found, changes), ...transport }),
      )
      return { name, version: checked(stored, platform).version, ...begun, ...toldOf(kept) }
    },
    { retries: RETRIES, signal },
  )
}

/** @param {Chosen} kept @returns {Pick<Deployed, 'kept'>} in the units of the options; nothing where nothing was kept */
function toldOf({ timeout, caBundle, ...kept }) {
  const told = {
    ...kept,
    ...(timeout !== undefined && { timeout: timeout / 1000 }),
    ...(caBundle && { caBundle: /** @type {const} */ (true) }),
  }
  return Object.keys(told).length > 0 ? { kept: told } : {}
}

/** @param {ActionSpec} spec @param {Platform} platform @param {AbortSignal | undefined} signal @returns {Promise<Deployed>} */
async function takeDown(spec, platform, signal) {
  const name = nameOf(spec)
  /** @type {Deployed} */
  let removed = { name, outcome: 'missing' }
  return repeat(
    async () => {
      const found = await findAction(name, platform, false)
      if (!found) return removed
      removed = { name, outcome: 'removed', version: found.version }
      await platform.find((npm, transport) => npm.actions.delete({ name, ...transport }))
      return removed
    },
    { retries: RETRIES, signal },
  )
}

/** @param {string} name @param {Platform} platform @param {AbortSignal | undefined} signal */
async function takePackageDown(name, platform, signal) {
  /** @type {{ name: string, outcome: 'removed' | 'kept' | 'missing' }} */
  let removed = { name, outcome: 'missing' }
  return repeat(
    async () => {
      const found = await platform.find((npm, transport) => npm.packages.get({ name, ...transport }))
      if (!found) return removed
      if (found.actions?.length || found.feeds?.length) return /** @type {typeof removed} */ ({ name, outcome: 'kept' })
      removed = { name, outcome: 'removed' }
      // The platform itself refuses to remove a package to which something came meanwhile: then it is looked at again.
      await platform.find((npm, transport) => npm.packages.delete({ name, ...transport }))
      return removed
    },
    { retries: RETRIES, signal },
  )
}

/** @param {string} name @param {Platform} platform @param {boolean} code whether to fetch it @returns {Promise<any>} undefined where there is none */
async function findAction(name, platform, code) {
  const found = await platform.find((npm, transport) => npm.actions.get({ name, code, ...transport }))
  return found === undefined ? undefined : checked(found, platform)
}

/** Packages are never overwritten: somebody may keep parameters there. @param {string} name @param {Platform} platform */
async function ensurePackage(name, platform) {
  if (await platform.find((npm, transport) => npm.packages.get({ name, ...transport }))) return
  await platform.ask((npm, transport) => npm.packages.update({ name, package: {}, ...transport }))
}

/** @param {string} runtime @param {Platform} platform */
async function resolveRuntime(runtime, platform) {
  if (!isAlias(runtime)) return runtime
  // The platform's root is two above where its paths begin.
  const info = await platform.find(getPath('../../'))
  return storedRuntime(runtime, info)
}

/** What answers may be no platform at all. @param {any} document @param {Platform} platform */
function checked(document, platform) {
  if (typeof document?.name === 'string' && typeof document.version === 'string') return document
  throw new XferError('NOT_A_PLATFORM', {
    ...platform.facts,
    reason: 'it answers with something else than an action',
  })
}

/**
 * The body of `PUT namespaces/_/actions/P/A`. Annotations are merged with those that are there; parameters would replace
 * them, so that what somebody else has bound is said again.
 *
 * @param {ActionSpec} spec
 * @param {any} found what is there
 * @param {string[]} [changes] of it
 */
function bodyOf({ runtime, files, annotations, parameters, limits }, found, changes) {
  const bound = changes === undefined || Object.keys(parameters).some(key => changes.includes(key))
  const others = (found?.parameters ?? []).filter((/** @type {any} */ { key }) => !Object.hasOwn(parameters, key))
  return {
    ...(bound && { parameters: [...others, ...pairsOf(parameters)] }),
    exec: { kind: runtime, code: toCode(files), binary: true, main: 'main' },
    annotations: pairsOf(annotations),
    limits,
  }
}

/** @param {Record<string, unknown>} values */
function pairsOf(values) {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}

/** @param {ActionSpec} spec */
function nameOf({ packageName, name }) {
  return `${packageName}/${name}`
}

module.exports = { boundAccess, deploy, differences, fromCode, isSealed, keptOf, undeploy, wantedActions, withChosen }

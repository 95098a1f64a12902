'use strict'

/**
 * Deploys the actions of manifest.yaml, as wskdeploy does, and undeploys them. An action that is up to date is not written, and
 * keeps the memory, timeout and runtime that it was given. Before a retry the action is read and compared again, so that a
 * lost answer does not create a second version.
 */

const { readFile } = require('node:fs/promises')
const { join, dirname } = require('node:path')
const { parse } = require('yaml')
const { asXferError } = require('../../errors')
const { readBundle, readFolder, zipFiles } = require('../archive')
const { bring, takeAway } = require('../common')
const { differences, fromCode, keptOf, withChosen } = require('./compare')
const { XferError, failure } = require('./errors')
const { ifThere, openResources } = require('./resources')
const { resolvePlatform } = require('./settings')

/** @typedef {import('./compare').Chosen} Chosen */
/** @typedef {import('./resources').OpenWhiskResources} Platform */

const MANIFEST = join(__dirname, '..', '..', '..', 'manifest.yaml')
/** The oldest Node.js that the action runs on. */
const OLDEST_NODE = 18
const WHEN_REFUSED = 'Choose --memory, --timeout and --runtime as the platform allows them.'

/**
 * @typedef {object} OpenWhiskDeployOptions
 * @property {string} [manifest] a path; default: the manifest of this xfer
 * @property {string} [apihost]
 * @property {number} [memory] bytes, whole MiB; default: the deployed action's, else the manifest's (also for the following options)
 * @property {number} [timeout] seconds
 * @property {string} [runtime]
 * @property {string[]} [allowHosts] hosts that functions may connect to: names, `*.` and the end of a name, addresses,
 *   ranges of addresses, `*`
 * @property {boolean} [allowMetadata] whether link-local and metadata addresses are allowed too
 * @property {string} [caBundle] a file of certificates that functions trust in addition to the usual ones; also trusted for
 *   the connection to the platform
 * @property {boolean} [reset] the defaults of all these options are the manifest's, not the deployed action's
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal]
 */

/** @typedef {import('../../types').DeployedAction} Deployed */

/**
 * @param {OpenWhiskDeployOptions} [options]
 * @returns {Promise<{ apihost: string, actions: Deployed[] }>}
 * @throws {import('../../types').XferError} USAGE, NO_PLATFORM, errors of the platform
 */
async function deploy(options = {}) {
  const asked = await readChosen(options)
  const { specs, apihost, platform } = await open(options)
  try {
    const actions = []
    for (const spec of specs) actions.push(await deployAction(spec, asked, platform, options))
    return { apihost, actions }
  } finally {
    platform.close()
  }
}

/**
 * Deletes the actions of the manifest, and their packages if these are empty then.
 *
 * @param {OpenWhiskDeployOptions} [options]
 * @returns {Promise<{ apihost: string, actions: Deployed[], packages: Array<{ name: string, outcome: 'removed' | 'kept' | 'missing' }> }>}
 * @throws {import('../../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  const { specs, apihost, platform } = await open(options, 'undeploy')
  try {
    const actions = []
    const packages = []
    for (const spec of specs) actions.push(await remove('actions', nameOf(spec), platform, options.signal))
    for (const name of new Set(specs.map(spec => spec.packageName))) {
      packages.push(await remove('packages', name, platform, options.signal))
    }
    return { apihost, actions, packages }
  } finally {
    platform.close()
  }
}

/** Checks everything that can be checked without the platform, and opens its client. @param {OpenWhiskDeployOptions} options @param {string} [neededBy] for errors */
async function open(options, neededBy) {
  const specs = await readManifest(options.manifest ?? MANIFEST)
  return { specs, ...(await openPlatform(options, specs.map(nameOf).join(', '), neededBy)) }
}

/** @param {OpenWhiskDeployOptions} options @param {string} action for errors @param {string} [neededBy] for errors @throws {XferError} USAGE, NO_PLATFORM */
async function openPlatform({ apihost, caBundle, env = process.env, signal }, action, neededBy = 'deploy') {
  const settings = await resolvePlatform({ apihost, caBundle }, env)
  if (!settings) throw failure('NO_PLATFORM', { what: 'OpenWhisk platform', neededBy })
  const platform = openResources(settings, {
    action,
    whenRefused: WHEN_REFUSED,
    neededBy,
    signal,
  })
  return { apihost: settings.apihost, platform }
}

/** @returns {Promise<ActionSpec[]>} the actions of xfer's own manifest */
const wantedActions = () => readManifest(MANIFEST)

/** @param {OpenWhiskDeployOptions} options @returns {Promise<Chosen>} @throws {XferError} USAGE */
async function readChosen({ memory, timeout, runtime, caBundle, allowHosts, allowMetadata }) {
  return {
    // The platform counts memory in MiB, which it calls MB.
    memory: memory && memory / 1024 ** 2,
    timeout,
    runtime,
    hosts: allowHosts,
    metadata: allowMetadata,
    caBundle: await readBundle(caBundle),
  }
}

/** @param {ActionSpec} spec @param {Chosen} asked @param {Platform} platform @param {OpenWhiskDeployOptions} options @returns {Promise<Deployed>} */
async function deployAction(spec, asked, platform, { reset, signal }) {
  const name = nameOf(spec)
  /** Asked once. @type {ReturnType<typeof offeredBy> | undefined} */
  let offered
  const { wanted, stored, ...outcome } = await bring(
    {
      async read() {
        const found = await ifThere(platform.actions.get({ name, code: true }))
        return found && { document: checked(found, platform), files: fromCode(found.exec?.code) }
      },
      async wanted(found) {
        const { document, files } = found ?? {}
        offered ??= offeredBy(platform)
        const usual = { ...spec, runtime: runtimeOf({ wanted: spec.runtime, chosen: false }, await offered) }
        const kept = reset ? {} : keptOf(usual, asked, document, files)
        const chosen = withChosen(usual, { ...asked, ...kept }, reset ? undefined : document)
        const runtime = runtimeOf({ wanted: chosen.runtime, chosen: asked.runtime !== undefined }, await offered)
        return { spec: { ...chosen, runtime }, kept }
      },
      differences: ({ spec: wanted }, { document, files }) => differences(wanted, document, files),
      async write({ spec: wanted }, found, changes) {
        // An existing package is never written, because the user may have bound parameters to it.
        if (!found && !(await ifThere(platform.packages.get(spec.packageName)))) {
          await platform.packages.update(spec.packageName)
        }
        const values = valuesOf(wanted, found?.document, found && changes)
        return { document: checked(await platform.actions.update({ name, ...values }), platform) }
      },
    },
    signal,
  )
  return { name, version: stored.document.version, ...outcome, ...keptFields(wanted.kept) }
}

/** @param {Chosen} kept @returns {Pick<Deployed, 'kept'>} in the units of the options; {} if nothing was kept */
function keptFields({ timeout, caBundle, ...kept }) {
  const fields = {
    ...kept,
    ...(timeout !== undefined && { timeout: timeout / 1000 }),
    ...(caBundle && { caBundle: /** @type {const} */ (true) }),
  }
  return Object.keys(fields).length > 0 ? { kept: fields } : {}
}

/**
 * Deletes an action, or a package that has nothing in it.
 *
 * @param {'actions' | 'packages'} kind
 * @param {string} name
 * @param {Platform} platform
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<any>} what became of it
 */
async function remove(kind, name, platform, signal) {
  const { outcome, found } = await takeAway(
    {
      read: () => ifThere(platform[kind].get({ name, code: false })),
      isKept: ({ actions, feeds }) => actions?.length > 0 || feeds?.length > 0,
      // What is no action of a platform is not deleted.
      async remove(document) {
        if (kind === 'actions') checked(document, platform)
        await ifThere(platform[kind].delete(name))
      },
    },
    signal,
  )
  return { name, outcome, ...(found && kind === 'actions' && { version: found.version }) }
}

/** What the root of the platform tells; that of a hosted one may be refused. @param {Platform} platform @returns {Promise<any>} */
async function rootOf(platform) {
  // It is two levels above the base of our paths.
  return await ifThere(platform.ask({ path: '../../' })).catch(error => {
    if (error.facts?.status === undefined) throw error
  })
}

/**
 * What the platform's root tells of its runtimes; hosted platforms may not.
 *
 * @param {Platform} platform
 * @returns {Promise<Array<{ kind: string, default?: boolean, deprecated?: boolean }> | undefined>} those of Node.js
 */
async function offeredBy(platform) {
  const kinds = (await rootOf(platform))?.runtimes?.nodejs
  if (!Array.isArray(kinds)) return undefined
  return kinds.filter(each => typeof each?.kind === 'string')
}

/** The version that a kind is of, such as 20 of `nodejs:20`; 0: it has none. @param {string} kind */
const versionOf = kind => Number(/^nodejs:(\d+)/.exec(kind)?.[1] ?? 0)

/**
 * The runtime to take: one that was chosen has to be there; else that of the manifest, or the newest that can run the action.
 *
 * @param {{ wanted: string, chosen: boolean }} runtime wanted: may be an alias, `nodejs:default` or `nodejs`
 * @param {Awaited<ReturnType<typeof offeredBy>>} offered
 * @returns {string}
 * @throws {XferError} USAGE
 */
function runtimeOf({ wanted, chosen }, offered) {
  if (!offered || !/^nodejs(?::|$)/.test(wanted)) return wanted
  if (/^nodejs(?::default)?$/.test(wanted)) return offered.find(each => each.default === true)?.kind ?? wanted
  if (offered.some(({ kind }) => kind === wanted)) return wanted
  const fit = offered.filter(({ kind, deprecated }) => versionOf(kind) >= OLDEST_NODE && !deprecated)
  const [newest] = fit.sort((one, other) => versionOf(other.kind) - versionOf(one.kind))
  if (!chosen && newest) return newest.kind
  const names = offered.map(({ kind }) => kind).join(', ') || 'none of Node.js'
  const text = `The platform has no runtime ${wanted}; it offers ${names}.`
  throw new XferError('USAGE', { text, advice: `Name one of Node.js ${OLDEST_NODE} or later with --runtime.` })
}

/** Checks that the answer is an action: the server may not be a platform. @param {any} document @param {Platform} platform */
function checked(document, platform) {
  if (typeof document?.name === 'string' && typeof document.version === 'string') return document
  throw failure('NOT_A_PLATFORM', {
    ...platform.facts,
    reason: 'it answers with something else than an action',
  })
}

/**
 * What an update sets. The platform merges annotations with the existing ones, but replaces all parameters. So it repeats those
 * that the user has bound, as they are: `params` of the platform's client would lose whether one is encrypted.
 *
 * @param {ActionSpec} spec
 * @param {any} found the deployed action
 * @param {string[]} [changes] of `differences`
 */
function valuesOf({ runtime, files, annotations, parameters, limits }, found, changes) {
  const bound = changes === undefined || Object.keys(parameters).some(key => changes.includes(key))
  const others = (found?.parameters ?? []).filter((/** @type {any} */ { key }) => !Object.hasOwn(parameters, key))
  const ours = Object.entries(parameters).map(([key, value]) => ({ key, value }))
  const exec = { kind: runtime, code: Buffer.from(zipFiles(files)).toString('base64'), binary: true, main: 'main' }
  return { annotations, action: { ...(bound && { parameters: [...others, ...ours] }), exec, limits } }
}

/** @param {ActionSpec} spec */
function nameOf({ packageName, name }) {
  return `${packageName}/${name}`
}

/**
 * The part of wskdeploy's manifest that xfer uses: `packages.<p>.actions.<a>` with `function` (a folder), `runtime`,
 * `inputs`, `limits` and `annotations`. https://github.com/apache/openwhisk-wskdeploy/blob/master/specification/README.md
 */

/**
 * @typedef {object} ActionSpec
 * @property {string} packageName
 * @property {string} name
 * @property {string} runtime
 * @property {Record<string, unknown>} annotations
 * @property {Record<string, unknown>} parameters bound to the action
 * @property {{ timeout?: number, memory?: number, logs?: number, concurrency?: number }} limits milliseconds, MB, MB, activations
 *   that may share a container
 * @property {import('../archive').ArchivedFiles} files
 */

/**
 * @param {string} path
 * @returns {Promise<ActionSpec[]>} at least one
 * @throws {XferError} USAGE
 */
async function readManifest(path) {
  /** @param {string} reason @param {unknown} [cause] */
  const bad = (reason, cause) => {
    const text = `The manifest ${path} cannot be used: ${reason}.`
    return new XferError('USAGE', { text, advice: 'Use the manifest.yaml that came with this xfer.' }, { cause })
  }
  /** @type {any} */
  let document
  try {
    document = parse(await readFile(path, 'utf8'))
  } catch (error) {
    // The first line of a YAML error gives its position; the following lines quote the file.
    throw bad(asXferError(error).facts.reason.split('\n')[0].replace(/[:.]$/, ''), error)
  }
  const described = Object.entries(document?.packages ?? {}).flatMap(([packageName, content]) =>
    Object.entries(/** @type {any} */ (content)?.actions ?? {}).map(entry => ({ packageName, entry })),
  )
  if (described.length === 0) throw bad('it describes no action')
  return Promise.all(described.map(readAction))

  /** @param {{ packageName: string, entry: [name: string, action: any] }} described @returns {Promise<ActionSpec>} */
  async function readAction({ packageName, entry: [name, action] }) {
    const { function: named, runtime = 'nodejs:default', annotations, inputs, limits } = action ?? {}
    if (typeof named !== 'string') throw bad(`the action ${name} names no function`)
    // Of three names the platform's client takes the first one for a namespace.
    if (/\//.test(packageName + name)) throw bad(`the name ${packageName}/${name} has more than one slash`)
    const folder = join(dirname(path), named)
    const files = await readFolder(folder).catch(cause => {
      throw bad(`the folder ${folder} of the action ${name} cannot be read (${cause.code})`, cause)
    })
    return {
      packageName,
      name,
      files,
      runtime,
      annotations: annotations ?? {},
      parameters: Object.fromEntries(Object.entries(inputs ?? {}).map(([key, input]) => [key, inputValue(input)])),
      limits: {
        timeout: limits?.timeout,
        memory: limits?.memorySize,
        logs: limits?.logSize,
        concurrency: limits?.concurrentActivations,
      },
    }
  }
}

/** The value of an input, which is the value itself, or an object with `value` and `type`. @param {any} input */
function inputValue(input) {
  return input?.value === undefined ? input : input.value
}

module.exports = { deploy, deployAction, openPlatform, readChosen, remove, rootOf, undeploy, wantedActions }

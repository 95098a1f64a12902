'use strict'

/**
 * What of a deployed action is another one than it should be. Every overwrite makes a platform start new containers, so what is
 * equal is left alone; a zip is equal when its files are, whoever zipped them.
 */

const { isDeepStrictEqual } = require('node:util')
const { misunderstoodAccess } = require('../../../../actions/copy-range/access')
const { BUNDLE } = require('../../../../actions/copy-range/net')

/** @typedef {import('./manifest').ActionSpec} ActionSpec */
/** @typedef {import('./zip').Files} Files */
/** @typedef {import('../../../types').Access} Access */
/** What an option can choose: MB, milliseconds, certificates to trust.
 * @typedef {{ memory?: number, timeout?: number, runtime?: string, caBundle?: Uint8Array } & Access} Chosen */

/** The parameter that says what functions may speak to. */
const ACCESS = 'access'

/**
 * @param {ActionSpec} wanted its runtime is one that platforms store: no `:default`
 * @param {any} found the platform's document of the action, with its code
 * @param {Files | undefined} foundFiles what its code holds; undefined where it is no zip
 * @returns {string[]} of `code`, `ca-bundle`, `runtime`, `timeout`, `memory`, `logs` and the names of parameters and annotations; empty where
 *   all is equal
 */
function differences(wanted, found, foundFiles) {
  const limits = Object.entries(wanted.limits).filter(
    ([name, value]) => value !== undefined && found.limits?.[name] !== value,
  )
  return [
    ...(sameFiles(codeOf(wanted.files), foundFiles && codeOf(foundFiles)) && (found.exec?.main ?? 'main') === 'main'
      ? []
      : ['code']),
    ...(sameFile(wanted.files[BUNDLE], foundFiles?.[BUNDLE]) ? [] : ['ca-bundle']),
    ...(found.exec?.kind === wanted.runtime ? [] : ['runtime']),
    ...limits.map(([name]) => name),
    ...unequal(wanted.parameters, found.parameters),
    ...unequal(wanted.annotations, found.annotations),
  ]
}

/** @param {Record<string, unknown>} wanted @param {any} found pairs as a platform lists them @returns {string[]} their keys */
function unequal(wanted, found) {
  const stored = new Map((found ?? []).map((/** @type {any} */ { key, value }) => [key, value]))
  return Object.keys(wanted).filter(key => !stored.has(key) || !isDeepStrictEqual(stored.get(key), wanted[key]))
}

/**
 * What of a deployed action stays as it is: what nobody asks for, and the manifest has otherwise.
 *
 * @param {ActionSpec} spec the manifest's; its runtime is one that platforms store
 * @param {Chosen} asked
 * @param {any} found the platform's document of the action; undefined where there is none
 * @param {Files | undefined} foundFiles what its code holds
 * @returns {Chosen}
 */
function keptOf(spec, asked, found, foundFiles) {
  const { memory, timeout } = found?.limits ?? {}
  const kind = found?.exec?.kind
  // What is of another language cannot run our code.
  const ours = typeof kind === 'string' && kind.split(':')[0] === spec.runtime.split(':')[0]
  const bundle = foundFiles?.[BUNDLE]
  const usual = accessOf(spec)
  const { hosts = usual.hosts, metadata = usual.metadata } = boundAccess(found) ?? {}
  return {
    ...(memory > 0 && memory !== spec.limits.memory && asked.memory === undefined && { memory }),
    ...(timeout > 0 && timeout !== spec.limits.timeout && asked.timeout === undefined && { timeout }),
    ...(ours && kind !== spec.runtime && asked.runtime === undefined && { runtime: kind }),
    ...(bundle && !Object.hasOwn(spec.files, BUNDLE) && asked.caBundle === undefined && { caBundle: bundle }),
    ...(!isDeepStrictEqual(hosts, usual.hosts) && asked.hosts === undefined && { hosts }),
    ...(metadata !== usual.metadata && asked.metadata === undefined && { metadata }),
  }
}

/**
 * @param {ActionSpec} spec
 * @param {Chosen} chosen
 * @param {any} found the action of which something may stay; undefined where nothing is to
 * @returns {ActionSpec}
 */
function withChosen(spec, { runtime = spec.runtime, hosts, metadata, caBundle, ...limits }, found) {
  const { [ACCESS]: usual, ...others } = spec.parameters
  const access = { ...accessOf(spec), ...(hosts && { hosts }), ...(metadata !== undefined && { metadata }) }
  const asked = hosts !== undefined || metadata !== undefined
  // What cannot be read cannot be kept but by leaving it alone.
  const left = !asked && (usual === undefined || isSealed(found))
  const parameters = { ...others, ...(!left && { [ACCESS]: access }) }
  const files = caBundle ? { ...spec.files, [BUNDLE]: caBundle } : spec.files
  return { ...spec, runtime, files, parameters, limits: { ...spec.limits, ...limits } }
}

/** @param {ActionSpec} spec @returns {Access} */
function accessOf({ parameters }) {
  return /** @type {Access} */ (parameters[ACCESS] ?? {})
}

/**
 * What a deployed action may speak to.
 *
 * @param {any} found the platform's document of the action
 * @returns {Access | undefined} undefined where nothing is bound, or nothing that can be understood
 */
function boundAccess(found) {
  const bound = parameterOf(found)?.value
  return misunderstoodAccess(bound) === undefined ? bound : undefined
}

/** Whether the platform keeps its parameters encrypted, and shows them so. @param {any} found */
function isSealed(found) {
  return typeof parameterOf(found)?.encryption === 'string'
}

/** @param {any} found */
function parameterOf(found) {
  return found?.parameters?.find((/** @type {any} */ { key }) => key === ACCESS)
}

/** @param {Files} wanted @param {Files | undefined} found */
function sameFiles(wanted, found) {
  if (found === undefined) return false
  const names = Object.keys(wanted)
  return (
    names.length === Object.keys(found).length &&
    names.every(name => Object.hasOwn(found, name) && sameFile(wanted[name], found[name]))
  )
}

/** @param {Uint8Array | undefined} one @param {Uint8Array | undefined} other */
function sameFile(one, other) {
  return one === other || (one !== undefined && other !== undefined && Buffer.compare(one, other) === 0)
}

/** What is ours, without the certificates that were put beside it. @param {Files} files @returns {Files} */
function codeOf({ [BUNDLE]: _, ...files }) {
  return files
}

/** Whether a runtime leaves its version to the platform: `nodejs:default` or `nodejs`. @param {string} runtime */
function isAlias(runtime) {
  return /^[^:]+(:default)?$/.test(runtime)
}

/**
 * The runtime that a platform makes of an alias.
 *
 * @param {string} runtime
 * @param {any} info what the platform says of itself at its root
 * @returns {string} itself where the platform does not tell
 */
function storedRuntime(runtime, info) {
  const kinds = info?.runtimes?.[runtime.split(':')[0]]
  const found = Array.isArray(kinds) ? kinds.find(kind => kind?.default === true)?.kind : undefined
  return typeof found === 'string' ? found : runtime
}

module.exports = { boundAccess, differences, isAlias, isSealed, keptOf, storedRuntime, withChosen }

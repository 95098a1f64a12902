'use strict'

/**
 * Compares a deployed action with the wanted one. Every update makes the platform start new containers, so an equal action is
 * not updated. Two zips are equal if their files are.
 */

const { isDeepStrictEqual } = require('node:util')
const { accessError } = require('../../../actions/copy-range/address-guard')
const { BUNDLE } = require('../../../actions/copy-range/net')
const { unzipFiles } = require('../archive')

/** @typedef {import('./deploy').ActionSpec} ActionSpec */
/** @typedef {import('../archive').ArchivedFiles} ArchivedFiles */
/** @typedef {import('../../types').Access} Access */
/** Values that options set: MB, milliseconds, certificates to trust.
 * @typedef {{ memory?: number, timeout?: number, runtime?: string, caBundle?: Uint8Array } & Access} Chosen */

/** The parameter with the hosts that functions may connect to. */
const ACCESS = 'access'

/**
 * @param {ActionSpec} wanted its runtime is one that platforms store: no `:default`
 * @param {any} found the platform's description of the action, with its code
 * @param {ArchivedFiles | undefined} foundFiles files of its code; undefined if it is not a zip
 * @returns {string[]} of `code`, `ca-bundle`, `runtime`, `timeout`, `memory`, `logs`, `concurrency` and the names of parameters and annotations; empty if
 *   all are equal
 */
function differences(wanted, found, foundFiles) {
  // Old platforms have no limits.concurrency: a container has one activation at a time.
  const foundLimits = { concurrency: wanted.limits.concurrency, ...found.limits }
  const limits = Object.entries(wanted.limits).filter(
    ([name, value]) => value !== undefined && foundLimits[name] !== value,
  )
  return [
    ...(foundFiles && sameFiles(codeOf(wanted.files), codeOf(foundFiles)) && (found.exec?.main ?? 'main') === 'main'
      ? []
      : ['code']),
    ...(sameFile(wanted.files[BUNDLE], foundFiles?.[BUNDLE]) ? [] : ['ca-bundle']),
    ...(found.exec?.kind === wanted.runtime ? [] : ['runtime']),
    ...limits.map(([name]) => name),
    ...unequal(wanted.parameters, found.parameters),
    ...unequal(wanted.annotations, found.annotations),
  ]
}

/** @param {Record<string, unknown>} wanted @param {any} found pairs, as the platform lists them @returns {string[]} their keys */
function unequal(wanted, found) {
  const stored = new Map((found ?? []).map((/** @type {any} */ { key, value }) => [key, value]))
  return Object.keys(wanted).filter(key => !stored.has(key) || !isDeepStrictEqual(stored.get(key), wanted[key]))
}

/**
 * The settings of a deployed action to keep: those that differ from the manifest and are not set by options.
 *
 * @param {ActionSpec} spec the manifest's; its runtime is one that platforms store
 * @param {Chosen} asked
 * @param {any} found the platform's description of the action; undefined if there is none
 * @param {ArchivedFiles | undefined} foundFiles files of its code
 * @returns {Chosen}
 */
function keptOf(spec, asked, found, foundFiles) {
  const { memory, timeout } = found?.limits ?? {}
  const kind = found?.exec?.kind
  // A runtime of another language cannot run our code.
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
 * @param {any} found the action whose settings may be kept; undefined to keep nothing
 * @returns {ActionSpec}
 */
function withChosen(spec, { runtime = spec.runtime, hosts, metadata, caBundle, memory, timeout }, found) {
  const { [ACCESS]: usual, ...others } = spec.parameters
  const access = { ...accessOf(spec), ...(hosts && { hosts }), ...(metadata !== undefined && { metadata }) }
  const asked = hosts !== undefined || metadata !== undefined
  // A parameter that cannot be read is kept by not writing it.
  const left = !asked && (usual === undefined || isSealed(found))
  const parameters = { ...others, ...(!left && { [ACCESS]: access }) }
  const files = caBundle ? { ...spec.files, [BUNDLE]: caBundle } : spec.files
  const limits = { ...spec.limits, memory: memory ?? spec.limits.memory, timeout: timeout ?? spec.limits.timeout }
  return { ...spec, runtime, files, parameters, limits }
}

/** @param {ActionSpec} spec @returns {Access} */
function accessOf({ parameters }) {
  return /** @type {Access} */ (parameters[ACCESS] ?? {})
}

/**
 * The hosts that a deployed action may connect to.
 *
 * @param {any} found the platform's description of the action
 * @returns {Access | undefined} undefined if no valid value is bound
 */
function boundAccess(found) {
  const bound = parameterOf(found)?.value
  return accessError(bound) === undefined ? bound : undefined
}

/** Whether the platform shows the parameter only encrypted. @param {any} found */
function isSealed(found) {
  return typeof parameterOf(found)?.encryption === 'string'
}

/** @param {any} found */
function parameterOf(found) {
  return found?.parameters?.find((/** @type {any} */ { key }) => key === ACCESS)
}

/** @param {ArchivedFiles} wanted @param {ArchivedFiles} found */
function sameFiles(wanted, found) {
  return Object.keys({ ...wanted, ...found }).every(name => sameFile(wanted[name], found[name]))
}

/** @param {Uint8Array | undefined} one @param {Uint8Array | undefined} other */
function sameFile(one, other) {
  return one === other || (one !== undefined && other !== undefined && Buffer.compare(one, other) === 0)
}

/** The files of our code, without the added certificates. @param {ArchivedFiles} files @returns {ArchivedFiles} */
function codeOf({ [BUNDLE]: _, ...files }) {
  return files
}

/**
 * @param {unknown} code of an action, as the platform stores it
 * @returns {ArchivedFiles | undefined} undefined if it is not a zip: an action may be a plain source file
 */
function fromCode(code) {
  return typeof code === 'string' ? unzipFiles(Buffer.from(code, 'base64')) : undefined
}

module.exports = { boundAccess, differences, fromCode, isSealed, keptOf, withChosen }

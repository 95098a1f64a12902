'use strict'

/**
 * What of a deployed action is another one than it should be. Every overwrite makes a platform start new containers, so what is
 * equal is left alone; a zip is equal when its files are, whoever zipped them.
 */

const { isDeepStrictEqual } = require('node:util')

/** @typedef {import('./manifest').ActionSpec} ActionSpec */
/** @typedef {import('./zip').Files} Files */
/** What an option can choose: MB, milliseconds. @typedef {{ memory?: number, timeout?: number, runtime?: string }} Chosen */

/**
 * @param {ActionSpec} wanted its runtime is one that platforms store: no `:default`
 * @param {any} found the platform's document of the action, with its code
 * @param {Files | undefined} foundFiles what its code holds; undefined where it is no zip
 * @returns {string[]} of `code`, `runtime`, `timeout`, `memory`, `logs` and the names of annotations; empty where all is equal
 */
function differences(wanted, found, foundFiles) {
  const limits = Object.entries(wanted.limits).filter(
    ([name, value]) => value !== undefined && found.limits?.[name] !== value,
  )
  const stored = new Map((found.annotations ?? []).map((/** @type {any} */ { key, value }) => [key, value]))
  const annotations = Object.entries(wanted.annotations).filter(
    ([key, value]) => !stored.has(key) || !isDeepStrictEqual(stored.get(key), value),
  )
  return [
    ...(sameFiles(wanted.files, foundFiles) && (found.exec?.main ?? 'main') === 'main' ? [] : ['code']),
    ...(found.exec?.kind === wanted.runtime ? [] : ['runtime']),
    ...limits.map(([name]) => name),
    ...annotations.map(([key]) => key),
  ]
}

/**
 * What of a deployed action stays as it is: what nobody asks for, and the manifest has otherwise.
 *
 * @param {ActionSpec} spec the manifest's; its runtime is one that platforms store
 * @param {Chosen} asked
 * @param {any} found the platform's document of the action; undefined where there is none
 * @returns {Chosen}
 */
function keptOf(spec, asked, found) {
  const { memory, timeout } = found?.limits ?? {}
  const kind = found?.exec?.kind
  // What is of another language cannot run our code.
  const ours = typeof kind === 'string' && kind.split(':')[0] === spec.runtime.split(':')[0]
  return {
    ...(memory > 0 && memory !== spec.limits.memory && asked.memory === undefined && { memory }),
    ...(timeout > 0 && timeout !== spec.limits.timeout && asked.timeout === undefined && { timeout }),
    ...(ours && kind !== spec.runtime && asked.runtime === undefined && { runtime: kind }),
  }
}

/** @param {ActionSpec} spec @param {Chosen} chosen @returns {ActionSpec} */
function withChosen(spec, { runtime = spec.runtime, ...limits }) {
  return { ...spec, runtime, limits: { ...spec.limits, ...limits } }
}

/** @param {Files} wanted @param {Files | undefined} found */
function sameFiles(wanted, found) {
  if (found === undefined) return false
  const names = Object.keys(wanted)
  return (
    names.length === Object.keys(found).length &&
    names.every(name => Object.hasOwn(found, name) && Buffer.compare(wanted[name], found[name]) === 0)
  )
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

module.exports = { differences, isAlias, keptOf, storedRuntime, withChosen }

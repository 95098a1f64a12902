'use strict'

const fs = require('node:fs')
const { ApiFailure, messages } = require('./errors')

/** @import { Action, KeyValue, Package } from './types' */

/** @param {string | undefined} packageName @param {string} name */
const keyOf = (packageName, name) => (packageName ? `${packageName}/${name}` : name)

/**
 * The packages and actions of the one namespace, in memory.
 *
 * @param {{ file?: string }} [options] file: where they are also stored, and loaded from by a platform that starts later
 */
function createEntities({ file } = {}) {
  const kept = file !== undefined && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
  /** @type {Map<string, Package>} */
  const packages = new Map(kept.packages)
  /** @type {Map<string, Action>} */
  const actions = new Map(kept.actions)
  /** @type {number} */
  let revisions = kept.revisions ?? 0

  /** Writes the file completely and atomically. @template T @param {T} result @returns {T} the same */
  function save(result) {
    if (file === undefined) return result
    fs.writeFileSync(`${file}.new`, JSON.stringify({ packages: [...packages], actions: [...actions], revisions }))
    fs.renameSync(`${file}.new`, file)
    return result
  }

  return {
    /** @param {string} name @returns {Package | undefined} */
    findPackage: name => packages.get(name),

    /** @param {string} name @returns {Package} @throws {ApiFailure} 404, or 409 for an action of that name */
    getPackage(name) {
      const found = packages.get(name)
      if (found) return found
      if (actions.has(name)) throw new ApiFailure(409, messages.otherCollection)
      throw new ApiFailure(404, messages.noSuchResource)
    },

    /** @param {Package} stored */
    putPackage: stored => save(packages.set(stored.name, stored)),

    /** @param {string} name */
    deletePackage: name => save(packages.delete(name)),

    /** @param {string | undefined} packageName @param {string} name @returns {Action | undefined} */
    findAction: (packageName, name) => actions.get(keyOf(packageName, name)),

    /**
     * @param {string | undefined} packageName
     * @param {string} name
     * @returns {Action}
     * @throws {ApiFailure} 404, or 409 for a package of that name
     */
    getAction(packageName, name) {
      const found = actions.get(keyOf(packageName, name))
      if (found) return found
      if (!packageName && packages.has(name)) throw new ApiFailure(409, messages.otherCollection)
      throw new ApiFailure(404, messages.noSuchResource)
    },

    /** @param {Omit<Action, 'revision'>} written @returns {Action} */
    putAction(written) {
      revisions += 1
      const stored = { ...written, revision: revisions }
      actions.set(keyOf(written.package, written.name), stored)
      return save(stored)
    },

    /** @param {string | undefined} packageName @param {string} name */
    deleteAction: (packageName, name) => save(actions.delete(keyOf(packageName, name))),

    /** @param {string} packageName */
    listActions: packageName => [...actions.values()].filter(action => action.package === packageName),
  }
}

/** `0.0.1` at first, then the last number plus one. @param {string | undefined} current @returns {string} */
function nextVersion(current) {
  if (current === undefined) return '0.0.1'
  const [major, minor, patch] = current.split('.').map(Number)
  return `${major}.${minor}.${patch + 1}`
}

/**
 * @param {unknown} given
 * @param {string} field
 * @returns {KeyValue[] | undefined}
 * @throws {ApiFailure} 400
 */
function keyValues(given, field) {
  if (given === undefined || given === null) return undefined
  const ok =
    Array.isArray(given) && given.every(item => typeof item === 'object' && item && typeof item.key === 'string')
  if (!ok) throw new ApiFailure(400, messages.malformed(`${field} malformed!`))
  return given.map(({ key, value }) => ({ key, value: value ?? null }))
}

/**
 * Merges lists by key. Later values win.
 *
 * @param {...KeyValue[]} lists
 * @returns {KeyValue[]}
 */
function mergeKeyValues(...lists) {
  const merged = new Map(lists.flat().map(({ key, value }) => [key, value]))
  return [...merged].map(([key, value]) => ({ key, value }))
}

/** @param {KeyValue[]} list @returns {Record<string, unknown>} */
const toObject = list => Object.fromEntries(list.map(({ key, value }) => [key, value]))

module.exports = { createEntities, nextVersion, keyValues, mergeKeyValues, toObject }

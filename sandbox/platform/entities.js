'use strict'

const fs = require('node:fs')
const { ApiFailure, messages } = require('./errors')

/** @import { Action, KeyValue, Package } from './types' */

/**
 * The packages and actions of the one namespace, in memory. Actions are known by their full names: `package/action` or `action`.
 *
 * @param {string} [file] where they are also stored, and loaded from by a platform that starts later
 */
function createEntities(file) {
  const kept = file !== undefined && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
  /** @type {Map<string, Package>} */
  const packages = new Map(kept.packages)
  /** @type {Map<string, Action>} */
  const actions = new Map(kept.actions)
  /** @type {number} */
  let revisions = kept.revisions ?? 0

  /** Writes the file completely and atomically. */
  function save() {
    if (file === undefined) return
    fs.writeFileSync(`${file}.new`, JSON.stringify({ packages: [...packages], actions: [...actions], revisions }))
    fs.renameSync(`${file}.new`, file)
  }

  /**
   * @template T
   * @param {Map<string, T>} collection
   * @param {string} name
   * @returns {T}
   * @throws {ApiFailure} 404
   */
  function get(collection, name) {
    const found = collection.get(name)
    if (found) return found
    throw new ApiFailure(404, messages.noSuchResource)
  }

  return {
    packages: /** @type {ReadonlyMap<string, Package>} */ (packages),
    actions: /** @type {ReadonlyMap<string, Action>} */ (actions),
    getPackage: (/** @type {string} */ name) => get(packages, name),
    getAction: (/** @type {string} */ name) => get(actions, name),
    /** @param {string} name of a package */
    actionsIn: name => [...actions.values()].filter(action => action.package === name),
    /** @param {Package} stored */
    putPackage(stored) {
      packages.set(stored.name, stored)
      save()
    },
    /** @param {string} name @param {Omit<Action, 'revision'>} written @returns {Action} */
    putAction(name, written) {
      revisions += 1
      const stored = { ...written, revision: revisions }
      actions.set(name, stored)
      save()
      return stored
    },
    /** @param {string} name of a package, which goes with its actions */
    removePackage(name) {
      for (const [full, action] of actions) if (action.package === name) actions.delete(full)
      packages.delete(name)
      save()
    },
    /** @param {string} name */
    removeAction(name) {
      actions.delete(name)
      save()
    },
  }
}

/** `0.0.1` at first, then the last number plus one. @param {string | undefined} current @returns {string} */
function nextVersion(current) {
  const [major, minor, patch] = (current ?? '0.0.0').split('.').map(Number)
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

module.exports = { createEntities, nextVersion, keyValues, mergeKeyValues }

'use strict'

/** @import { Action, ActionLimits, Exec, KeyValue, Limits, Package, Range, Settings } from './types' */
/** @import { Call, Reply } from './router' */

const fs = require('node:fs')
const { ApiFailure, messages, isObject } = require('./errors')

/** An action's code as it is stored: base64 text for a zip. */
const MOST_CODE_BYTES = 48 * 1024 ** 2
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Packages and actions are read, written and deleted. The default package is undefined. Upstream: core/controller
 * Packages.scala, Actions.scala.
 *
 * @param {{ entities: ReturnType<typeof createEntities>, settings: Settings }} platform
 */
function createEntitiesApi({ entities, settings }) {
  const { namespace } = settings

  /** @param {unknown} given @returns {Package['binding']} @throws {ApiFailure} 400 */
  function readBinding(given) {
    if (!isObject(given) || given.name === undefined) return {}
    const target = entities.packages.get(String(given.name))
    if (!target) throw new ApiFailure(400, messages.bindingWithoutPackage)
    return { namespace, name: target.name }
  }

  /**
   * @param {Call} call which writes something
   * @param {ReadonlyMap<string, unknown>} collection
   * @param {string} name
   * @throws {ApiFailure} 409
   */
  function checkWritable({ query }, collection, name) {
    if (collection.has(name) && query.get('overwrite') !== 'true') throw new ApiFailure(409, messages.exists)
  }

  return {
    packages: {
      /** @param {Call} call @param {string} name @returns {Reply} */
      get(call, name) {
        const stored = entities.getPackage(name)
        const actions = entities
          .actionsIn(stored.binding.name ?? name)
          .map(action => ({ name: action.name, version: action.version, annotations: action.annotations }))
        return { status: 200, body: { ...stored, namespace, actions, feeds: [] } }
      },

      /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
      async put(call, name) {
        const body = await call.readObject()
        checkWritable(call, entities.packages, name)
        const current = entities.packages.get(name)
        const stored = {
          name,
          annotations: mergeKeyValues(current?.annotations ?? [], keyValues(body.annotations, 'annotations') ?? []),
          parameters: keyValues(body.parameters, 'parameters') ?? current?.parameters ?? [],
          binding: body.binding === undefined ? (current?.binding ?? {}) : readBinding(body.binding),
          version: nextVersion(current?.version),
          updated: Date.now(),
        }
        entities.putPackage(stored)
        return { status: 200, body: { ...stored, namespace } }
      },

      /** @param {Call} call @param {string} name @returns {Reply} */
      remove(call, name) {
        const stored = entities.getPackage(name)
        entities.removePackage(name)
        return { status: 200, body: { ...stored, namespace } }
      },
    },

    actions: {
      /** @param {Call} call @param {string} name @returns {Reply} */
      get({ query }, name) {
        // through a binding, an action is read from the bound package
        const [parent, ...rest] = name.split('/')
        const provider = rest.length > 0 && entities.packages.get(parent)?.binding.name
        const action = entities.getAction(provider ? [provider, ...rest].join('/') : name)
        return { status: 200, body: actionDocument(action, { namespace, code: query.get('code') !== 'false' }) }
      },

      /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
      async put(call, name) {
        const body = await call.readObject()
        const [own, packageName] = name.split('/').reverse()
        if (packageName !== undefined) entities.getPackage(packageName)
        checkWritable(call, entities.actions, name)
        const current = entities.actions.get(name)
        const built = buildAction({
          body,
          current,
          packageName,
          name: own,
          limits: settings.limits,
          runtimes: settings.runtimes,
        })
        return { status: 200, body: actionDocument(entities.putAction(name, built), { namespace, code: true }) }
      },

      /** @param {Call} call @param {string} name @returns {Reply} */
      remove(call, name) {
        const action = entities.getAction(name)
        entities.removeAction(name)
        return { status: 200, body: actionDocument(action, { namespace, code: true }) }
      },
    },
  }
}

/**
 * @param {unknown} given
 * @param {string[]} runtimes
 * @returns {Exec}
 * @throws {ApiFailure} 400, or 413 for code that is too large
 */
function readExec(given, runtimes) {
  const { kind, code, main } = isObject(given) ? given : {}
  if (typeof kind !== 'string' || typeof code !== 'string') throw new ApiFailure(400, messages.execUndefined)
  const resolved = kind === 'nodejs' || kind === 'nodejs:default' ? runtimes[0] : kind
  if (!runtimes.includes(resolved)) throw new ApiFailure(400, messages.malformed(messages.unknownRuntime(kind)))
  if (code.length > MOST_CODE_BYTES) throw new ApiFailure(413, messages.tooLarge('exec', code.length, MOST_CODE_BYTES))
  // Code in base64 is an archive. Upstream: entity/Exec.scala isBinaryCode.
  const binary = code.trim().length % 4 === 0 && BASE64.test(code.trim())
  return { kind: resolved, code, binary, ...(main === undefined ? {} : { main: String(main) }) }
}

/**
 * @param {unknown} given
 * @param {ActionLimits | undefined} current
 * @param {Limits} limits
 * @returns {ActionLimits}
 * @throws {ApiFailure} 400 with upstream's sentence about the threshold
 */
function readLimits(given, current, { timeoutMs, memoryMB }) {
  const {
    timeout,
    memory,
    logs = current?.logs ?? 10,
    concurrency = current?.concurrency ?? 1,
  } = isObject(given) ? given : {}
  /** @param {string} what @param {string} unit @param {unknown} value @param {number | undefined} before @param {Range} range */
  const checked = (what, unit, value, before, { min, max, default: usual }) => {
    const chosen = value ?? before ?? usual
    if (Number.isInteger(chosen) && Number(chosen) >= min && Number(chosen) <= max) return Number(chosen)
    const [how, threshold] = Number(chosen) > max ? ['exceeds', max] : ['below', min]
    const text = `requirement failed: ${what} ${chosen}${unit} ${how} allowed threshold of ${threshold}${unit}`
    throw new ApiFailure(400, text)
  }
  return {
    timeout: checked('duration', ' milliseconds', timeout, current?.timeout, timeoutMs),
    memory: checked('memory size', ' MB', memory, current?.memory, memoryMB),
    logs: Number(logs),
    concurrency: Number(concurrency),
  }
}

/**
 * Applies a PUT to an action. Fields that the body leaves out keep their values, annotations are merged, parameters replaced.
 * Upstream: core/controller Actions.scala make, update, amendAnnotations.
 *
 * @param {object} write
 * @param {Record<string, unknown>} write.body
 * @param {Action | undefined} write.current
 * @param {string | undefined} write.packageName
 * @param {string} write.name
 * @param {Limits} write.limits
 * @param {string[]} write.runtimes
 * @returns {Omit<Action, 'revision'>}
 * @throws {ApiFailure} 400, 413
 */
function buildAction({ body, current, packageName, name, limits, runtimes }) {
  const exec = current && !body.exec ? current.exec : readExec(body.exec, runtimes)
  const given = keyValues(body.annotations, 'annotations') ?? []
  const defaults = current ? current.annotations : [{ key: 'provide-api-key', value: false }]
  return {
    package: packageName,
    name,
    exec,
    limits: readLimits(body.limits, current?.limits, limits),
    parameters: keyValues(body.parameters, 'parameters') ?? current?.parameters ?? [],
    annotations: mergeKeyValues(defaults, given, [{ key: 'exec', value: exec.kind }]),
    version: nextVersion(current?.version),
    updated: Date.now(),
  }
}

/**
 * @param {Action} action
 * @param {{ namespace: string, code: boolean }} options
 */
function actionDocument({ package: parent, revision, exec, ...action }, { namespace, code }) {
  const { code: text, ...rest } = exec
  const path = parent ? `${namespace}/${parent}` : namespace
  return { ...action, exec: code ? exec : rest, namespace: path }
}

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

module.exports = { createEntitiesApi, createEntities, mergeKeyValues }

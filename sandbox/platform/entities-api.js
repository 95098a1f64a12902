'use strict'

const { keyValues, mergeKeyValues, nextVersion } = require('./entities')
const { ApiFailure, messages } = require('./errors')
const { isObject } = require('./outcome')

/** @import { Action, ActionLimits, Exec, Limits, Package, Range, Settings } from './types' */
/** @import { Call, Reply } from './router' */

/** An action's code as it is stored: base64 text for a zip. */
const MOST_CODE_BYTES = 48 * 1024 ** 2
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Packages and actions are read, written and deleted. The default package is undefined. Upstream: core/controller
 * Packages.scala, Actions.scala.
 *
 * @param {{ entities: ReturnType<typeof import('./entities').createEntities>, settings: Settings }} platform
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

module.exports = { createEntitiesApi }

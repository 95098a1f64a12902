'use strict'

const { checkName, keyValues, mergeKeyValues, nextVersion } = require('./entities')
const { ApiFailure } = require('./failure')
const { messages } = require('./messages')
const { isObject } = require('./outcome')
const { page } = require('./paging')

/** @import { Package, Settings } from './types' */
/** @import { Call, Reply } from './router' */

/**
 * The packages collection. Upstream: core/controller Packages.scala.
 *
 * @param {{ entities: ReturnType<typeof import('./entities').createEntities>, settings: Settings }} platform
 */
function createPackagesApi({ entities, settings }) {
  const { namespace } = settings

  /** @param {Package} stored */
  const document = ({ annotations, binding, name, parameters, publish, updated, version }) => ({
    annotations,
    binding,
    name,
    namespace,
    parameters,
    publish,
    updated,
    version,
  })

  /** @param {Package} stored */
  function summary(stored) {
    const { parameters, binding, ...rest } = document(stored)
    return { ...rest, binding: binding.name ? binding : false }
  }

  /** @param {unknown} given @returns {Package['binding']} @throws {ApiFailure} 400 */
  function readBinding(given) {
    if (!isObject(given) || given.name === undefined) return {}
    const target = entities.findPackage(String(given.name))
    if (!target) throw new ApiFailure(400, messages.bindingWithoutPackage)
    if (target.binding.name) throw new ApiFailure(400, messages.bindingOfBinding)
    return { namespace, name: target.name }
  }

  return {
    /** @param {Call} call @returns {Reply} */
    list: ({ query }) => ({ status: 200, body: page(entities.listPackages().map(summary), query, 'packages') }),

    /** @param {Call} call @param {string} name @returns {Reply} */
    get(call, name) {
      const stored = entities.getPackage(name)
      const actions = entities
        .listActions(stored.binding.name ?? name)
        .map(action => ({ name: action.name, version: action.version, annotations: action.annotations }))
      return { status: 200, body: { ...document(stored), actions, feeds: [] } }
    },

    /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
    async put(call, name) {
      checkName(name)
      if (name === 'default') throw new ApiFailure(400, messages.reservedPackage(name))
      const body = await call.readObject()
      const current = entities.findPackage(name)
      if (!current && entities.findAction(undefined, name)) throw new ApiFailure(409, messages.otherCollection)
      if (current && call.query.get('overwrite') !== 'true') throw new ApiFailure(409, messages.exists)
      /** @type {Package} */
      const stored = {
        name,
        annotations: mergeKeyValues(current?.annotations ?? [], keyValues(body.annotations, 'annotations') ?? []),
        parameters: keyValues(body.parameters, 'parameters') ?? current?.parameters ?? [],
        binding: body.binding === undefined ? (current?.binding ?? {}) : readBinding(body.binding),
        publish: typeof body.publish === 'boolean' ? body.publish : (current?.publish ?? false),
        version: nextVersion(body.version, current?.version),
        updated: Date.now(),
      }
      entities.putPackage(stored)
      return { status: 200, body: document(stored) }
    },

    /** @param {Call} call @param {string} name @returns {Reply} */
    remove({ query }, name) {
      const stored = entities.getPackage(name)
      const contents = stored.binding.name ? [] : entities.listActions(name)
      if (contents.length > 0 && query.get('force') !== 'true') {
        throw new ApiFailure(409, messages.packageNotEmpty(contents.length))
      }
      for (const action of contents) entities.deleteAction(name, action.name)
      entities.deletePackage(name)
      return { status: 200, body: document(stored) }
    },
  }
}

module.exports = { createPackagesApi }

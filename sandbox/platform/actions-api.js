'use strict'

const { actionDocument, actionSummary, buildAction } = require('./action-document')
const { checkName } = require('./entities')
const { ApiFailure } = require('./failure')
const { messages } = require('./messages')
const { page } = require('./paging')

/** @import { Settings } from './types' */
/** @import { Call, Reply } from './router' */

/**
 * The actions collection, except invocation. The default package is undefined. Upstream: core/controller Actions.scala.
 *
 * @param {{ entities: ReturnType<typeof import('./entities').createEntities>, settings: Settings }} platform
 */
function createActionsApi({ entities, settings }) {
  const { namespace } = settings

  return {
    /** @param {Call} call @param {string} [packageName] @returns {Reply} */
    list({ query }, packageName) {
      if (packageName !== undefined) entities.getPackage(packageName)
      const summaries = entities.listActions(packageName).map(action => actionSummary(action, namespace))
      return { status: 200, body: page(summaries, query, 'actions') }
    },

    /** @param {Call} call @param {string | undefined} packageName @param {string} name @returns {Reply} */
    get({ query }, packageName, name) {
      // through a binding, an action is read from the bound package
      const provider = packageName && entities.findPackage(packageName)?.binding.name
      const action = entities.getAction(provider || packageName, name)
      return { status: 200, body: actionDocument(action, { namespace, code: query.get('code') !== 'false' }) }
    },

    /** @param {Call} call @param {string | undefined} packageName @param {string} name @returns {Promise<Reply>} */
    async put(call, packageName, name) {
      checkName(name)
      const body = await call.readObject()
      if (packageName !== undefined) {
        const parent = entities.findPackage(packageName)
        if (!parent) throw new ApiFailure(404, messages.noSuchResource)
        if (parent.binding.name) throw new ApiFailure(400, messages.notOnBinding)
      } else if (entities.findPackage(name)) {
        throw new ApiFailure(409, messages.otherCollection)
      }
      const current = entities.findAction(packageName, name)
      if (current && call.query.get('overwrite') !== 'true') throw new ApiFailure(409, messages.exists)
      const stored = entities.putAction(buildAction({ body, current, packageName, name, settings }))
      return { status: 200, body: actionDocument(stored, { namespace, code: true }) }
    },

    /** @param {Call} call @param {string | undefined} packageName @param {string} name @returns {Reply} */
    remove(call, packageName, name) {
      const action = entities.getAction(packageName, name)
      entities.deleteAction(packageName, name)
      return { status: 200, body: actionDocument(action, { namespace, code: true }) }
    },
  }
}

module.exports = { createActionsApi }

'use strict'

const { within } = require('../common/processes/within')
const { mergeKeyValues } = require('./entities')
const { ApiFailure, messages } = require('./errors')
const { isTruthy } = require('./invoker')
const { activationDocument } = require('./activations-api')

/** @import { Action, KeyValue, Settings } from './types' */
/** @import { Call, Reply } from './router' */
/** @import { Invocation, Request } from './invoker' */

/** After which a blocking invocation is answered with 202. */
const BLOCKING_MS = 60_000
/** The HTTP status of a blocking invocation, by the activation's status code: success, application error, developer error, internal error. */
const HTTP_STATUS = [200, 502, 502, 500]

/**
 * POST on an action. Upstream: core/controller Actions.scala activate, actions/PrimitiveActions.scala.
 *
 * @param {object} platform
 * @param {Settings} platform.settings
 * @param {ReturnType<typeof import('./entities').createEntities>} platform.entities
 * @param {(request: Request) => Invocation} platform.publish starts the activation, and stores its record later
 */
function createInvocationsApi({ settings, entities, publish }) {
  /**
   * @param {string} full
   * @returns {{ action: Action, defaults: KeyValue[] }} defaults: the package's, its binding's, the action's; later ones win
   * @throws {ApiFailure} 404
   */
  function resolve(full) {
    const [name, packageName] = full.split('/').reverse()
    if (packageName === undefined) {
      const action = entities.getAction(name)
      return { action, defaults: action.parameters }
    }
    const asked = entities.getPackage(packageName)
    const provider = asked.binding.name ? entities.getPackage(asked.binding.name) : asked
    const action = entities.getAction(`${provider.name}/${name}`)
    return { action, defaults: mergeKeyValues(provider.parameters, asked.parameters, action.parameters) }
  }

  return {
    /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
    async invoke(call, name) {
      const { payloadBytes } = settings.limits
      const length = Number(call.request.headers['content-length'] ?? 0)
      if (length > payloadBytes) throw new ApiFailure(413, messages.tooLarge('Request', length, payloadBytes))
      const payload = await call.readObject()
      const { action, defaults } = resolve(name)
      if (isTruthy(action.annotations, 'final')) {
        const fixed = defaults.filter(({ value }) => value !== null && value !== '')
        if (fixed.some(({ key }) => key in payload)) throw new ApiFailure(400, messages.reservedParameters)
      }

      const parameters = { ...Object.fromEntries(defaults.map(({ key, value }) => [key, value])), ...payload }
      const { fault, transactionId } = call
      const invocation = publish({ action, parameters, fault, transactionId })
      const { activationId } = invocation
      const headers = { 'x-openwhisk-activation-id': activationId }
      const accepted = { status: 202, headers, body: { activationId } }
      if (call.query.get('blocking') !== 'true' || fault.accepted) return accepted

      const activation = await within(BLOCKING_MS, undefined, [invocation.answered])
      if (!activation) return accepted
      const { result, statusCode } = activation.response
      // a result that is an array is answered alone, even if the client asked for the record
      const bare = call.query.get('result') === 'true' || Array.isArray(result)
      const body = bare ? result : activationDocument(activation, settings.namespace)
      return { status: HTTP_STATUS[statusCode], headers, body }
    },
  }
}

module.exports = { createInvocationsApi }

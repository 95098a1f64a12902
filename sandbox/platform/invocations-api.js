'use strict'

/** @import { Action, Activation, KeyValue, Settings } from './types' */
/** @import { Call, Reply } from './router' */
/** @import { Invocation, Request } from './invoker' */

const { randomBytes } = require('node:crypto')
const { within } = require('../common/processes/pool')
const { mergeKeyValues } = require('./entities-api')
const { ApiFailure, messages, STATUS_TEXTS } = require('./errors')
const { isTruthy } = require('./invoker')

/** The HTTP status of a blocking invocation, by the activation's status code: success, application error, developer error, internal error. */
const HTTP_STATUS = [200, 502, 502, 500]

/**
 * POST on an action. Upstream: core/controller Actions.scala activate, actions/PrimitiveActions.scala.
 *
 * @param {object} platform
 * @param {Settings} platform.settings
 * @param {ReturnType<typeof import('./entities-api').createEntities>} platform.entities
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
      const { payloadBytes, blockingMs } = settings.limits
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
      const blocking = call.query.get('blocking') === 'true'
      const extraLogging = call.request.headers['x-ow-extra-logging'] === 'on'
      if (fault.lost) return { status: 202, body: { activationId: randomBytes(16).toString('hex') } }
      const invocation = publish({ action, parameters, fault, transactionId, blocking, extraLogging })
      const { activationId } = invocation
      const headers = { 'x-openwhisk-activation-id': activationId }
      const accepted = { status: 202, headers, body: { activationId } }
      if (!blocking || fault.accepted) return accepted

      const activation = await within(blockingMs, undefined, [invocation.answered])
      if (!activation) return accepted
      const { result, statusCode } = activation.response
      // a result that is an array is answered alone, even if the client asked for the record
      const bare = call.query.get('result') === 'true' || Array.isArray(result)
      const body = bare ? result : activationDocument(activation, settings.namespace)
      return { status: HTTP_STATUS[statusCode], headers, body }
    },
  }
}

/** How many records are kept. */
const MOST_RECORDS = 10_000
/** Entries of a list's page, if the call does not say. */
const PAGE = 30

/**
 * A number of the query. Upstream: core/controller ApiUtils.scala, RestAPIs.scala.
 *
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {number} usual
 * @throws {ApiFailure} 400
 */
function integerOf(query, name, usual) {
  const text = query.get(name) ?? String(usual)
  if (!/^-?\d+$/.test(text)) throw new ApiFailure(400, messages.malformedQuery(name, messages.notInteger(text)))
  return Number(text)
}

/**
 * Upstream: entity/WhiskActivation.scala toExtendedJson.
 *
 * @param {Activation} activation
 * @param {string} namespace
 */
function activationDocument({ path, response: { result, size, statusCode }, ...record }, namespace) {
  const response = { result, size, status: STATUS_TEXTS[statusCode], success: statusCode === 0 }
  return { ...record, logs: [], namespace, publish: false, response, subject: namespace }
}

/**
 * The records of finished activations, and the collection that serves them. Upstream: core/controller Activations.scala.
 *
 * @param {Pick<Settings, 'namespace' | 'limits'>} options
 */
function createActivationsApi({ namespace, limits: { listed } }) {
  /** @type {Map<string, Activation>} */
  const records = new Map()

  return {
    /** @param {Activation} activation */
    store(activation) {
      records.set(activation.activationId, activation)
      for (const [oldest] of records) {
        if (records.size <= MOST_RECORDS) break
        records.delete(oldest)
      }
    },

    /** Newest first, and whole as with `docs=true`. @param {Call} call @returns {Reply} @throws {ApiFailure} 400 */
    list({ query }) {
      const name = query.get('name')
      const since = Number(query.get('since') ?? 0)
      const limit = integerOf(query, 'limit', Math.min(PAGE, listed))
      const skip = integerOf(query, 'skip', 0)
      if (limit < 0 || limit > listed)
        throw new ApiFailure(400, messages.malformedQuery('limit', messages.limitOutOfRange(limit, listed)))
      if (skip < 0) throw new ApiFailure(400, messages.malformedQuery('skip', messages.skipOutOfRange(skip)))
      const shown = [...records.values()]
        .filter(({ start }) => start >= since)
        .filter(({ name: own, path }) => name === null || name === own || `${namespace}/${name}` === path)
        .sort((one, other) => other.start - one.start)
        .slice(skip, skip + (limit || listed))
        .map(record => activationDocument(record, namespace))
      return { status: 200, body: shown }
    },

    /** @param {Call} call @param {string} id @returns {Reply} @throws {ApiFailure} 404 */
    get(call, id) {
      const found = records.get(id)
      if (!found) throw new ApiFailure(404, messages.noSuchResource)
      return { status: 200, body: activationDocument(found, namespace) }
    },
  }
}

module.exports = { createInvocationsApi, createActivationsApi }

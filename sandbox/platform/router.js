'use strict'

const { ApiFailure, messages, refuseByFault } = require('./errors')
const { apiInfo, namespaceLimits, systemInfo } = require('./info')

/** @import { Fault, FaultTarget, Settings } from './types' */

/**
 * @typedef {object} Call
 * @property {import('node:http').IncomingMessage} request
 * @property {string} method
 * @property {string[]} segments of the path, decoded
 * @property {URLSearchParams} query
 * @property {string} transactionId
 * @property {Fault} fault the effects of the faults that match this call
 * @property {() => Promise<Record<string, unknown>>} readObject the body, `{}` when there is none; rejects with an ApiFailure
 *
 * @typedef {object} Reply
 * @property {number} status
 * @property {unknown} body
 * @property {Record<string, string>} [headers]
 */

const REALM = 'Basic realm="OpenWhisk secure realm",charset=UTF-8'

/**
 * Authenticates and authorises a call, and chooses its handler. Upstream: core/controller RestAPIs.scala,
 * BasicAuthenticationDirective.scala, core/entitlement Entitlement.scala.
 *
 * @param {object} platform
 * @param {Settings} platform.settings
 * @param {ReturnType<typeof import('./settings').createFaults>} platform.faults
 * @param {ReturnType<typeof import('./throttles').createThrottles>} platform.throttles
 * @param {ReturnType<typeof import('./entities-api').createEntitiesApi>} platform.entities
 * @param {ReturnType<typeof import('./invocations-api').createInvocationsApi>} platform.invocations
 * @param {ReturnType<typeof import('./activations-api').createActivationsApi>} platform.activations
 */
function createRouter({ settings, faults, throttles, entities, invocations, activations }) {
  const { packages, actions } = entities
  const expected = `Basic ${Buffer.from(settings.auth).toString('base64')}`

  /** @param {Call} call @throws {ApiFailure} 401 */
  function authenticate({ request }) {
    const given = request.headers.authorization
    if (given === expected) return
    const text = given === undefined ? messages.authenticationMissing : messages.authenticationInvalid
    throw new ApiFailure(401, text, { 'WWW-Authenticate': REALM })
  }

  /** @param {string} namespace @param {string[]} entity @throws {ApiFailure} 403 */
  function authorize(namespace, entity) {
    if (namespace === '_' || namespace === settings.namespace) return
    throw new ApiFailure(403, messages.notAuthorized([namespace, ...entity].join('/')))
  }

  /**
   * @param {Call} call
   * @param {Record<string, () => Reply | Promise<Reply>>} handlers by method
   */
  function byMethod({ method }, handlers) {
    const handler = handlers[method]
    if (!handler) throw new ApiFailure(405, messages.wrongMethod(Object.keys(handlers)))
    return handler()
  }

  /** @param {Call} call @param {string} collection @param {string[]} rest @returns {Reply | Promise<Reply>} */
  function routeCollection(call, collection, rest) {
    const name = rest.join('/')
    if (collection === 'packages' && name && rest.length === 1) {
      return byMethod(call, {
        GET: () => packages.get(call, name),
        PUT: () => packages.put(call, name),
        DELETE: () => packages.remove(call, name),
      })
    }
    if (collection === 'actions' && name && rest.length <= 2) {
      return byMethod(call, {
        GET: () => actions.get(call, name),
        PUT: () => actions.put(call, name),
        POST: () => invocations.invoke(call, name),
        DELETE: () => actions.remove(call, name),
      })
    }
    // A write to a read-only collection is answered with 404.
    if (call.method === 'GET' && rest.length <= 1) {
      if (collection === 'activations') return name ? activations.get(call, name) : activations.list(call)
      if (collection === 'limits') return { status: 200, body: namespaceLimits(settings) }
    }
    throw new ApiFailure(404, messages.noSuchPath)
  }

  /** @param {Call} call @param {FaultTarget} target @param {string} [action] @throws {ApiFailure} if a fault refuses it */
  function strike(call, target, action) {
    call.fault = faults.strike({ target, action })
    refuseByFault(call.fault, settings.limits)
  }

  /** @param {Call} call @param {() => object} info @returns {Reply | Promise<Reply>} */
  function inform(call, info) {
    strike(call, 'info')
    return byMethod(call, { GET: () => ({ status: 200, body: info() }) })
  }

  /** @param {Call} call @param {string[]} path below /api/v1/namespaces @returns {Promise<Reply>} */
  async function routeNamespace(call, path) {
    authenticate(call)
    const [namespace, collection, ...rest] = path
    const invokes = call.method === 'POST' && collection === 'actions'
    const target = /** @type {FaultTarget} */ (invokes ? 'invoke' : (collection ?? 'namespaces'))
    strike(call, target, collection === 'actions' ? rest.join('/') : undefined)
    if (!namespace) return byMethod(call, { GET: () => ({ status: 200, body: [settings.namespace] }) })
    if (invokes) throttles.admit()
    authorize(namespace, rest.filter(Boolean))
    if (!collection) throw new ApiFailure(404, messages.noSuchPath)
    return routeCollection(call, collection, rest)
  }

  /** @param {Call} call @returns {Reply | Promise<Reply>} @throws {ApiFailure} */
  return function route(call) {
    const [first, ...rest] = call.segments
    if (first === '' || first === undefined) return inform(call, () => systemInfo(settings))
    // upstream's only directive for any path is the one for OPTIONS
    if (first !== 'api' || rest[0] !== 'v1') throw new ApiFailure(405, messages.wrongMethod(['OPTIONS']))
    const [, collection, ...path] = rest
    if (!collection) return inform(call, apiInfo)
    if (collection !== 'namespaces') throw new ApiFailure(404, messages.noSuchPath)
    return routeNamespace(call, path)
  }
}

module.exports = { createRouter }

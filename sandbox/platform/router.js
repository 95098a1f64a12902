'use strict'

const { ApiFailure, messages, refuseByFault } = require('./errors')

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

/** Where the feed is. */
const ALARMS = 'whisk.system/actions/alarms/interval'
const REALM = 'Basic realm="OpenWhisk secure realm",charset=UTF-8'

/**
 * The answer to `GET /`, without authentication: limits, and runtimes, of which wskdeploy takes its list from here.
 * Upstream: core/controller Controller.scala info.
 *
 * @param {Settings} settings
 */
function systemInfo({ limits: { concurrent, perMinute }, runtimes }) {
  return {
    description: 'OpenWhisk',
    api_paths: ['/api/v1'],
    limits: { actions_per_minute: perMinute, concurrent_actions: concurrent },
    runtimes: { nodejs: runtimes.map((kind, index) => ({ kind, deprecated: false, default: index === 0 })) },
  }
}

/** The answer to `GET /api/v1`. Upstream: core/controller RestAPIs.scala. */
const API_INFO = { description: 'OpenWhisk API', api_version: '1.0.0', api_version_path: 'v1', build: 'xfer sandbox' }

/**
 * The namespace's own limits. Upstream: core/controller Limits.scala, entity/Identity.scala UserLimits.
 *
 * @param {Settings} settings
 */
function namespaceLimits({ limits }) {
  return {
    invocationsPerMinute: limits.perMinute,
    concurrentInvocations: limits.concurrent,
    maxActionMemory: limits.memoryMB.max,
    maxActionTimeout: limits.timeoutMs.max,
    maxPayloadSize: `${limits.payloadBytes} B`,
  }
}

/**
 * Authenticates and authorises a call, and chooses its handler. Upstream: core/controller RestAPIs.scala,
 * BasicAuthenticationDirective.scala, core/entitlement Entitlement.scala.
 *
 * @param {object} platform
 * @param {Settings} platform.settings
 * @param {ReturnType<typeof import('../common/rules').createCallFaults<import('./types').Fault>>} platform.faults
 * @param {ReturnType<typeof import('.').createThrottles>} platform.throttles
 * @param {ReturnType<typeof import('./entities-api').createEntitiesApi>} platform.entities
 * @param {ReturnType<typeof import('./invocations-api').createInvocationsApi>} platform.invocations
 * @param {ReturnType<typeof import('./invocations-api').createActivationsApi>} platform.activations
 * @param {ReturnType<typeof import('./triggers-api').createTriggersApi>} platform.triggers
 */
function createRouter({ settings, faults, throttles, entities, invocations, activations, triggers }) {
  /** @type {Record<string, Record<string, (call: Call, name: string) => Reply | Promise<Reply>>>} by collection and method */
  const ENTITIES = {
    packages: { GET: entities.packages.get, PUT: entities.packages.put, DELETE: entities.packages.remove },
    actions: {
      GET: entities.actions.get,
      PUT: entities.actions.put,
      DELETE: entities.actions.remove,
      POST: invocations.invoke,
    },
    activations: { GET: activations.get },
    rules: triggers.rules,
    triggers: triggers.triggers,
  }
  /** The same without a name. @type {typeof ENTITIES} */
  const LISTS = {
    activations: { GET: activations.list },
    limits: { GET: () => ({ status: 200, body: namespaceLimits(settings) }) },
  }
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

  /** @param {Call} call @param {string} collection @param {string[]} rest @returns {Reply | Promise<Reply>} */
  function routeCollection(call, collection, rest) {
    const name = rest.join('/')
    const isWhole = collection === 'actions' ? rest.length <= 2 : rest.length <= 1
    const handlers = isWhole ? (name ? ENTITIES : LISTS)[collection] : undefined
    // A write to a read-only collection is answered with 404.
    if (!handlers) throw new ApiFailure(404, messages.noSuchPath)
    const handler = handlers[call.method]
    if (handler) return handler(call, name)
    throw new ApiFailure(405, messages.wrongMethod(Object.keys(handlers)))
  }

  /** @param {Call} call @param {FaultTarget} target @throws {ApiFailure} if a fault refuses it */
  function strike(call, target) {
    call.fault = faults.strike(target)
    refuseByFault(call.fault, settings.limits)
  }

  /** @param {Call} call @param {object} body @returns {Reply} */
  function inform(call, body) {
    strike(call, 'info')
    return { status: 200, body }
  }

  /** @param {Call} call @param {string[]} path below /api/v1/namespaces @returns {Promise<Reply>} */
  async function routeNamespace(call, path) {
    authenticate(call)
    const [namespace, collection, ...rest] = path
    const invokes = call.method === 'POST' && collection === 'actions'
    const target = /** @type {FaultTarget} */ (invokes ? 'invoke' : (collection ?? 'namespaces'))
    strike(call, target)
    if (!namespace) return { status: 200, body: [settings.namespace] }
    if (invokes) throttles.admit()
    if (settings.alarms && invokes && path.join('/') === ALARMS) return await triggers.feed(call)
    authorize(namespace, rest.filter(Boolean))
    if (!collection) throw new ApiFailure(404, messages.noSuchPath)
    return routeCollection(call, collection, rest)
  }

  /** @param {Call} call @returns {Reply | Promise<Reply>} @throws {ApiFailure} */
  return function route(call) {
    const [first, ...rest] = call.segments
    if (first === '' || first === undefined) return inform(call, systemInfo(settings))
    // upstream's only directive for any path is the one for OPTIONS
    if (first !== 'api' || rest[0] !== 'v1') throw new ApiFailure(405, messages.wrongMethod(['OPTIONS']))
    const [, collection, ...path] = rest
    if (!collection) return inform(call, API_INFO)
    if (collection !== 'namespaces') throw new ApiFailure(404, messages.noSuchPath)
    return routeNamespace(call, path)
  }
}

module.exports = { createRouter }

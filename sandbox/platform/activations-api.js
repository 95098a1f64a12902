'use strict'

const { ApiFailure } = require('./failure')
const { messages } = require('./messages')
const { STATUS_TEXTS } = require('./outcome')
const { page } = require('./paging')

/** @import { Activation } from './types' */
/** @import { Call, Reply } from './router' */

/** @param {Activation} activation */
function responseDocument({ response }) {
  const { result, size, statusCode } = response
  const status = STATUS_TEXTS[statusCode]
  return { result, ...(size === undefined ? {} : { size }), status, success: statusCode === 0 }
}

/**
 * Upstream: entity/WhiskActivation.scala toExtendedJson.
 *
 * @param {Activation} activation
 * @param {string} namespace
 */
function activationDocument(activation, namespace) {
  const { activationId, annotations, duration, end, logs, name, start, version } = activation
  const response = responseDocument(activation)
  return {
    activationId,
    annotations,
    duration,
    end,
    logs,
    name,
    namespace,
    publish: false,
    response,
    start,
    subject: namespace,
    version,
  }
}

/** @param {Activation} activation @param {string} namespace */
function activationSummary(activation, namespace) {
  const { logs, response, subject, ...summary } = activationDocument(activation, namespace)
  return { ...summary, statusCode: activation.response.statusCode }
}

/**
 * The records of finished activations, and the collection that serves them. Beyond `max` records the oldest are deleted.
 * Upstream: core/controller Activations.scala.
 *
 * @param {{ namespace: string, max: number }} options
 */
function createActivationsApi({ namespace, max }) {
  /** @type {Map<string, Activation>} */
  const records = new Map()

  /** @param {string} id @returns {Activation} @throws {ApiFailure} 400, 404 */
  function find(id) {
    if (id.length !== 32) throw new ApiFailure(400, messages.activationIdLength(id.length))
    if (!/^[0-9a-f]+$/i.test(id)) throw new ApiFailure(400, messages.activationIdIllegal)
    const found = records.get(id)
    if (!found) throw new ApiFailure(404, messages.noSuchResource)
    return found
  }

  /** @param {URLSearchParams} query @param {string} key @param {number} otherwise */
  const epoch = (query, key, otherwise) => Number(query.get(key) ?? otherwise)

  return {
    /** @param {Activation} activation */
    store(activation) {
      records.set(activation.activationId, activation)
      for (const [oldest] of records) {
        if (records.size <= max) break
        records.delete(oldest)
      }
    },

    /** @param {Call} call @returns {Reply} */
    list({ query }) {
      if (query.get('docs') === 'true' && query.get('count') === 'true') {
        throw new ApiFailure(400, messages.docsWithCount)
      }
      const name = query.get('name')
      const since = epoch(query, 'since', 0)
      const upto = epoch(query, 'upto', Number.MAX_SAFE_INTEGER)
      const shown = [...records.values()]
        .filter(({ start }) => start >= since && start <= upto)
        .filter(
          record =>
            name === null || record.path === `${namespace}/${name}` || (!name.includes('/') && record.name === name),
        )
        .sort((one, other) => other.start - one.start)
      const document = query.get('docs') === 'true' ? activationDocument : activationSummary
      const pages = page(shown, query, 'activations')
      return { status: 200, body: Array.isArray(pages) ? pages.map(record => document(record, namespace)) : pages }
    },

    /** @param {Call} call @param {string} id @returns {Reply} */
    get: (call, id) => ({ status: 200, body: activationDocument(find(id), namespace) }),
    /** @param {Call} call @param {string} id @returns {Reply} */
    result: (call, id) => ({ status: 200, body: responseDocument(find(id)) }),
    /** @param {Call} call @param {string} id @returns {Reply} */
    logs: (call, id) => ({ status: 200, body: { logs: find(id).logs } }),
  }
}

module.exports = { activationDocument, createActivationsApi }

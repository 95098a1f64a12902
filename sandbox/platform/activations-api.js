'use strict'

const { ApiFailure, messages } = require('./errors')
const { STATUS_TEXTS } = require('./outcome')

/** @import { Activation } from './types' */
/** @import { Call, Reply } from './router' */

/** How many records are kept. */
const MOST_RECORDS = 10_000
/** Entries of a list's page, and at most. */
const [PAGE, MOST] = [30, 200]

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
 * @param {{ namespace: string }} options
 */
function createActivationsApi({ namespace }) {
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

    /** Newest first, and whole as with `docs=true`. @param {Call} call @returns {Reply} */
    list({ query }) {
      const name = query.get('name')
      const since = Number(query.get('since') ?? 0)
      const limit = Math.min(MOST, Number(query.get('limit') ?? PAGE) || MOST)
      const shown = [...records.values()]
        .filter(({ start }) => start >= since)
        .filter(({ name: own, path }) => name === null || name === own || `${namespace}/${name}` === path)
        .sort((one, other) => other.start - one.start)
        .slice(0, limit)
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

module.exports = { activationDocument, createActivationsApi }

'use strict'

const { ApiFailure } = require('./failure')
const { messages } = require('./messages')

const DEFAULT_LIMIT = 30
const MAX_LIMIT = 200

/**
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {string} collection
 * @param {number} otherwise
 */
function integer(query, name, collection, otherwise) {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^-?\d+$/.test(text)) throw refused(name, messages.notAnInteger(collection, text))
  return Number(text)
}

/**
 * Returns one page of a list, or with `count=true` its length as `{ <collection>: n }`. Upstream: controller ApiUtils.scala,
 * RestAPIs.scala ListLimit, ListSkip.
 *
 * @template T
 * @param {T[]} items
 * @param {URLSearchParams} query skip, limit (30; 0 means 200), count
 * @param {string} collection
 * @returns {T[] | Record<string, number>}
 * @throws {ApiFailure} 400
 */
function page(items, query, collection) {
  const skip = integer(query, 'skip', collection, 0)
  const limit = integer(query, 'limit', collection, DEFAULT_LIMIT)
  if (skip < 0) throw refused('skip', messages.skipOutOfRange(collection, skip))
  if (limit < 0 || limit > MAX_LIMIT) throw refused('limit', messages.limitOutOfRange(collection, limit, MAX_LIMIT))
  if (query.get('count') === 'true') return { [collection]: Math.max(0, items.length - skip) }
  return items.slice(skip, skip + (limit || MAX_LIMIT))
}

/** @param {string} name @param {string} why */
function refused(name, why) {
  return new ApiFailure(400, messages.malformedParameter(name, why))
}

module.exports = { page }

'use strict'

/** What one open store needs to write in its dialect: the conditions of a write, and the version numbers that HEADs told. */

const { XferError } = require('../../errors')
const { sameEtag } = require('../../integrity')

/** Version numbers are kept of the objects that were asked for last. A read without one names the ETag. */
const MOST_KNOWN = 1_000

/** @typedef {import('./dialect').Dialect} Dialect */
/** @typedef {import('../contract').ObjectHead} ObjectHead */
/** @typedef {(key: string, options?: { signal?: AbortSignal }) => Promise<ObjectHead>} Head */

/**
 * @param {Dialect} dialect
 * @param {Record<string, any>} facts of the store
 * @param {() => import('./profiles').Facts} profile
 */
function createSession(dialect, facts, profile) {
  /** @type {Map<string, { etag: string, versionId: string }>} */
  const known = new Map()
  /** @type {Head} */
  let head

  return {
    dialect,

    /** @param {Head} question of the store, for the conditions */
    askBy(question) {
      head = question
    },

    /** @param {string} key @param {ObjectHead} object */
    note(key, { etag, versionId }) {
      if (!dialect.pinsVersions || versionId === undefined) return
      known.delete(key)
      known.set(key, { etag, versionId })
      if (known.size > MOST_KNOWN) known.delete(/** @type {string} */ (known.keys().next().value))
    },

    /** @param {string} key @param {string} etag @returns {string | undefined} the version number of the object with this ETag */
    versionOf(key, etag) {
      const object = known.get(key)
      return object && sameEtag(object.etag, etag) ? object.versionId : undefined
    },

    /**
     * @param {string} key
     * @param {import('../contract').WriteCondition} [condition]
     * @param {AbortSignal} [signal]
     * @returns {Promise<Record<string, string>>} headers of the write
     * @throws {import('../../types').XferError} DESTINATION_EXISTS
     */
    async conditions(key, condition = {}, signal) {
      const there = () =>
        head(key, { signal }).catch(error => {
          if (error.code !== 'NO_SUCH_KEY') throw error
          return undefined
        })
      return await dialect.conditions(condition, there).catch(error => {
        throw error.code === 'DESTINATION_EXISTS' ? new XferError(error.code, { ...facts, key, ...error.facts }) : error
      })
    },

    /**
     * @param {Record<string, string>} headers of an answer
     * @returns {{ sums?: import('../contract').Sums, encrypted?: true }} encrypted: the ETag is no MD5
     */
    toldSums(headers) {
      const sums = dialect.sums?.(headers) ?? {}
      if (Object.keys(sums).length === 0) return {}
      return sums.md5 === undefined ? { sums, encrypted: true } : { sums }
    },

    /** @param {import('../contract').ObjectAttributes} attributes @throws {import('../../types').XferError} STORE_REFUSED */
    check(attributes) {
      const tagged = (attributes.tags ?? []).length > 0 && profile().tags === false
      const reason = tagged ? 'its objects have no tags' : dialect.refuses?.(attributes)
      if (reason !== undefined) throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason })
    },
  }
}

module.exports = { createSession }

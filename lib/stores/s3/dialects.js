'use strict'

/**
 * Which dialect an endpoint speaks: Amazon's, or one of its own; and what one open store needs to write in it: the conditions of a
 * write, and the version numbers that HEADs told. The translation is in control.js and signer.js.
 */

const { XferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { conditionHeaders } = require('../common')
const { profileOf } = require('./profiles')
const { google } = require('./google')
const { READ, WRITE } = require('./rules')

/** Amazon's, and that of all stores without one of their own. @type {import('./dialect').Dialect} */
const amazon = {
  protocol: 'S3',
  signature: {
    algorithm: 'AWS4-HMAC-SHA256',
    secretPrefix: 'AWS4',
    service: 's3',
    terminator: 'aws4_request',
    headerPrefix: 'x-amz-',
  },
  translate: words => words,
  read: headers => headers,
  readHeaders: {},
  rules: { read: READ, write: WRITE },
  conditions: async condition => conditionHeaders(condition),
  pinsVersions: false,
  lacks: new Set(),
  permissions: permissionsOf,
}

/** @param {string} host of the endpoint @returns {import('./dialect').Dialect} */
function dialectOf(host) {
  return profileOf({ host }).dialect === 'google' ? google : amazon
}

/** Permissions whose name differs from the operation's. @type {Record<string, string>} */
const PERMISSIONS = {
  ListBuckets: 's3:ListAllMyBuckets',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
  ListObjectsV2: 's3:ListBucket',
  HeadObject: 's3:GetObject',
  CreateMultipartUpload: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  ListParts: 's3:ListMultipartUploadParts',
}

/** Whose permission is for a whole bucket. */
const OF_BUCKETS = ['CreateBucket', 'ListMultipartUploads', 'ListObjectsV2']

/** Permissions for a version of an object that is named by its id. @type {Record<string, string>} */
const OF_VERSIONS = {
  's3:GetObject': 's3:GetObjectVersion',
  's3:GetObjectTagging': 's3:GetObjectVersionTagging',
  's3:DeleteObject': 's3:DeleteObjectVersion',
}

/**
 * @param {object} asked
 * @param {string} asked.side
 * @param {string} [asked.operation] S3's name of the operation; default: GetObject at the source, PutObject at the destination
 * @param {boolean} [asked.conditional] whether it has an `If-Match` header
 * @param {boolean} [asked.versioned] whether it names a version
 * @returns {{ permission: string, needs: string, needsForTags: string, needsToClear: string }} facts of an error: the
 *   permission of the operation; needs: the end of a sentence; what writing tags needs; what finding and aborting uploads needs
 */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional, versioned }) {
  const words = {
    needsForTags: 's3:PutObjectTagging',
    needsToClear: 's3:ListBucketMultipartUploads on the bucket, and s3:AbortMultipartUpload on its objects',
  }
  const usual = PERMISSIONS[operation] ?? `s3:${operation}`
  const permission = (versioned && OF_VERSIONS[usual]) || usual
  if (operation === 'ListBuckets') return { permission, needs: `${permission} of the ${side}`, ...words }
  if (OF_BUCKETS.includes(operation)) return { permission, needs: `${permission} on the ${side} bucket`, ...words }
  const object = `${permission}${conditional ? ' and s3:GetObject' : ''} on the ${side} object`
  const needs = side === 'source' ? `${object}; without s3:ListBucket a missing object looks the same` : object
  return { permission, needs, ...words }
}

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

module.exports = { amazon, createSession, dialectOf, permissionsOf }

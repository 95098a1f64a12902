'use strict'

const { randomBytes } = require('node:crypto')
const { S3Error, badArgument } = require('./errors')

/**
 * Buckets that keep every version of a key. https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html
 *
 * @typedef {import('./types').Bucket} Bucket
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('./types').DeleteMarker} DeleteMarker
 * @typedef {StoredObject | DeleteMarker} Version
 */

/** The form of an id: another form is answered differently from an id that does not exist. */
const ID = /^[\w-]{32}$/

/** @returns {string} the id of a new version */
function newVersionId() {
  return randomBytes(24).toString('base64url')
}

/**
 * Adds a version as the newest of its key. If its id exists, it replaces that version.
 *
 * @param {Map<string, Version[]>} versions
 * @param {Version} version
 */
function keepVersion(versions, version) {
  const known = versions.get(version.key) ?? []
  const index = known.findIndex(one => one.versionId === version.versionId)
  versions.set(version.key, index === -1 ? [...known, version] : known.with(index, version))
}

/** @param {Map<string, Version[]>} versions @param {string} key @param {string} versionId */
function dropVersion(versions, key, versionId) {
  const rest = (versions.get(key) ?? []).filter(one => one.versionId !== versionId)
  if (rest.length > 0) versions.set(key, rest)
  else versions.delete(key)
}

/** The current object of a key; undefined if its newest version is a delete marker. @param {Map<string, Version[]>} versions @param {string} key @returns {StoredObject | undefined} */
function currentOf(versions, key) {
  const last = versions.get(key)?.at(-1)
  return last && 'deleteMarker' in last ? undefined : last
}

/**
 * Finds the object that a request names.
 *
 * @param {Bucket} bucket
 * @param {string} key
 * @param {string | undefined} versionId the current one when undefined
 * @returns {StoredObject}
 * @throws {S3Error} NoSuchKey, NoSuchVersion, InvalidArgument; MethodNotAllowed if the version is a delete marker
 */
function findObject(bucket, key, versionId) {
  const current = bucket.objects.get(key)
  if (versionId === undefined || (!bucket.versions && !current)) {
    if (current) return current
    const last = bucket.versions?.get(key)?.at(-1)
    throw new S3Error('NoSuchKey', { Key: key, headers: last && versionHeaders(last) })
  }
  const version = findVersion(bucket, key, versionId)
  if (!('deleteMarker' in version)) return version
  throw new S3Error('MethodNotAllowed', { ResourceType: 'DeleteMarker', headers: versionHeaders(version) })
}

/** @param {Bucket} bucket @param {string} key @param {string} versionId @returns {Version} */
function findVersion({ objects, versions }, key, versionId) {
  const found = versions
    ? versions.get(key)?.find(one => one.versionId === versionId)
    : versionId === 'null' && objects.get(key)
  if (found) return found
  if (versions && ID.test(versionId)) throw new S3Error('NoSuchVersion', { Key: key, VersionId: versionId })
  throw badArgument('versionId', versionId)
}

/** @param {Version | undefined} version @returns {Record<string, string>} none if the bucket keeps no versions */
function versionHeaders(version) {
  if (version?.versionId === undefined) return {}
  const headers = { 'x-amz-version-id': version.versionId }
  return 'deleteMarker' in version ? { ...headers, 'x-amz-delete-marker': 'true' } : headers
}

module.exports = { newVersionId, keepVersion, dropVersion, currentOf, findObject, findVersion, versionHeaders }

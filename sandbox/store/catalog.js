'use strict'

/**
 * @typedef {import('./types').Bucket} Bucket
 * @typedef {import('./types').BucketOptions} BucketOptions
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('./types').DeleteMarker} DeleteMarker
 * @typedef {import('./types').StoredPart} StoredPart
 * @typedef {import('./types').Segment} Segment
 * @typedef {import('./types').Upload} Upload
 */

const fs = require('node:fs')
const path = require('node:path')
const { randomBytes } = require('node:crypto')
const { SortedMap } = require('../common/pages')
const { S3Error, badArgument } = require('./errors')

/**
 * The buckets, objects, uploads and parts, in memory, and a journal with one line for each change. A store that is opened on
 * the same folder starts from the journal. Each change is one synchronous step, so that requests never see half of it.
 *
 * @param {string} folder
 */
function openCatalog(folder) {
  /** @type {Map<string, Bucket>} */
  const buckets = new Map()
  /** Of the newest object. */
  let generation = 0n

  function nextGeneration() {
    const now = BigInt(Date.now()) * 1000n
    generation = generation >= now ? generation + 1n : now
    return String(generation)
  }

  /** @type {Record<string, (change: any) => void>} */
  const changes = {
    bucket({ name, versions, ...facts }) {
      const kept = versions && { versions: new Map() }
      buckets.set(name, { name, ...facts, objects: new SortedMap(), ...kept, uploads: new Map() })
    },
    object({ bucket, object }) {
      const { versions } = bucketOf(bucket)
      if (versions) keepVersion(versions, object)
      show(bucketOf(bucket), object.key, versions ? currentOf(versions, object.key) : object)
    },
    noObject({ bucket, key }) {
      show(bucketOf(bucket), key, undefined)
    },
    marker({ bucket, marker }) {
      keepVersion(versionsOf(bucket), marker)
      show(bucketOf(bucket), marker.key, undefined)
    },
    noVersion({ bucket, key, versionId }) {
      dropVersion(versionsOf(bucket), key, versionId)
      show(bucketOf(bucket), key, currentOf(versionsOf(bucket), key))
    },
    upload({ bucket, upload }) {
      bucketOf(bucket).uploads.set(upload.id, { ...upload, parts: new Map() })
    },
    part({ bucket, uploadId, part }) {
      bucketOf(bucket).uploads.get(uploadId)?.parts.set(part.number, part)
    },
    noUpload({ bucket, uploadId }) {
      bucketOf(bucket).uploads.delete(uploadId)
    },
  }

  /** @param {string} name */
  function bucketOf(name) {
    return /** @type {Bucket} */ (buckets.get(name))
  }

  /** The versions of a bucket that keeps them. @param {string} name */
  function versionsOf(name) {
    return /** @type {NonNullable<Bucket['versions']>} */ (bucketOf(name).versions)
  }

  /** @param {Bucket} bucket @param {string} key @param {StoredObject | undefined} object the current one from now on */
  function show({ objects }, key, object) {
    if (object) objects.set(key, object)
    else objects.delete(key)
  }

  const { record, close } = openJournal(path.join(folder, 'journal.ndjson'), changes)

  return {
    buckets: /** @type {ReadonlyMap<string, Bucket>} */ (buckets),
    /** @param {string} name @param {Required<BucketOptions>} options @param {number} createdMs */
    addBucket: (name, options, createdMs) => record('bucket', { name, ...options, createdMs }),
    /**
     * Stores an object. Replaces the object with its key, or with its version id.
     *
     * @param {string} bucket
     * @param {StoredObject} object without a version id it gets a new one
     * @returns {StoredObject} as stored
     */
    putObject(bucket, object) {
      const versioned = bucketOf(bucket).versions && { versionId: object.versionId ?? newVersionId() }
      const kept = { generation: nextGeneration(), ...object, ...versioned }
      record('object', { bucket, object: kept })
      return kept
    },
    /**
     * @param {string} bucket
     * @param {string} key
     * @param {number} nowMs
     * @returns {DeleteMarker | undefined} the delete marker, if versions are kept
     */
    removeObject(bucket, key, nowMs) {
      if (!bucketOf(bucket).versions) {
        record('noObject', { bucket, key })
        return undefined
      }
      const marker = { key, versionId: newVersionId(), modifiedMs: nowMs, deleteMarker: /** @type {const} */ (true) }
      record('marker', { bucket, marker })
      return marker
    },
    /** Deletes a version permanently. @param {string} bucket @param {string} key @param {string} versionId */
    removeVersion: (bucket, key, versionId) => record('noVersion', { bucket, key, versionId }),
    /** @param {string} bucket @param {Omit<Upload, 'parts'>} upload */
    addUpload: (bucket, upload) => record('upload', { bucket, upload }),
    /** @param {string} bucket @param {string} uploadId @param {StoredPart} part */
    putPart: (bucket, uploadId, part) => record('part', { bucket, uploadId, part }),
    /** @param {string} bucket @param {string} uploadId */
    removeUpload: (bucket, uploadId) => record('noUpload', { bucket, uploadId }),
    /** All bytes that objects and parts refer to. @returns {Iterable<Segment>} */
    *segments() {
      for (const { objects, versions, uploads } of buckets.values()) {
        const kept = versions ? [...versions.values()].flat() : objects.values()
        for (const object of kept) if ('segments' in object) yield* object.segments
        for (const { parts } of uploads.values()) for (const { segments } of parts.values()) yield* segments
      }
    },
    close,
  }
}

/**
 * Opens a journal with one line for each change of a store. The changes that it has already are applied first.
 *
 * @param {string} file
 * @param {Record<string, (change: any) => void>} changes what each kind of change does
 */
function openJournal(file, changes) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  // A line that was cut when the store was killed is the last one, and its change was not answered.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) fs.truncateSync(file, Buffer.byteLength(whole))
  for (const line of whole.split('\n').slice(0, -1)) {
    const { type, ...change } = JSON.parse(line)
    changes[type](change)
  }
  /** @type {number | undefined} */
  let journal = fs.openSync(file, 'a')
  return {
    /** @param {string} type @param {object} change */
    record(type, change) {
      changes[type](change)
      if (journal !== undefined) fs.writeSync(journal, `${JSON.stringify({ type, ...change })}\n`)
    },
    close() {
      if (journal !== undefined) fs.closeSync(journal)
      journal = undefined
    },
  }
}

/** @typedef {ReturnType<typeof openCatalog>} Catalog */

/**
 * Buckets that keep every version of a key. https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html
 *
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

module.exports = { openCatalog, findObject, findVersion, versionHeaders }

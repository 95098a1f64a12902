'use strict'

const path = require('node:path')
const { openJournal } = require('../common/journal')
const { compareUtf8 } = require('../common/utf8')
const { currentOf, dropVersion, keepVersion, newVersionId } = require('./versions')

/**
 * @typedef {import('./types').Bucket} Bucket
 * @typedef {import('./types').BucketOptions} BucketOptions
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('./types').DeleteMarker} DeleteMarker
 * @typedef {import('./types').StoredPart} StoredPart
 * @typedef {import('./types').Segment} Segment
 * @typedef {import('./types').Upload} Upload
 * @typedef {import('../common/blobs').Blobs} Blobs
 */

/**
 * The buckets, objects, uploads and parts, in memory, and a journal with one line for each change. A store that is opened on
 * the same folder starts from the journal. Each change is one synchronous step, so that requests never see half of it.
 *
 * @param {string} folder
 * @param {Blobs} blobs
 */
function openCatalog(folder, blobs) {
  /** @type {Map<string, Bucket>} */
  const buckets = new Map()
  /** Keys in the order of their UTF-8 bytes, sorted when a listing needs them. @type {WeakMap<Map<string, unknown>, string[]>} */
  const sorted = new WeakMap()
  /** Of the newest object. */
  let generation = 0n

  function nextGeneration() {
    const now = BigInt(Date.now()) * 1000n
    generation = generation >= now ? generation + 1n : now
    return String(generation)
  }

  /** @type {Record<string, (change: any) => void>} */
  const changes = {
    bucket({ name, region, publicRead, discard, versions, createdMs }) {
      const kept = versions && { versions: new Map() }
      const bucket = { name, region, publicRead, discard, createdMs, objects: new Map(), ...kept, uploads: new Map() }
      buckets.set(name, bucket)
    },
    noBucket({ name }) {
      buckets.delete(name)
    },
    object({ bucket, object }) {
      const { objects, versions } = bucketOf(bucket)
      retain(object.segments)
      const old = versions ? keepVersion(versions, object) : objects.get(object.key)
      show(bucketOf(bucket), object.key, versions ? currentOf(versions, object.key) : object)
      if (old && 'segments' in old) release(old.segments)
    },
    noObject({ bucket, key }) {
      const old = bucketOf(bucket).objects.get(key)
      show(bucketOf(bucket), key, undefined)
      if (old) release(old.segments)
    },
    marker({ bucket, marker }) {
      keepVersion(versionsOf(bucket), marker)
      show(bucketOf(bucket), marker.key, undefined)
    },
    noVersion({ bucket, key, versionId }) {
      const old = dropVersion(versionsOf(bucket), key, versionId)
      show(bucketOf(bucket), key, currentOf(versionsOf(bucket), key))
      if (old && 'segments' in old) release(old.segments)
    },
    upload({ bucket, upload }) {
      bucketOf(bucket).uploads.set(upload.id, { ...upload, parts: new Map() })
    },
    part({ bucket, uploadId, part }) {
      const { parts } = /** @type {Upload} */ (bucketOf(bucket).uploads.get(uploadId))
      const old = parts.get(part.number)
      retain(part.segments)
      parts.set(part.number, part)
      if (old) release(old.segments)
    },
    noUpload({ bucket, uploadId }) {
      const { uploads } = bucketOf(bucket)
      for (const part of uploads.get(uploadId)?.parts.values() ?? []) release(part.segments)
      uploads.delete(uploadId)
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
    if (objects.has(key) !== (object !== undefined)) sorted.delete(objects)
    if (object) objects.set(key, object)
    else objects.delete(key)
  }

  /** @param {Segment[]} segments */
  function retain(segments) {
    for (const segment of segments) if ('blob' in segment) blobs.retain(segment.blob)
  }

  /** @param {Segment[]} segments */
  function release(segments) {
    for (const segment of segments) if ('blob' in segment) blobs.release(segment.blob)
  }

  const { record, close } = openJournal(path.join(folder, 'journal.ndjson'), changes)

  return {
    buckets: /** @type {ReadonlyMap<string, Bucket>} */ (buckets),
    /** @param {string} name @param {Required<BucketOptions>} options @param {number} createdMs */
    addBucket(name, options, createdMs) {
      record('bucket', { name, ...options, createdMs })
    },
    /** @param {string} name */
    removeBucket(name) {
      record('noBucket', { name })
    },
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
    removeVersion(bucket, key, versionId) {
      record('noVersion', { bucket, key, versionId })
    },
    /** @param {string} bucket @param {Omit<Upload, 'parts'>} upload */
    addUpload(bucket, upload) {
      record('upload', { bucket, upload })
    },
    /** @param {string} bucket @param {string} uploadId @param {StoredPart} part */
    putPart(bucket, uploadId, part) {
      record('part', { bucket, uploadId, part })
    },
    /** @param {string} bucket @param {string} uploadId */
    removeUpload(bucket, uploadId) {
      record('noUpload', { bucket, uploadId })
    },
    /**
     * The keys of a bucket's objects, in the order of their UTF-8 bytes. Callers must not change the array.
     *
     * @param {Bucket} bucket
     * @returns {readonly string[]}
     */
    keys({ objects }) {
      let keys = sorted.get(objects)
      if (!keys) {
        keys = [...objects.keys()].sort(compareUtf8)
        sorted.set(objects, keys)
      }
      return keys
    },
    retain,
    release,
    close,
  }
}

/** @typedef {ReturnType<typeof openCatalog>} Catalog */

module.exports = { openCatalog }

'use strict'

/** What the rows of lists say that other programs write: S3 inventories, S3 Batch Operations, rclone. */

const { bad, decodeKey } = require('./records')

/**
 * One row. key: with the prefix, as S3 has it; name: below SRC, as the other formats have it.
 *
 * @typedef {object} ManifestRow
 * @property {string} [key]
 * @property {string} [name]
 * @property {string} [bucket]
 * @property {string} [versionId]
 * @property {number} [bytes]
 * @property {string} [etag] in quotes
 * @property {number} [lastModifiedMs]
 * @property {string} [storageClass] absent for the default class
 * @property {'markers' | 'old'} [left] why it names no object to copy
 */
/** @template R @typedef {(record: R) => ManifestRow | undefined} RowReader undefined: it is no row. It throws `wrong` */

/** @param {string} reason a clause @param {unknown} [cause] */
const wrong = (reason, cause) => bad(undefined, undefined, reason, cause)

/**
 * @template R
 * @param {string} file for messages
 * @param {{ first: number, records: R[] }} batch
 * @param {RowReader<R>} read
 * @throws {import('../types').XferError} BAD_MANIFEST, which says where
 */
function readRows(file, { first, records }, read) {
  return records.map((record, i) => {
    try {
      return read(record)
    } catch (error) {
      const { facts, cause } = /** @type {import('../types').XferError} */ (error)
      throw facts ? bad(file, first + i, facts.reason, cause) : error
    }
  })
}

/** Names of columns of an inventory, as CSV and Parquet write them. @param {string} name */
const columnOf = name => name.toLowerCase().replace(/[^a-z]/g, '')

/** The columns of an inventory that count. */
const COLUMNS = new Set(
  'bucket key versionid islatest isdeletemarker size lastmodifieddate etag storageclass'.split(' '),
)

/**
 * @param {string[]} names of the columns, as the file has them
 * @param {{ encoded: boolean }} how encoded: whether keys are encoded as in URLs
 * @returns {RowReader<any[]>}
 * @throws {import('../types').XferError} BAD_MANIFEST
 */
function inventoryRow(names, { encoded }) {
  /** @type {Record<string, number | undefined>} */
  const { key, bucket, versionid, size, lastmodifieddate, etag, storageclass, isdeletemarker, islatest } =
    Object.fromEntries(names.map((name, i) => [columnOf(name), i]))
  if (key === undefined) throw wrong(`it has no column Key, but ${names.join(', ')}`)
  return fields => {
    if (fields.length !== names.length) {
      throw wrong(`it has ${fields.length} fields in place of ${names.length} (${names.join(', ')})`)
    }
    const at = (/** @type {number | undefined} */ i) =>
      i === undefined || fields[i] === '' ? undefined : (fields[i] ?? undefined)
    const [bytes, time, tag, storageClass] = [at(size), at(lastmodifieddate), at(etag), at(storageclass)]
    return {
      key: keyOf(at(key), encoded),
      bucket: at(bucket),
      versionId: at(versionid),
      bytes: bytes === undefined ? undefined : countOf(bytes),
      lastModifiedMs: time === undefined ? undefined : timeOf(time),
      etag: tag === undefined || /^(?:W\/)?"/.test(tag) ? tag : `"${tag}"`,
      storageClass: storageClass === 'STANDARD' ? undefined : storageClass,
      left: isTrue(at(isdeletemarker)) ? 'markers' : isTrue(at(islatest) ?? true) ? undefined : 'old',
    }
  }
}

/** @type {RowReader<string[]>} */
function batchRow(fields) {
  const [bucket, key, versionId] = fields
  if (fields.length === 2 || fields.length === 3) {
    return { bucket, key: keyOf(key, true), versionId: versionId || undefined }
  }
  throw wrong(`it has ${fields.length} fields, and S3 Batch Operations has bucket,key or bucket,key,versionId`)
}

/** `rclone lsjson`: an array with an object a line, or lines. @type {RowReader<string>} */
function lsjsonRow(line) {
  const text = line.trim().replace(/^\[|[,\]]$/g, '')
  if (text === '') return undefined
  const { Path: name, Size: size, IsDir: folder } = parse(text) ?? {}
  if (folder === true) return undefined
  if (typeof name !== 'string') throw wrong('it has no Path, as rclone lsjson writes it')
  return { name, bytes: size >= 0 ? countOf(size) : undefined }
}

/** `rclone lsf --format sp`. @type {RowReader<string>} */
function lsfRow(line) {
  if (line === '') return undefined
  const [, size, name] = /^(-1|\d+);(.+?)\r?$/.exec(line) ?? []
  if (name === undefined) throw wrong('it is not size;path, as rclone lsf --format sp writes it')
  return name.endsWith('/') ? undefined : { name, bytes: size === '-1' ? undefined : countOf(size) }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw wrong('it is no JSON', cause)
  }
}

/** @param {unknown} value */
const isTrue = value => value === true || String(value).toLowerCase() === 'true'

/** @param {unknown} key @param {boolean} encoded */
function keyOf(key, encoded) {
  if (typeof key !== 'string') throw wrong('it has no key')
  try {
    return encoded ? decodeKey(key) : key
  } catch (cause) {
    throw wrong(`its key ${JSON.stringify(key)} is not encoded as in URLs`, cause)
  }
}

/** @param {unknown} value */
function countOf(value) {
  const bytes = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(bytes)) return bytes
  throw wrong(`its size ${JSON.stringify(String(value))} is no number of bytes`)
}

/** @param {any} value @returns {number} epoch milliseconds */
function timeOf(value) {
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value)
  if (Number.isNaN(ms)) throw wrong(`its time ${JSON.stringify(String(value))} is no time`)
  return ms
}

module.exports = { COLUMNS, batchRow, columnOf, inventoryRow, lsfRow, lsjsonRow, readRows }

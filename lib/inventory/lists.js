'use strict'

/** The formats whose rows are lines or plain CSV: S3 Batch Operations, xfer's own manifests, and lists of rclone. */

const { bad, countOf, keyOf, quoted } = require('./rows')

/** @typedef {import('./rows').Row} Row */
/** @typedef {(row: string, number: number) => Row} ReadLine */

/** A line that is no row. @type {Row} */
const NO_ROW = { left: 'other' }

/** @param {string} file @returns {(fields: string[], number: number) => Row} */
function batchRow(file) {
  return (fields, number) => {
    const [bucket, key, versionId] = fields
    if (fields.length !== 2 && fields.length !== 3) {
      throw bad(
        file,
        number,
        `it has ${fields.length} fields, and S3 Batch Operations has bucket,key or bucket,key,versionId`,
      )
    }
    return { bucket, key: keyOf(file, number, key, true), versionId: versionId || undefined }
  }
}

/** @param {string} file @param {number | undefined} number @param {string} line */
function parse(file, number, line) {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw bad(file, number, 'it is no JSON', cause)
  }
}

/** Actions of rows that name an object of the source. */
const OF_SOURCE = /^(?:cop|skip|mov|fail)/

/**
 * @param {string} file
 * @param {{ copies: boolean }} how copies: SRC is where the copies were written, not where they came from
 * @returns {ReadLine}
 */
function ownRow(file, { copies }) {
  return (line, number) => {
    const row = parse(file, number, line)
    if (row?.type === 'seal' && row.lines !== number - 1)
      throw bad(file, number, `it seals ${row.lines} lines, and ${number - 1} are there`)
    if (typeof row?.name !== 'string' || !OF_SOURCE.test(row.action)) return NO_ROW
    const { etag, versionId, lastModified } = (copies ? row : row.source) ?? {}
    const lastModifiedMs = lastModified === undefined ? Number.NaN : Date.parse(lastModified)
    return {
      name: row.name,
      ...(row.bytes !== undefined && { bytes: countOf(file, number, row.bytes) }),
      ...(etag && { etag: quoted(etag) }),
      ...(versionId && { versionId }),
      ...(!Number.isNaN(lastModifiedMs) && { lastModifiedMs }),
    }
  }
}

/** `rclone lsjson`: an array with an object a line, or lines. @param {string} file @returns {ReadLine} */
function lsjsonRow(file) {
  return (line, number) => {
    const text = line
      .trim()
      .replace(/^\[/, '')
      .replace(/[,\]]$/, '')
    if (text === '') return NO_ROW
    const { Path: name, Size: size, IsDir: folder } = parse(file, number, text) ?? {}
    if (folder === true) return NO_ROW
    if (typeof name !== 'string') throw bad(file, number, 'it has no Path, as rclone lsjson writes it')
    return { name, ...(size >= 0 && { bytes: countOf(file, number, size) }) }
  }
}

/** `rclone lsf --format sp`. @param {string} file @returns {ReadLine} */
function lsfRow(file) {
  return (line, number) => {
    if (line === '') return NO_ROW
    const [, size, name] = /^(-1|\d+);(.+)$/.exec(line) ?? []
    if (name === undefined) throw bad(file, number, 'it is not size;path, as rclone lsf --format sp writes it')
    if (name.endsWith('/')) return NO_ROW
    return { name, ...(size !== '-1' && { bytes: countOf(file, number, size) }) }
  }
}

module.exports = { batchRow, lsfRow, lsjsonRow, ownRow, parse }

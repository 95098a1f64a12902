'use strict'

/**
 * The lines of a manifest that xfer writes: NDJSON, or CSV where the file's name ends in `.csv`. A line is a record of an object;
 * what is said of the manifest itself (its head, its seal) is JSON in both, in CSV behind `# `.
 */

const { sameEtag } = require('../integrity')
const { csvCell, csvRecords, decodeKey, encodeKey } = require('./records')

/** @typedef {import('../types').ManifestLine} ManifestLine */

const VERSION = 1
/** Of CSV. */
const COLUMNS = [
  ...['action', 'name', 'bytes', 'etag', 'versionId', 'sourceEtag', 'sourceVersionId', 'sourceLastModified'],
  ...['sums', 'proof', 'time', 'why'],
]
const HEADER = COLUMNS.join(',')

/** @type {(action: ManifestLine['action'], name: string, copied?: any, source?: any) => ManifestLine} */
function lineOf(action, name, { bytes, etag, versionId, sums, proof, read } = {}, source = undefined) {
  // What was read is what was copied; its time may be known from the list alone.
  const replaced = read && !sameEtag(read.etag ?? '', source?.etag ?? '')
  const from = replaced ? read : { ...source, ...(read?.versionId !== undefined && { versionId: read.versionId }) }
  return { action, name, bytes, etag, versionId, source: sourceOf(from), sums, proof, time: new Date().toISOString() }
}

/** @param {Partial<import('../types').ListedObject>} object */
function sourceOf({ etag, versionId, lastModifiedMs }) {
  const lastModified = lastModifiedMs === undefined ? undefined : new Date(lastModifiedMs).toISOString()
  return { etag: etag || undefined, versionId, lastModified }
}

/** @param {unknown} value */
const isText = (value = '') => typeof value === 'string'

/** @param {unknown} value */
const areTexts = (value = {}) => typeof value === 'object' && value !== null && Object.values(value).every(isText)

/**
 * Whether a record is of an object: that it was sealed does not say that each field is what it should be.
 *
 * @param {any} record
 * @returns {record is ManifestLine}
 */
function isLine(record) {
  const { action, name, bytes = 0, etag, versionId, source, sums, proof = [], time, why } = record
  const sized = Number.isSafeInteger(bytes) && bytes >= 0
  const named = action !== undefined && name !== undefined && [action, name, etag, versionId, time, why].every(isText)
  return named && sized && areTexts(source) && areTexts(sums) && Array.isArray(proof) && proof.every(isText)
}

/** @param {any} record @returns {record is import('../types').ManifestHead} */
function isHead(record) {
  const { type, version, source, destination } = record ?? {}
  return type === 'manifest' && version === VERSION && typeof source === 'string' && typeof destination === 'string'
}

/**
 * What a line says of the object to copy.
 *
 * @param {ManifestLine} line
 * @param {{ of: 'sources' | 'copies' | 'either' }} how which objects are to be copied; either: it is not known, so only what is the same
 *   of both counts
 * @returns {import('./rows').ManifestRow | undefined} undefined: there is none
 */
function rowOfLine({ action, name, bytes, ...line }, { of }) {
  if (action === 'delete') return undefined
  const { source = {} } = line
  const same = (/** @type {'etag' | 'versionId'} */ field) => (line[field] === source[field] ? line[field] : undefined)
  const copy = of === 'either' ? { etag: same('etag'), versionId: same('versionId') } : line
  /** @type {NonNullable<ManifestLine['source']>} */
  const { etag, versionId, lastModified = '' } = of === 'sources' ? source : copy
  const lastModifiedMs = Date.parse(lastModified)
  return { name, bytes, etag, versionId, lastModifiedMs: Number.isNaN(lastModifiedMs) ? undefined : lastModifiedMs }
}

/** @param {boolean} csv whether the form is CSV */
function encoderOf(csv) {
  const meta = (/** @type {object} */ record) => (csv ? '# ' : '') + JSON.stringify(record)
  return {
    meta,
    /** What the file begins with. @param {object} head @returns {string[]} */
    head: head => [meta({ type: 'manifest', version: VERSION, ...head }), ...(csv ? [HEADER] : [])],
    line: csv ? csvLine : (/** @type {ManifestLine} */ line) => JSON.stringify(line),
  }
}

/** @param {ManifestLine} line */
function csvLine({ name, source = {}, sums = {}, proof, ...line }) {
  /** @type {Record<string, unknown>} */
  const cells = {
    ...line,
    // A record is a line, whatever the key is.
    name: encodeKey(name),
    sourceEtag: source.etag,
    sourceVersionId: source.versionId,
    sourceLastModified: source.lastModified,
    sums: Object.entries(sums).flat().join(' '),
    proof: proof?.join(' '),
  }
  return COLUMNS.map(column => csvCell(cells[column])).join(',')
}

/** @param {string} text @returns {any} */
function readCsvLine(text) {
  const [cells = []] = csvRecords(text, true).records
  if (cells.length !== COLUMNS.length) return undefined
  const given = Object.fromEntries(COLUMNS.map((column, i) => [column, cells[i] || undefined]))
  const { name = '', bytes, sums, proof, sourceEtag, sourceVersionId, sourceLastModified, ...line } = given
  return {
    ...line,
    name: decodeKey(name),
    bytes: bytes && Number(bytes),
    source: { etag: sourceEtag, versionId: sourceVersionId, lastModified: sourceLastModified },
    sums: sums && Object.fromEntries([...sums.matchAll(/(\S+) (\S+)/g)].map(([, sum, value]) => [sum, value])),
    proof: proof?.split(' '),
  }
}

/** @param {string} text of either form @returns {any} a record, `{ type: 'columns' }`, or undefined: it is none */
function decode(text) {
  if (text === HEADER) return { type: 'columns' }
  try {
    return /^(?:# )?\{/.test(text) ? JSON.parse(text.replace(/^# /, '')) : readCsvLine(text)
  } catch {
    return undefined
  }
}

module.exports = { decode, encoderOf, isHead, isLine, lineOf, rowOfLine }

'use strict'

/**
 * The two forms of a manifest: NDJSON, and CSV where the file's name ends in `.csv`. A line is a record; what is said of the
 * manifest itself (its head, its seal) is JSON in both, in CSV behind `# `. Pure.
 */

/** @typedef {import('../types').ManifestLine} ManifestLine */
/** @typedef {ManifestLine | import('../types').ManifestHead | import('../types').ManifestSeal | { columns: true }} ManifestRecord */

/** @typedef {{ head: (head: object) => string[], meta: (record: object) => string, encode: (line: ManifestLine) => string, decode: (text: string) => any }} Form head:
 *   the lines that a manifest begins with; decode: undefined if it is no line */

const COLUMNS = [
  ...['action', 'name', 'bytes', 'etag', 'versionId', 'sourceEtag', 'sourceVersionId', 'sourceLastModified'],
  ...['sums', 'proof', 'time', 'why'],
]
const HEADER = COLUMNS.join(',')

/** @param {string} text */
function parsed(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** @type {Form} */
const NDJSON = {
  head: head => [JSON.stringify(head)],
  meta: JSON.stringify,
  encode: JSON.stringify,
  decode: parsed,
}

/** @param {unknown} value */
function cell(value = '') {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @type {Form} */
const CSV = {
  head: head => [CSV.meta(head), HEADER],
  meta: record => `# ${JSON.stringify(record)}`,
  encode({ name, source = {}, sums = {}, proof, ...line }) {
    /** @type {Record<string, unknown>} */
    const cells = {
      ...line,
      // A line is a record, whatever the key is.
      name: encodeURIComponent(name).replaceAll('%2F', '/'),
      sourceEtag: source.etag,
      sourceVersionId: source.versionId,
      sourceLastModified: source.lastModified,
      sums: Object.entries(sums).flat().join(' '),
      proof: proof?.join(' '),
    }
    return COLUMNS.map(column => cell(cells[column])).join(',')
  },
  decode(text) {
    if (text.startsWith('# ')) return parsed(text.slice(2))
    if (text === HEADER) return { columns: true }
    const found = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)/g)]
    if (found.length !== COLUMNS.length) return undefined
    const values = found.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare)
    const given = Object.fromEntries(
      COLUMNS.map((column, i) => [column, values[i]]).filter(([, value]) => value !== ''),
    )
    const { name = '', bytes, sums, proof, sourceEtag, sourceVersionId, sourceLastModified, ...line } = given
    /** @type {string[]} */
    const words = sums?.split(' ') ?? []
    try {
      return {
        ...{ ...line, name: decodeURIComponent(name) },
        ...(bytes && { bytes: Number(bytes) }),
        source: { etag: sourceEtag, versionId: sourceVersionId, lastModified: sourceLastModified },
        sums: Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1]]]))),
        ...(proof && { proof: proof.split(' ') }),
      }
    } catch {
      return undefined
    }
  },
}

/** @param {string} path or a location @returns {Form} */
const formOf = path => (path.toLowerCase().endsWith('.csv') ? CSV : NDJSON)

module.exports = { formOf }

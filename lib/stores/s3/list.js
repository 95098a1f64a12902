'use strict'

/**
 * Requests and reads pages of ListObjectsV2. A list that contradicts itself or the request is an error. Missing elements that
 * a copy does not need are only reported (`lacks`). https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */

const { XferError } = require('../../errors')
const { foldersOf, quoted, readCount, readTime } = require('../common')

/** The default storage class, which our lists leave out. */
const USUAL_CLASS = 'STANDARD'

/**
 * The request for one page. Keys are requested in percent-encoding, because XML cannot contain all characters, and XML parsers
 * change some others.
 *
 * @param {{ prefix: string, marker?: string, after?: string, most?: number, delimiter?: string }} list
 * @returns {import('./calls').AskedCall['query']}
 */
function listQuery({ prefix, marker, after, most, delimiter }) {
  return {
    prefix,
    delimiter,
    'max-keys': most,
    'encoding-type': 'url',
    ...(marker === undefined ? { 'start-after': after || undefined } : { 'continuation-token': marker }),
  }
}

/**
 * @param {Record<string, any>} values of the document
 * @param {{ bucket: string, prefix: string, marker?: string, after?: string, delimiter?: string }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {Awaited<ReturnType<import('../../types').ListObjects>>}
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE; LISTING_DISORDERED if the list says that more follows, but not how to get it
 */
function readList(values, asked, facts) {
  const { Name, Prefix, KeyCount, Contents, CommonPrefixes, NextMarker, Marker = NextMarker } = values
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  const after = (asked.marker === undefined && asked.after) || undefined
  const truncated = beginList('a list', values, Contents, { ...asked, after }, facts)
  if (asked.delimiter === undefined && values.Delimiter)
    throw wrong('it lists folders, and was asked for all that is in them')
  const count = readCount(KeyCount)
  const named = Contents.length + CommonPrefixes.length
  if (count !== undefined && count > named) throw wrong(`it counts ${count} keys in a list, and names ${named}`)
  const encoded = /^url$/i.test(values.EncodingType ?? values['Encoding-Type'] ?? '')
  const read = encoded ? decodeKey : asWritten
  /** @type {Array<import('../../types').ListedObject>} */
  const objects = []
  for (const entry of Contents) objects.push(readEntry(entry, read, wrong))
  const folders = CommonPrefixes.map((/** @type {{ Prefix?: string }} */ { Prefix: text = '' }) => read(text).key)
  const token = values.NextContinuationToken || undefined
  // Such a server ignores where a list is to begin.
  const isFirstVersion = Marker !== undefined && count === undefined && token === undefined
  if (isFirstVersion && (truncated || after !== undefined)) {
    const reason = 'it lists objects by version 1 only (ListObjects), and xfer by version 2 (ListObjectsV2)'
    const advice = 'Name the objects with --files-from, or use a newer version of the server.'
    throw new XferError('NOT_A_STORE', { ...facts, reason, advice })
  }
  // Ending here would treat the keys that follow as missing.
  if (truncated && token === undefined) {
    const reason = 'it says that there is more, and not how to ask for that'
    throw new XferError('LISTING_DISORDERED', { ...facts, reason })
  }
  const next = truncated === false ? undefined : token
  const lacks = [
    ...(Name ? [] : ['Name']),
    ...(Prefix || asked.prefix === '' ? [] : ['Prefix']),
    ...(count === undefined ? ['KeyCount'] : []),
    ...(truncated === undefined ? ['IsTruncated'] : []),
    // It says that nothing follows, and how to continue.
    ...(truncated === false && token !== undefined ? ['an end'] : []),
  ]
  return { objects, ...foldersOf(folders, asked, wrong), next, ...(lacks.length > 0 && { lacks }) }
}

/**
 * What all kinds of lists begin with.
 *
 * @param {string} what names the answer in errors, with its article
 * @param {Record<string, any>} values of the document
 * @param {unknown[]} entries of it
 * @param {Parameters<typeof checkEcho>[1]} asked
 * @param {Record<string, any>} facts of the store
 * @returns {boolean | undefined} whether more follows; undefined if it does not tell
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE
 */
function beginList(what, values, entries, asked, facts) {
  const truncated = readFlag(values.IsTruncated, facts)
  const told = [values.Name, values.Bucket, values.Key, values.UploadId, truncated]
  if (entries.length === 0 && told.every(value => value === undefined)) {
    throw new XferError('NOT_A_STORE', { ...facts, reason: 'a list is answered with something else' })
  }
  checkEcho(what, asked, values, facts)
  return truncated
}

/**
 * @param {Record<string, string | undefined>} entry
 * @param {(text: string) => ListedKey} read
 * @param {(reason: string) => import('../../types').XferError} wrong
 * @returns {import('../../types').ListedObject}
 */
function readEntry({ Key, Size, ETag, LastModified, StorageClass }, read, wrong) {
  if (!Key) throw wrong('it lists an object without its key')
  const bytes = readCount(Size)
  if (bytes === undefined) throw wrong(`it lists ${quoted(Key)} without its size`)
  const { key, doubtful } = read(Key)
  return {
    key,
    bytes,
    etag: ETag ?? '',
    lastModifiedMs: readTime(LastModified),
    // Always present, so that V8 gives all objects the same shape: lists are long.
    storageClass: StorageClass === USUAL_CLASS ? undefined : StorageClass || undefined,
    ...(doubtful && { doubtful }),
  }
}

/**
 * @param {string | undefined} text
 * @param {Record<string, any>} facts
 * @returns {boolean | undefined}
 */
function readFlag(text, facts) {
  const word = text?.trim().toLowerCase()
  if (!word) return undefined
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  const reason = `it says ${quoted(word)} where a list says whether there is more`
  throw new XferError('BAD_ANSWER', { ...facts, reason })
}

/** @typedef {{ key: string, doubtful: boolean }} ListedKey doubtful: the real key differs, and cannot be known */

/** Stores that do not encode keys (versitygw) write U+FFFD for characters that XML cannot contain. @param {string} text @returns {ListedKey} */
function asWritten(text) {
  return { key: text, doubtful: text.includes('\ufffd') }
}

/**
 * S3 encodes a space as `+`, others as `%20`. All of them encode a plus as `%2B`.
 *
 * @param {string} text
 * @returns {ListedKey}
 */
function decodeKey(text) {
  if (!/[%+]/.test(text)) return { key: text, doubtful: false }
  const spaced = text.replaceAll('+', ' ')
  try {
    return { key: decodeURIComponent(spaced), doubtful: false }
  } catch {
    // The key is not UTF-8: wrong bytes become U+FFFD.
    const decoded = spaced.replace(/(?:%[0-9a-f]{2})+/gi, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    return { key: decoded, doubtful: true }
  }
}

/** Access points of AWS: their answers name the bucket that they give access to. https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html */
const ACCESS_POINT = /^arn:|-s3alias$|--ol-s3$/
/** Characters that XML cannot contain. Some stores write another character in their place. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * @param {string} what names the answer in the error, with its article
 * @param {{ bucket: string, key?: string, prefix?: string, after?: string }} asked after: the key that a list was to begin behind
 * @param {Record<string, any>} values of the answer
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function checkEcho(what, { bucket, key, prefix, after }, { Bucket, Name = Bucket, Key, Prefix, StartAfter }, facts) {
  /** @type {Array<[name: string, said: string | undefined, meant: string | undefined, same: (said: string, meant: string) => boolean]>} */
  const texts = [
    ['bucket', Name, bucket, isSameBucket],
    ['key', Key, key, isSameKey],
    ['prefix', Prefix, prefix, isSameText],
    ['beginning', StartAfter, after, isSameText],
  ]
  for (const [name, said, meant, same] of texts) {
    if (!said || meant === undefined || same(said, meant)) continue
    const reason = `it answers ${what} for the ${name} ${quoted(meant)} with one for ${quoted(said)}`
    throw new XferError('BAD_ANSWER', { ...facts, reason })
  }
}

/** @param {string} said @param {string} asked */
function isSameBucket(said, asked) {
  // Ceph names a bucket of another tenant without the tenant: https://docs.ceph.com/en/latest/radosgw/multitenancy/
  return said === asked || ACCESS_POINT.test(asked) || said === asked.slice(asked.lastIndexOf(':') + 1)
}

/**
 * Whether the texts are equal, percent-encoded or not: some stores encode although they say that they do not, or the reverse.
 * XML may also change line ends.
 *
 * @param {string} said
 * @param {string} meant
 */
function isSameText(said, meant) {
  return [said, decodeKey(said).key].some(text => asInXml(text) === asInXml(meant))
}

/** Some stores resolve keys as paths; whether that is allowed is checked elsewhere. @param {string} said @param {string} meant */
function isSameKey(said, meant) {
  return isSameText(said, meant) || isSameText(pathOf(said), pathOf(meant))
}

/** @param {string} key */
function pathOf(key) {
  /** @type {string[]} */
  const path = []
  for (const name of key.split('/')) {
    if (name === '..') path.pop()
    else if (name !== '' && name !== '.') path.push(name)
  }
  return path.join('/')
}

/** @param {string} text */
function asInXml(text) {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '\ufffd')
}

module.exports = { beginList, checkEcho, listQuery, readList }

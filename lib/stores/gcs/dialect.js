'use strict'

/**
 * The dialect of Google Cloud Storage: its XML API, signed with HMAC keys as GOOG4-HMAC-SHA256. Google refuses a request with
 * headers of both kinds (x-amz-* and x-goog-*), and its conditions are x-goog-*, so all requests are made of x-goog-* alone.
 * docs/design/google.md says what is documented, what others measured, and what is not known.
 * https://cloud.google.com/storage/docs/xml-api/overview, https://cloud.google.com/storage/docs/xml-api/reference-headers
 */

const { createHash } = require('node:crypto')
const { sumsIn } = require('../../../actions/copy-range/answers')
const { XferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { CONTENT_HEADERS, mtime } = require('../common')

/** Of buckets. https://cloud.google.com/storage/docs/buckets#naming @type {import('../common/objects').NameRule[]} */
const NAME_RULES = [
  { breaks: /^.{0,2}$|^.{223}|[^.]{64}/, says: 'is not 3 to 63 characters long, or 222 with dots' },
  { breaks: /[A-Z]/, says: 'has upper case letters' },
  { breaks: /[^A-Za-z0-9._-]/, says: 'has characters other than letters, digits, dots, hyphens and underscores' },
  {
    breaks: /(?:^|\.)(?![A-Za-z0-9])|(?<![A-Za-z0-9])(?:\.|$)/,
    says: 'does not begin and end with a letter or a digit, before and after each dot too',
  },
  { breaks: /^\d+(?:\.\d+){3}$/, says: 'looks like an IP address' },
  { breaks: /^goog|g[o0]{2}g[l1]e/, says: 'begins with goog, or has google or the like', follows: 'which is reserved' },
  { breaks: /\./, says: 'has dots', follows: 'only who has proved to own that domain creates it', allowed: true },
]

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** What Google's answers to data requests mean: https://cloud.google.com/storage/docs/xml-api/get-object-download */
const META = 'x-goog-meta-'
const HASH = 'x-goog-hash'

/** https://cloud.google.com/storage/docs/xml-api/reference-status @type {AnswerRule['errorCode']} */
const errorCode = { xml: ['Error', 'Code'] }
/** @type {AnswerRule['errorMessage']} */
const errorMessage = { xml: ['Error', 'Details', 'Message'] }

/** @type {AnswerRule} */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  checksums: [
    { sum: 'crc32c', header: HASH, encoding: 'base64', member: 'crc32c' },
    { sum: 'md5', header: HASH, encoding: 'base64', member: 'md5' },
  ],
  describes: {
    names: [...CONTENT_HEADERS, 'x-goog-storage-class', 'x-goog-encryption-kms-key-name', 'x-goog-object-lock-mode'],
    prefixes: [META],
    defaults: { 'x-goog-storage-class': 'STANDARD' },
  },
  tells: ['x-goog-generation', 'last-modified', HASH],
  errorCode,
  errorMessage,
}

/** Of a part and of a whole object. @type {AnswerRule} */
const WRITE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-goog-generation', HASH, 'x-goog-encryption-kms-key-name'],
  errorCode,
  errorMessage,
}

/**
 * The checksums in `x-goog-hash: crc32c=…,md5=…`. The header may also come twice, with one each.
 *
 * @param {Record<string, string>} headers names in lower case
 */
function readSums(headers) {
  return sumsIn(headers, READ.checksums)
}

const AMAZON = 'x-amz-'
const GOOGLE = 'x-goog-'
/** The customer key: https://cloud.google.com/storage/docs/encryption/customer-supplied-keys */
const CUSTOMER = 'server-side-encryption-customer-'

/** Headers without a counterpart: checksums, and who pays, which Google tells by a project. */
const LEFT_OUT = /^x-amz-(?:checksum-|request-payer$|mp-object-size$|tagging|trailer$)/

/**
 * @param {import('../s3/types').Words} words
 * @returns {import('../s3/types').Words}
 */
function translate({ method, query, headers }) {
  /** @type {Record<string, string>} */
  const own = {}
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.test(name)) continue
    const [meant, told] = translateHeader(name, value, headers)
    own[meant] = told
  }
  const parameters = Object.entries(query)
  return {
    method,
    query: Object.fromEntries(parameters.map(([name, value]) => [name === 'versionId' ? 'generation' : name, value])),
    headers: own,
  }
}

/** @param {string} name @param {string} value @param {Record<string, string>} headers @returns {[name: string, value: string]} */
function translateHeader(name, value, headers) {
  if (!name.startsWith(AMAZON)) return [name, value]
  const rest = name.slice(AMAZON.length)
  if (!rest.includes(CUSTOMER)) return [GOOGLE + rest, value]
  const meant = GOOGLE + rest.replace(CUSTOMER, 'encryption-')
  if (!rest.endsWith('-md5')) return [meant, value]
  // Amazon is told the MD5 of the key, Google its SHA-256.
  const key = Buffer.from(headers[name.slice(0, -'-md5'.length)] ?? '', 'base64')
  return [meant.replace(/-md5$/, '-sha256'), createHash('sha256').update(key).digest('base64')]
}

/** @type {Record<string, string>} */
const NAMES = {
  'x-goog-generation': 'x-amz-version-id',
  'x-goog-storage-class': 'x-amz-storage-class',
  'x-goog-object-lock-mode': 'x-amz-object-lock-mode',
  'x-goog-encryption-kms-key-name': 'x-amz-server-side-encryption-aws-kms-key-id',
}

/**
 * @param {Record<string, string>} headers names in lower case
 * @returns {Record<string, string>}
 */
function readAnswer(headers) {
  /** @type {Record<string, string>} */
  const read = {}
  for (const [name, value] of Object.entries(headers)) {
    const meant = name.startsWith(META) ? `x-amz-meta-${name.slice(META.length)}` : (NAMES[name] ?? name)
    read[meant] = value
  }
  if (headers['x-goog-encryption-kms-key-name'] !== undefined) read['x-amz-server-side-encryption'] = 'aws:kms'
  // An answer about an object that Google could decompress may leave out both.
  const { 'x-goog-stored-content-encoding': encoding, 'x-goog-stored-content-length': length } = headers
  if (read['content-length'] === undefined && length !== undefined) read['content-length'] = length
  if (read['content-encoding'] === undefined && encoding !== undefined && encoding !== 'identity') {
    read['content-encoding'] = encoding
  }
  return read
}

/** @type {Record<string, string>} */
const NO_HEADERS = {}

/** Of gsutil and gcloud, in whole seconds. https://cloud.google.com/storage/docs/gsutil/commands/cp */
const OF_GSUTIL = 'goog-reserved-file-mtime'

/**
 * rclone writes both: https://rclone.org/googlecloudstorage/#modification-times
 *
 * @type {import('../contract').MtimeConvention}
 */
const MTIME = {
  names: ['mtime', OF_GSUTIL],
  // By the S3 protocol rclone writes seconds.
  read: user =>
    mtime.MTIME_IN_RFC_3339.read(user) ?? mtime.secondsIn(user, 'mtime') ?? mtime.secondsIn(user, OF_GSUTIL),
  write: seconds => ({ ...mtime.MTIME_IN_RFC_3339.write(seconds), [OF_GSUTIL]: seconds.replace(/\..*$/, '') }),
}

/**
 * The permissions that Google's requests need, for error messages.
 * https://cloud.google.com/storage/docs/access-control/iam-xml
 *
 * @type {Record<string, readonly string[]>}
 */
const PERMISSIONS = {
  'storage.buckets.get': ['HeadBucket'],
  'storage.buckets.list': ['ListBuckets'],
  'storage.buckets.create': ['CreateBucket'],
  'storage.objects.list': ['ListObjectsV2'],
  'storage.objects.create': ['PutObject', 'CopyObject'],
  'storage.objects.delete': ['DeleteObject', 'DeleteObjects'],
  'storage.multipartUploads.create': ['CreateMultipartUpload', 'CompleteMultipartUpload'],
  'storage.multipartUploads.abort': ['AbortMultipartUpload'],
  'storage.multipartUploads.listParts': ['ListParts'],
  'storage.multipartUploads.list': ['ListMultipartUploads'],
}

/** @type {import('../s3/types').Dialect['permissions']} */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional }) {
  const [permission = 'storage.objects.get'] =
    Object.entries(PERMISSIONS).find(([, of]) => of.includes(operation)) ?? []
  const also = conditional ? ' and storage.objects.get' : ''
  return {
    permission,
    // The answer to a request that the organisation's policy forbids has no code of its own.
    needs: `${permission}${also} on the ${side} bucket, and that its organisation allows HMAC keys (the constraint storage.restrictAuthTypes)`,
    needsForTags: 'a store that has tags',
    needsToClear: 'storage.multipartUploads.list and storage.multipartUploads.abort on the bucket',
  }
}

/** Generations are kept of the objects that were asked for last. A read without one names the ETag. */
const MOST_KNOWN = 1_000

/** @returns {import('../s3/types').Versions} */
function createVersions() {
  /** @type {Map<string, { etag: string, versionId: string }>} */
  const known = new Map()
  /** @param {string} key @param {string} etag */
  const versionOf = (key, etag) => {
    const object = known.get(key)
    return object && sameEtag(object.etag, etag) ? object.versionId : undefined
  }

  return {
    note(key, { etag, versionId }) {
      if (versionId === undefined) return
      known.delete(key)
      known.set(key, { etag, versionId })
      if (known.size > MOST_KNOWN) known.delete(/** @type {string} */ (known.keys().next().value))
    },
    ofRead(key, etag) {
      const version = versionOf(key, etag)
      return version === undefined ? undefined : { 'x-goog-if-generation-match': version }
    },
    ofCopy(key, etag, versionId = versionOf(key, etag)) {
      if (versionId === undefined) return undefined
      return {
        'x-goog-copy-source-generation': versionId,
        'x-goog-copy-source-if-generation-match': versionId,
      }
    },
  }
}

/** @type {import('../s3/types').Dialect} */
const google = {
  name: 'google',
  names: NAME_RULES,
  protocol: 'Google Cloud Storage',
  signature: {
    algorithm: 'GOOG4-HMAC-SHA256',
    secretPrefix: 'GOOG4',
    service: 'storage',
    terminator: 'goog4_request',
    headerPrefix: 'x-goog-',
  },
  region: 'auto',
  translate,
  read: readAnswer,
  // Without it Google decompresses objects with the Content-Encoding gzip, and ignores the range.
  // https://cloud.google.com/storage/docs/transcoding
  readHeaders: { 'accept-encoding': 'gzip' },
  // Google's front end rewrites Accept-Encoding before the signature is checked.
  unsigned: new Set(['accept-encoding', 'connection', 'expect', 'user-agent']),
  rules: { read: READ, write: WRITE },
  sums: readSums,
  mtime: MTIME,
  contentHeaders: CONTENT_HEADERS,
  abilities: {
    sumAt: 'answer',
    // The ETag of a part is documented as a text to send back, nothing more; that of an object made of parts is no MD5.
    partTag: 'opaque',
    sums: { stored: ['crc32c', 'md5'], checked: [], answered: ['crc32c', 'md5'], computed: ['crc32c'] },
    // https://cloud.google.com/storage/docs/consistency
    consistent: true,
    listsUploadsByPrefix: true,
  },

  /** Conditions name a generation; 0 stands for no object. https://cloud.google.com/storage/docs/request-preconditions */
  async conditions({ ifNoneMatch, ifMatch }, head) {
    if (ifNoneMatch) return { 'x-goog-if-generation-match': '0' }
    if (ifMatch === undefined) return NO_HEADERS
    const there = await head()
    if (!there?.versionId || !sameEtag(there.etag, ifMatch)) {
      throw new XferError('DESTINATION_EXISTS', { status: 412, reason: 'the object there has another ETag' })
    }
    return { 'x-goog-if-generation-match': there.versionId }
  },
  createVersions,
  // Nothing but a header keeps compressed objects as they are, which a URL cannot demand.
  lacks: new Set(['partSize', 'partCopies', 'archives', 'completionConditions', 'lending']),
  // "Preconditions cannot be used in XML API multipart uploads."
  heeds: ({ upload }) => !upload,

  refuses({ encryption }) {
    return encryption && 'it encrypts with the key that its bucket is set to'
  },
  permissions: permissionsOf,
  // https://cloud.google.com/storage/docs/xml-api/reference-status
  errors: {
    CREDENTIALS_REFUSED: ['InvalidSecurity', 'AuthenticationRequired'],
    ACCESS_DENIED: ['UserProjectAccessDenied'],
  },
}

module.exports = { google }

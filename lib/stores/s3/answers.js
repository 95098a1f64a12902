'use strict'

/**
 * What the headers of S3's answers mean: rules for the action, checksums, and an object's attributes, which are translated to our own
 * shape and back. In a header's value each character is one byte, as Node.js reads and sends it.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 */

const { describing, sumsIn } = require('../../../actions/copy-range/answers')
const { FRAMING } = require('../../../actions/copy-range/dialects')
const { mailSafe } = require('../../http')
const { CONTENT_HEADERS, metadataIn, mtime, tagQuery, usage } = require('../common')

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** User metadata: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const META = 'x-amz-meta-'
const STORAGE_CLASS = 'x-amz-storage-class'
const TAG_COUNT = 'x-amz-tagging-count'
const ENCRYPTION = 'x-amz-server-side-encryption'
const KEY_ID = 'x-amz-server-side-encryption-aws-kms-key-id'
const REDIRECT = 'x-amz-website-redirect-location'

/** @type {Array<'crc32' | 'crc32c' | 'crc64nvme'>} */
const CRCS = ['crc32', 'crc32c', 'crc64nvme']
/** The header with a checksum of the object. @param {import('../../types').Sum} sum */
const sumHeader = sum => `x-amz-checksum-${sum}`
const CRC32 = sumHeader('crc32')
/** Whether they are of the whole object, or of its parts' checksums. */
const SUM_TYPE = 'x-amz-checksum-type'
const FULL = 'FULL_OBJECT'
const SUM_HEADERS = [...CRCS.map(sumHeader), SUM_TYPE]

/** "Error responses" in the Amazon S3 API reference. @type {AnswerRule['errorCode']} */
const errorCode = { xml: ['Error', 'Code'] }
/** @type {AnswerRule['errorMessage']} */
const errorMessage = { xml: ['Error', 'Details', 'Message'] }

/** @type {AnswerRule} */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  // Stores older than the type give a composite checksum a number of parts after a dash, which is no base64.
  checksums: CRCS.map(sum => ({
    sum,
    header: sumHeader(sum),
    encoding: 'base64',
    only: { header: SUM_TYPE, value: FULL },
  })),
  describes: {
    names: [
      ...[...CONTENT_HEADERS, 'expires', STORAGE_CLASS, TAG_COUNT, ENCRYPTION, KEY_ID, REDIRECT],
      ...['x-amz-object-lock-mode', 'x-amz-object-lock-legal-hold', 'x-amz-missing-meta'],
    ],
    prefixes: [META],
    defaults: {
      [STORAGE_CLASS]: 'STANDARD',
      [TAG_COUNT]: '0',
      'x-amz-object-lock-legal-hold': 'OFF',
      'x-amz-missing-meta': '0',
    },
    framings: [FRAMING],
  },
  tells: ['x-amz-version-id', 'last-modified', ...SUM_HEADERS],
  errorCode,
  errorMessage,
}

/** Of a part and of a whole object. @type {AnswerRule} */
const WRITE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-amz-version-id', ...SUM_HEADERS, ENCRYPTION],
  errorCode,
  errorMessage,
}

/** @typedef {import('../../types').Sums} Sums */

/**
 * The checksums that a store keeps of an object, from the answer to a HEAD, a GET or a PUT. Stores that do not send the type
 * mark a composite value by a dash and a part count.
 *
 * @param {Record<string, string | undefined>} headers by names in lower case
 * @returns {{ sums?: Sums, composite?: { crc32: string } }}
 */
function sumsOf(headers) {
  const { [SUM_TYPE]: type = FULL, [CRC32]: crc32 } = headers
  const sums = sumsIn(headers, READ.checksums)
  return {
    // A composite value of another checksum is of no use: those of our parts are not computed by its rules.
    ...(crc32 && (type !== FULL || crc32.includes('-')) && { composite: { crc32 } }),
    ...(Object.keys(sums).length > 0 && { sums }),
  }
}

/** The same, from a document. @param {Record<string, any>} values of its elements */
function sumsInDocument({ ChecksumType, ...values }) {
  const headers = CRCS.map(sum => [sumHeader(sum), values[`Checksum${sum.toUpperCase()}`]])
  return sumsOf({ ...Object.fromEntries(headers), [SUM_TYPE]: ChecksumType })
}

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */

/** The kind with keys that the store manages itself. */
const MANAGED = 'AES256'

/**
 * Reads the object's description from the answer to a HEAD or GET, or from the headers that a function reports.
 *
 * @param {Record<string, string>} headers by names in lower case
 * @returns {ReturnType<import('../contract').Store['readDescription']>}
 */
function readDescription(headers) {
  const described = describing(headers, READ.describes)
  const { [ENCRYPTION]: kind, [KEY_ID]: keyId, [STORAGE_CLASS]: storageClass, [REDIRECT]: redirect } = described
  const tags = Number(described[TAG_COUNT])
  const missing = Number(headers['x-amz-missing-meta'])
  const locked = headers['x-amz-object-lock-mode'] || headers['x-amz-object-lock-legal-hold'] === 'ON'
  const { 'content-encoding': encoding } = headers
  /** @type {ReturnType<typeof readDescription>} */
  const attributes = { metadata: metadataIn(described, META), ...sumsOf(headers) }
  if (storageClass !== undefined) attributes.storageClass = storageClass
  if (kind !== undefined) {
    attributes.encryption = {
      kind,
      ...(keyId !== undefined && { keyId }),
      ...(kind !== MANAGED && { ownKey: 'KMS key' }),
    }
  }
  if (tags > 0) attributes.tags = tags
  if (encoding !== undefined && FRAMED.test(encoding)) attributes.framed = encoding
  if (redirect !== undefined) attributes.redirect = redirect
  const unkept = [
    ...(missing > 0 ? [`user metadata that its store cannot tell (entries: ${missing})`] : []),
    ...(locked ? ['its object lock'] : []),
  ]
  if (unkept.length > 0) attributes.unkept = unkept
  if (isEncrypted(headers)) attributes.encrypted = true
  const versionId = headers['x-amz-version-id']
  if (versionId !== undefined) attributes.versionId = versionId
  return attributes
}

/** A Content-Encoding that names the framing of an upload does not belong to the object: the stored bytes are not framed. */
const FRAMED = /(?:^|[,\s])aws-chunked(?:$|[,\s])/i

/**
 * Reads checksums, encryption and version id from the answer to the PUT of an object.
 *
 * @param {Record<string, string>} headers by names in lower case
 * @param {boolean} [keyed] it was sent with a customer's own key
 * @returns {ReturnType<import('../contract').Store['readWritten']>}
 */
function readWritten(headers, keyed = false) {
  const { sums } = sumsOf(headers)
  const versionId = headers['x-amz-version-id']
  return {
    ...(sums && { sums }),
    ...(versionId !== undefined && { versionId }),
    ...((keyed || isEncrypted(headers)) && { encrypted: true }),
  }
}

/**
 * Whether the ETag is no MD5 because of the encryption.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html, "ETag"
 *
 * @param {Record<string, string | undefined>} headers of the answer
 */
function isEncrypted({ [ENCRYPTION]: kind = MANAGED, [`${ENCRYPTION}-customer-algorithm`]: customer }) {
  return kind !== MANAGED || customer !== undefined
}

/**
 * The headers with which a read answers for an object with these attributes, in the dialect's words: a function compares them.
 *
 * @param {ObjectDescription} description
 * @param {Pick<import('./types').Dialect, 'rules' | 'translate'>} dialect
 * @returns {Record<string, string>}
 */
function describingHeaders({ metadata, storageClass, encryption, tags, redirect }, { rules, translate }) {
  const headers = {
    ...writeHeaders({ metadata, storageClass, encryption }, { encoded: false }),
    ...(tags !== undefined && { [TAG_COUNT]: String(tags) }),
    ...(redirect !== undefined && { [REDIRECT]: redirect }),
  }
  const told = translate ? translate({ method: 'PUT', query: {}, headers }).headers : headers
  return describing(told, rules.read.describes)
}

/**
 * @param {ObjectAttributes} attributes
 * @param {{ encoded: boolean }} how encoded: the store decodes user metadata by RFC 2047
 * @returns {Record<string, string>} headers of a PUT or of CreateMultipartUpload, an object of their own
 */
function writeHeaders({ metadata, storageClass, encryption, tags = [] }, { encoded }) {
  const headers = { ...metadata.headers }
  for (const name in metadata.user) headers[META + name] = encoded ? mailSafe(metadata.user[name]) : metadata.user[name]
  if (storageClass !== undefined) headers[STORAGE_CLASS] = storageClass
  if (encryption) headers[ENCRYPTION] = encryption.kind
  if (encryption?.keyId !== undefined) headers[KEY_ID] = encryption.keyId
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html, "Tagging"
  if (tags.length > 0) headers['x-amz-tagging'] = tagQuery(tags)
  return headers
}

/** Where s3cmd keeps what it knows of a file: `…/mode:33188/mtime:1492697123/uid:0/…` */
const S3CMD = 's3cmd-attrs'

/**
 * - rclone: "X-Amz-Meta-Mtime as floating point since the epoch, accurate to 1 ns", https://rclone.org/s3/#modification-times-and-hashes
 * - s3cmd: `mtime` among the user metadata `s3cmd-attrs`, https://s3tools.org/usage (`--preserve`)
 *
 * @type {import('../contract').MtimeConvention}
 */
const MTIME = {
  ...mtime.MTIME_IN_SECONDS,
  header: 'x-amz-meta-mtime',
  read(user) {
    const [, attribute = ''] = /(?:^|\/)mtime:([^/]*)/.exec(user[S3CMD] ?? '') ?? []
    return mtime.secondsIn(user, 'mtime') ?? mtime.secondsIn({ mtime: attribute }, 'mtime')
  },
}

/** A KMS key: an id, an alias, or the ARN of either. */
const KMS_KEY = /^[\w:/.-]{1,2048}$/

/**
 * @param {import('../../types').AttributeOptions} options
 * @param {(name: 'sse') => string | undefined} read the value of an option, checked as its row says
 * @returns {Pick<import('../../types').AttributeWish, 'encryption'>}
 * @throws {XferError} USAGE
 */
function readEncryption({ sse, sseKmsKeyId }, read) {
  if (sseKmsKeyId !== undefined && (sse === undefined || sse === 'AES256')) {
    const text = `--sse-kms-key-id names a key, and ${sse ? `--sse ${sse} takes none` : 'no --sse says what it is for'}.`
    throw usage(text, 'Give it with --sse aws:kms or --sse aws:kms:dsse.')
  }
  const kind = read('sse')
  if (kind === undefined) return {}
  if (sseKmsKeyId !== undefined && !KMS_KEY.test(sseKmsKeyId)) {
    throw usage(
      `--sse-kms-key-id "${sseKmsKeyId}" cannot be a key.`,
      "Give a key's id, its alias or the ARN of either.",
    )
  }
  const keyId = kind === 'AES256' ? undefined : sseKmsKeyId
  return { encryption: { kind, ...(keyId !== undefined && { keyId }) } }
}

/**
 * @param {import('../../types').SideSettings} settings of the destination
 * @param {{ encryption?: unknown }} attributes
 * @throws {XferError} USAGE
 */
function checkEncryption({ customerKey }, { encryption }) {
  if (!customerKey || !encryption) return
  throw usage(
    "--sse has the destination encrypt with a key of its own, and a customer's own key (SSE-C) was given for it.",
    'Give one of them only.',
  )
}

module.exports = {
  CRCS,
  READ,
  WRITE,
  sumHeader,
  sumsInDocument,
  isEncrypted,
  describingHeaders,
  readDescription,
  readWritten,
  writeHeaders,
  MTIME,
  checkEncryption,
  readEncryption,
}

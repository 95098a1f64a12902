'use strict'

/**
 * Translates S3's errors, of control calls and of data requests (through a function): takes the status and
 * S3's error code, and returns a code of lib/errors and facts (`RefusalFacts` of the contract). Outside this folder
 * nobody knows S3's codes. Inside it, requests.js looks at the codes of its own requests.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

const { XferError, wordsOfRefusal } = require('../../errors')
const { classify, codeOf, connectionError, factsIn } = require('../common')
const { meaningIn, retryAfterIn } = require('../common')
const { foreignType } = require('../xml')
const { READ, WRITE } = require('./answers')
const { readRefusal } = require('./calls')

/** Amazon's dialect, and that of all stores without one of their own. @type {import('./types').Dialect} */
const amazon = {
  protocol: 'S3',
  signature: {
    algorithm: 'AWS4-HMAC-SHA256',
    secretPrefix: 'AWS4',
    service: 's3',
    terminator: 'aws4_request',
    headerPrefix: 'x-amz-',
  },
  readHeaders: {},
  rules: { read: READ, write: WRITE },
  lacks: new Set(),
  permissions: permissionsOf,
}

/** Permissions whose name differs from the operation's. @type {Record<string, string>} */
const PERMISSIONS = {
  ListBuckets: 's3:ListAllMyBuckets',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
  ListObjectsV2: 's3:ListBucket',
  HeadObject: 's3:GetObject',
  CreateMultipartUpload: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  ListParts: 's3:ListMultipartUploadParts',
}

/** Calls whose permission is for a whole bucket. */
const OF_BUCKETS = ['CreateBucket', 'ListMultipartUploads', 'ListObjectsV2']

/** Permissions for a version of an object that is named by its id. @type {Record<string, string>} */
const OF_VERSIONS = {
  's3:GetObject': 's3:GetObjectVersion',
  's3:GetObjectTagging': 's3:GetObjectVersionTagging',
  's3:DeleteObject': 's3:DeleteObjectVersion',
}

/** @type {import('./types').Dialect['permissions']} */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional, versioned }) {
  const words = {
    needsForTags: 's3:PutObjectTagging',
    needsToClear: 's3:ListBucketMultipartUploads on the bucket, and s3:AbortMultipartUpload on its objects',
  }
  const usual = PERMISSIONS[operation] ?? `s3:${operation}`
  const permission = (versioned && OF_VERSIONS[usual]) || usual
  if (operation === 'ListBuckets') return { permission, needs: `${permission} of the ${side}`, ...words }
  if (OF_BUCKETS.includes(operation)) return { permission, needs: `${permission} on the ${side} bucket`, ...words }
  const object = `${permission}${conditional ? ' and s3:GetObject' : ''} on the ${side} object`
  const needs = side === 'source' ? `${object}; without s3:ListBucket a missing object looks the same` : object
  return { permission, needs, ...words }
}

/** S3's codes, by what they mean. @type {import('../common/client').CodeTable} */
const CODES = {
  NO_SUCH_KEY: ['NoSuchKey', 'NoSuchVersion'],
  NO_SUCH_BUCKET: ['NoSuchBucket'],
  UPLOAD_GONE: ['NoSuchUpload'],
  ACCESS_DENIED: ['AccessDenied', 'AllAccessDisabled', 'AccountProblem'],
  CREDENTIALS_REFUSED: [
    ...['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken'],
    // versitygw, with status 404.
    'XAdminUserNotFound',
  ],
  CREDENTIALS_EXPIRED: ['ExpiredToken', 'TokenRefreshRequired'],
  SIGNATURE_TOO_OLD: ['RequestTimeTooSkewed', 'RequestExpired'],
  STORE_THROTTLED: [
    ...['SlowDown', 'Throttling', 'ThrottlingException', 'TooManyRequests', 'RequestLimitExceeded'],
    // MinIO.
    ...['SlowDownRead', 'SlowDownWrite'],
  ],
  // OperationAborted: another request is changing the key, "try again".
  STORE_ERROR: ['InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'],
  // InvalidDigest: SeaweedFS.
  PART_CORRUPTED: ['BadDigest', 'InvalidDigest', 'XAmzContentChecksumMismatch', 'XAmzContentSHA256Mismatch'],
  ARCHIVED: ['InvalidObjectState', 'ObjectNotInActiveTierError'],
  NO_SUCH_STORAGE_CLASS: ['InvalidStorageClass'],
  DESTINATION_EXISTS: ['PreconditionFailed'],
  UPLOAD_CONFLICT: ['ConditionalRequestConflict'],
}

/**
 * @param {{ status?: number, storeCode?: string }} answer
 * @param {import('../common/client').CodeTable} [own] the dialect's codes
 * @returns {import('../../types').XferErrorCode}
 */
function classifyAnswer(answer, own = {}) {
  return classify(answer, own, CODES)
}

/**
 * What to do about some refusals, in place of the usual advice; the first that fits counts. `statuses`, `codes` and `says` (the
 * store's words) are alternatives; `of`: only to a data request of this kind.
 *
 * @typedef {object} Help
 * @property {'read' | 'write'} [of]
 * @property {number[]} [statuses]
 * @property {string[]} [codes]
 * @property {RegExp} [says]
 * @property {string | Record<'source' | 'destination', string>} advice
 */

/** @type {Help[]} */
const HELP = [
  {
    // Limits of a store, and of a proxy before it (nginx: client_max_body_size). RFC 9110 section 15.5.14.
    of: 'write',
    statuses: [413],
    codes: ['EntityTooLarge', 'MaxMessageLengthExceeded'],
    advice: 'It takes less in one request: repeat the command with a smaller --chunk.',
  },
  {
    // Amazon: "Part number must be an integer between 1 and 10000, inclusive".
    of: 'write',
    codes: ['TooManyParts'],
    says: /part ?number must be|number of parts/i,
    advice: 'It takes fewer parts: repeat the command with a larger --chunk.',
  },
  {
    // Alibaba Cloud OSS (error 0016-00000101), and Tencent COS ("must be addressed using COS virtual-styled domain").
    codes: ['SecondLevelDomainForbidden', 'PathStyleDomainForbidden'],
    advice:
      'Set addressing_style = virtual in the s3 settings of the profile: it wants the bucket in the name of the host.',
  },
  {
    // Amazon and MinIO: "The object was stored using a form of Server Side Encryption. The correct parameters must be
    // provided to retrieve the object." Google has a code.
    codes: ['ResourceIsEncryptedWithCustomerEncryptionKey'],
    says: /stored using a form of server side encryption|encrypted (?:with|by) a customer/i,
    advice: {
      source: "Give the customer's key, with which the object is encrypted: --source-sse-c-key-file.",
      destination: "Give the customer's key, with which the object is encrypted: --dest-sse-c-key-file.",
    },
  },
  {
    // Google: UserProjectMissing, "Bucket is a requester pays bucket but no user project provided."
    says: /requester[ -]?pays/i,
    advice: 'Its bucket lets the requester pay: repeat the command with --request-payer.',
  },
]

/**
 * @param {{ of?: 'read' | 'write', status?: number, storeCode?: string, reason?: string }} refusal
 * @param {Record<string, any>} facts of its error so far
 * @returns {{ advice?: string, needs?: string }} facts of the error
 */
function helpWith(
  { of, status = 0, storeCode = '', reason = '' },
  { side, needs, endpoint, requestPayer, versioned, operation },
) {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
  if (status === 405 && versioned && operation !== 'DeleteObject')
    return { advice: 'That version is a delete marker, which has no bytes: name another.' }
  const known = HELP.find(
    help =>
      (help.of === undefined || help.of === of) &&
      (help.statuses?.includes(status) || help.codes?.includes(storeCode) || help.says?.test(reason)),
  )
  if (known) return { advice: typeof known.advice === 'string' ? known.advice : known.advice[sideOf(side)] }
  // Amazon's refusal of who does not pay looks like any other.
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/RequesterPaysBuckets.html
  const may = status === 403 && side === 'source' && !requestPayer && /^AWS |\.amazonaws\.com/.test(endpoint)
  return may && needs ? { needs: `${needs}; a bucket whose requester pays needs --request-payer` } : {}
}

/** @param {string} side */
const sideOf = side => (side === 'destination' ? side : 'source')

/** Codes for a body that was cut off in transit: the request itself is correct. */
const CUT_SHORT = ['IncompleteBody', 'RequestTimeout', 'InvalidChunkSizeError', 'MissingContentLength']

/** What codes mean in addition. @type {Record<string, readonly string[]>} */
const FACTS = {
  // Also the answer to If-Match without an object, and of older stores in place of NoSuchUpload.
  noSuchKey: ['NoSuchKey'],
  partsDiffer: ['InvalidPart'],
  // Refusals of a completion that do not concern the bytes of the parts.
  ofTheRequest: [
    ...['EntityTooSmall', 'InvalidPartOrder', 'MalformedXML', 'InvalidArgument', 'InvalidStorageClass'],
    ...['TooManyParts', 'InvalidTag', 'InvalidBucketName', 'KeyTooLongError', 'IllegalLocationConstraintException'],
  ],
  // Refusals with status 400 that do not concern the bytes of the body.
  ofTheCaller: [
    ...['RequestTimeout', 'ExpiredToken', 'InvalidToken', 'TokenRefreshRequired', 'RequestTimeTooSkewed', 'SlowDown'],
    'Throttling',
  ],
}

/**
 * The store's `explain`: translates the failed answer to a data request, sent by a function or by this machine.
 *
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {import('./types').Dialect} [dialect]
 * @returns {import('../../types').XferError}
 */
function explainAnswer({ of, status, storeCode, body, ...said }, facts, dialect = amazon) {
  const document = body === undefined ? undefined : readRefusal(Buffer.from(body))
  const code = storeCode ?? codeOf(document?.code)
  const operation = of === 'write' ? 'PutObject' : 'GetObject'
  const reason = said.reason ?? wordsOfRefusal(document?.details || document?.message || '')
  const answer = { status, storeCode: code, ...(reason && { reason }) }
  const about = {
    ...facts,
    operation,
    ...factsIn(FACTS, code),
    ...dialect.permissions({ side: facts.side, operation, versioned: facts.versioned }),
    ...said,
    ...answer,
  }
  return new XferError(ofData(of, answer, dialect.errors), { ...about, ...helpWith({ of, ...answer }, about) })
}

/**
 * @param {'read' | 'write'} of
 * @param {{ status?: number, storeCode?: string }} answer
 * @param {import('./types').Dialect['errors']} own
 */
function ofData(of, { status, storeCode }, own) {
  const code = classifyAnswer({ status, storeCode }, own)
  // A read names the ETag and, for a part, a range.
  if (of === 'read') return status === 412 || status === 416 ? 'SOURCE_CHANGED' : code
  if (status === 412) return 'DESTINATION_EXISTS'
  if (CUT_SHORT.includes(storeCode ?? '')) return 'STORE_ERROR'
  // For a part, older stores answer NoSuchKey in place of NoSuchUpload.
  return code === 'NO_SUCH_KEY' ? 'UPLOAD_GONE' : code
}

/**
 * @param {any} error of a connection; or a refusal, as readAnswer throws it
 * @param {{ side: string, [fact: string]: any }} asked facts of the store, and key and operation of the call
 * @param {AbortSignal} [signal]
 * @param {import('./types').Dialect} [dialect]
 * @returns {import('../../types').XferError}
 */
function fromCallError(error, asked, signal, dialect = amazon) {
  if (error instanceof XferError) return error
  /** @type {Record<string, any>} */
  const facts = { ...asked, ...dialect.permissions(asked) }
  const options = { cause: error }
  const { status } = error
  if (status === undefined || signal?.aborted) return connectionError(error, facts, signal)
  const storeCode = codeOf(error.name)
  const foreign = foreignAnswer(error, status, storeCode, dialect.errors)
  if (foreign) {
    return new XferError('NOT_A_STORE', { ...facts, status, reason: `HTTP ${status} with ${foreign}` }, options)
  }
  const code = classifyAnswer({ status, storeCode }, dialect.errors)
  // If the request named no key, the bucket is missing.
  const bucketMissing = code === 'NO_SUCH_KEY' && facts.key === undefined
  // Google's message says that access was denied, and its details to whom and what.
  const said = { reason: wordsOfRefusal(error.details || error.message), ...retryAfterIn(error.headers) }
  const help = helpWith({ status, storeCode, reason: said.reason }, facts)
  const about = { ...facts, status, storeCode, ...factsIn(FACTS, storeCode), ...said, ...help }
  return new XferError(bucketMissing ? 'NO_SUCH_BUCKET' : code, about, options)
}

/**
 * Recognizes an answer that does not come from an object store, but from a web site, a console or a gateway.
 *
 * @param {any} error
 * @param {number} status
 * @param {string | undefined} storeCode
 * @param {import('../common/client').CodeTable} [own] the dialect's codes
 * @returns {string | undefined} for messages: the content of such an answer
 */
function foreignAnswer(error, status, storeCode, own = {}) {
  if (meaningIn(storeCode, own, CODES)) return undefined
  const page = foreignType(String(error.headers?.['content-type'] ?? ''))
  if (status < 500 && status !== 429 && (page || error.unreadable)) return page ?? "a body that is not S3's XML"
  return status >= 300 && status < 400 && storeCode === undefined ? 'a redirect' : undefined
}

module.exports = { amazon, classifyAnswer, explainAnswer, fromCallError }

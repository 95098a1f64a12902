'use strict'

/**
 * The dialect of Google Cloud Storage: its XML API, signed with HMAC keys as GOOG4-HMAC-SHA256. Google refuses a request with
 * headers of both kinds (x-amz-* and x-goog-*), and its conditions are x-goog-*, so all requests are made of x-goog-* alone.
 * docs/design/google.md says what is documented, what others measured, and what is not known.
 * https://cloud.google.com/storage/docs/xml-api/overview
 */

const { XferError } = require('../../../errors')
const { sameEtag } = require('../../../integrity')
const { CONTENT_HEADERS, mtime } = require('../../common')
const { NAMES } = require('./names')
const { READ, WRITE, readSums } = require('./rules')
const { readAnswer, translate } = require('./translate')

/** @type {Record<string, string>} */
const NO_HEADERS = {}

/** Of gsutil and gcloud, in whole seconds. https://cloud.google.com/storage/docs/gsutil/commands/cp */
const OF_GSUTIL = 'goog-reserved-file-mtime'

/**
 * rclone writes both: https://rclone.org/googlecloudstorage/#modification-times
 *
 * @type {import('../../contract').MtimeConvention}
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

/**
 * @param {Parameters<typeof import('../dialects').permissionsOf>[0]} asked
 * @returns {ReturnType<typeof import('../dialects').permissionsOf>}
 */
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

/** @type {import('../dialect').Dialect} */
const google = {
  name: 'google',
  names: NAMES,
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
  createTrial: of => require('./trial').createTrial(of),
  abilities: {
    sumAt: 'answer',
    // The ETag of a part is documented as a text to send back, nothing more; that of an object made of parts is no MD5.
    partTag: 'opaque',
    sums: { stored: ['crc32c', 'md5'], checked: [], answered: ['crc32c', 'md5'], computed: ['crc32c'] },
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
  pinsVersions: true,
  // Nothing but a header keeps compressed objects as they are, which a URL cannot demand.
  lacks: new Set(['partSize', 'partCopies', 'archives', 'completionConditions', 'lending']),
  // "Preconditions cannot be used in XML API multipart uploads."
  heeds: ({ upload }) => !upload,
  conditionalCopies: true,

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

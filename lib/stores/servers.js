'use strict'

/**
 * What is known of the servers that speak S3: a row a server, with its sources as a comment. A server is recognised by its host or, from its first
 * answer on, by its `Server` header. What no row says is treated cautiously: a trial decides about checksums of parts, whole
 * objects are read back, conditions are looked at as well, attributes of the first object are compared.
 */

const { isAws } = require('../aws')

/** @typedef {import('../types').PartLimits} PartLimits */

/**
 * @typedef {object} ServerFacts
 * @property {'checked' | 'refused'} [sums] `checked`: it refuses a body that does not fit the CRC-32 behind it, in a PUT, in a part, and
 *   with a Content-Encoding, and takes all parameters for checksums. `refused`: it refuses them
 * @property {true} [copySums] its own copies, of objects and of parts, are answered with checksums of the copied bytes
 * @property {'atomic' | 'ignored'} [conditions] it checks the condition of a write together with the write; or it may ignore it, or refuse
 *   one that holds. Absent: they are sent, and looked at
 * @property {true} [consistent] it shows at once what it has taken
 * @property {true} [conditionalCopies] the same for its own copies
 * @property {true} [keepsMetadata] it keeps content headers and user metadata unchanged
 * @property {true} [datesExpires] but an `Expires` only if it is a date
 * @property {true} [decodesMetadata] it decodes user metadata by RFC 2047
 * @property {false} [tags] its objects have none
 * @property {false} [keepsExpires] its own copies lose `Expires`
 * @property {false} [namesFraming] `aws-chunked` must not be named in the Content-Encoding: it is kept
 * @property {true} [hidesBelow] its lists omit `a/b` if there is an object `a`
 * @property {true} [pagesBuckets] it lists buckets in pages
 * @property {{ pattern: RegExp, reason: string }} [keys] those that it refuses, or takes for other keys; reason: follows `the key`
 * @property {string} [classes] whose storage classes it has
 * @property {Partial<PartLimits>} [limits]
 * @property {'refused'} [names] it creates no bucket whose name breaks a rule
 * @property {{ writes: number, reads: number, of: string }} [baseRate] as in the contract
 * @property {string} [dialect] the name of its own, in place of Amazon's
 *
 * @typedef {ServerFacts & { name: string, host?: (host: string) => boolean, server?: RegExp }} ServerRow
 */

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html @type {PartLimits} */
const LIMITS = { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxParts: 10_000, equalParts: false }

/** Of servers that keep objects as files. */
const PATHS = {
  pattern: /^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/,
  reason:
    'is a path to its server, which would write another object or none: it has //, . or .. in it, or begins with a slash',
}

/** @param {RegExp} pattern @returns {(host: string) => boolean} */
const hostLike = pattern => host => pattern.test(host)

/** The first that fits counts. @type {ServerRow[]} */
const SERVERS = [
  {
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
    // https://aws.amazon.com/s3/consistency/
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObjectResult.html
    name: 'Amazon S3',
    host: isAws,
    names: 'refused',
    baseRate: { writes: 3_500, reads: 5_500, of: 'prefix' },
    sums: 'checked',
    consistent: true,
    conditions: 'atomic',
    conditionalCopies: true,
    copySums: true,
    keepsMetadata: true,
    decodesMetadata: true,
    classes: 'Amazon S3',
    pagesBuckets: true,
  },
  {
    // docs/design/google.md
    // https://cloud.google.com/storage/docs/request-endpoints
    // https://cloud.google.com/storage/docs/request-rate
    // What differs more is in its dialect, gcs/dialect.js.
    name: 'Google Cloud Storage',
    host: hostLike(/(?:^|\.)storage\.googleapis\.com$/i),
    dialect: 'google',
    names: 'refused',
    baseRate: { writes: 1_000, reads: 5_000, of: 'bucket' },
    conditionalCopies: true,
    classes: 'Google Cloud Storage',
    sums: 'refused',
    tags: false,
  },
  {
    // https://developers.cloudflare.com/r2/objects/multipart-objects/
    // https://developers.cloudflare.com/r2/api/s3/api/
    // https://github.com/aws/aws-sdk-js-v3/issues/6810
    name: 'Cloudflare R2',
    host: hostLike(/\.r2\.cloudflarestorage\.com$/i),
    sums: 'refused',
    tags: false,
    limits: { equalParts: true },
  },
  {
    // https://www.backblaze.com/docs/cloud-storage-s3-compatible-api
    // https://github.com/aws/aws-sdk-js-v3/issues/6810
    name: 'Backblaze B2',
    host: hostLike(/\.backblazeb2\.com$/i),
    sums: 'refused',
    tags: false,
  },
  {
    // Tests against 2026-02-12: bytes flipped on their way, attributes, keys, conditions, own copies.
    name: 'MinIO',
    server: /^MinIO$/i,
    sums: 'checked',
    consistent: true,
    conditions: 'atomic',
    keepsMetadata: true,
    // It parses the header, and answers with what it has parsed (cmd/erasure-metadata.go, ToObjectInfo).
    datesExpires: true,
    keepsExpires: false,
    classes: 'MinIO',
    hidesBelow: true,
    keys: PATHS,
  },
  {
    // Tests against 1.8.0 in a folder: bytes flipped on their way, attributes, keys; its source for conditions.
    name: 'versitygw',
    server: /^VERSITYGW$/i,
    sums: 'checked',
    consistent: true,
    // It looks again under the key's lock (backend/posix).
    conditions: 'atomic',
    keepsMetadata: true,
    // It removes the framing by `x-amz-content-sha256`, but stores `aws-chunked` as the object's encoding.
    namesFraming: false,
    keys: PATHS,
  },
  {
    // Tests against twelve servers, November 2026.
    name: 'Ceph radosgw',
    server: /^Ceph Object Gateway/i,
    // It takes the quotes of If-Match for a part of the ETag; older ones ignore If-None-Match, and conditions of completions.
    conditions: 'ignored',
  },
  {
    // Tests against a build of 2026-11-09: attributes, conditions, ranges; a trial of parts with checksums fails, and it lists `a/b` before `a-`.
    name: 'SeaweedFS',
    server: /^SeaweedFS/i,
    keepsMetadata: true,
    keys: { pattern: /\\/, reason: 'has a backslash in it, which its server (SeaweedFS) takes for a slash' },
  },
  {
    // Tests against rclone 1.71 and 1.76 and gofakes3 1.2.0, November 2026: both take any checksum and any If-Match of a read.
    // They name themselves alike. The first keeps objects as files, and `a/` as the file `a`.
    name: 'rclone serve s3, gofakes3',
    server: /^AmazonS3$/,
    keys: {
      pattern: new RegExp(`${PATHS.pattern.source}|/$`),
      reason: `${PATHS.reason}, or ends in one`,
    },
  },
  {
    // sandbox/store/
    name: "xfer's sandbox",
    server: /^xfer-sandbox$/,
    classes: 'Amazon S3',
    sums: 'checked',
    consistent: true,
    conditions: 'atomic',
    copySums: true,
    keepsMetadata: true,
  },
  // Of these no more is known than their hosts: if one names itself as a server above, that row counts.
  {
    // https://docs.wasabi.com/docs/service-urls-for-wasabis-storage-regions (Dell ObjectScale at Wasabi has hosts of another form)
    name: 'Wasabi',
    host: hostLike(/(?:^|\.)s3\.(?:[a-z]+(?:-[a-z]+)*-\d\.)?wasabisys\.com$/i),
  },
  {
    // https://docs.digitalocean.com/reference/api/spaces/
    name: 'DigitalOcean Spaces',
    host: hostLike(/(?:^|\.)[a-z]{3}\d\.digitaloceanspaces\.com$/i),
  },
  {
    // https://docs.localstack.cloud/aws/services/s3/: s3.localhost.localstack.cloud. Its Server header is that of its library.
    name: 'LocalStack',
    host: hostLike(/(?:^|\.)localhost\.localstack\.cloud$/i),
  },
]

/** What `xfer doctor --deep` asks: its answers stand in place of the table's. */
const ASKED = ['sums', 'namesFraming', 'conditions', 'keepsMetadata', 'tags', 'limits', 'hidesBelow', 'keys']

/**
 * @param {object} store
 * @param {string} store.host
 * @param {string} [store.server] the `Server` header; undefined before the first answer
 * @param {{ name?: string }} [store.dialect] that it is asked in
 * @param {ServerFacts | 'unknown'} [store.own] what the user's own questions have found; `unknown`: it is being asked, and nothing is assumed
 * @returns {ServerFacts}
 */
function knownOf({ host, server = '', dialect, own }) {
  if (dialect?.name) return /** @type {ServerRow} */ (SERVERS.find(row => row.dialect === dialect.name))
  if (own === 'unknown') return {}
  const row = SERVERS.find(row => row.host?.(host) || row.server?.test(server)) ?? {}
  if (!own) return row
  return { ...Object.fromEntries(Object.entries(row).filter(([name]) => !ASKED.includes(name))), ...own }
}

/** Whether a row names the server by its host alone. @param {string} host */
function isKnownHost(host) {
  return SERVERS.some(row => row.host?.(host))
}

/** @param {ServerFacts} facts @returns {PartLimits} */
function limitsOf({ limits }) {
  return { ...LIMITS, ...limits }
}

module.exports = { isKnownHost, limitsOf, knownOf }

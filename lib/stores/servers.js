'use strict'

/**
 * What is known of the servers that speak S3: one row for each server, with the sources as a comment. A server is recognised by its host or, after
 * its first answer, by its `Server` header. If its row lacks a fact, or it has no row, xfer is cautious: a trial decides whether checksums of
 * parts are checked, whole objects are read back, xfer looks at conditions itself, and the attributes of the first object are compared.
 */

const { isAws } = require('../aws')

/** @typedef {import('../types').PartLimits} PartLimits */

/**
 * @typedef {object} ServerFacts
 * @property {'checked' | 'refused'} [sums] `checked`: it refuses a body whose CRC-32 is not the one sent after it (in a PUT, in a
 *   part, and with a Content-Encoding), and accepts all parameters for checksums. `refused`: it refuses these parameters
 * @property {true} [copySums] its own copies, of objects and of parts, are answered with checksums of the copied bytes
 * @property {'atomic' | 'ignored'} [conditions] `atomic`: it checks the condition of a write together with the write. `ignored`: it may
 *   ignore the condition, or refuse a write whose condition holds. Absent: xfer sends conditions, and looks itself as well
 * @property {true} [consistent] a read or list that follows a write shows what was written
 * @property {true} [conditionalCopies] it checks the conditions of its own copies together with the copy
 * @property {true} [keepsMetadata] it keeps content headers and user metadata unchanged,
 * @property {true} [datesExpires] but an `Expires` only if it is a date
 * @property {true} [decodesMetadata] it decodes user metadata by RFC 2047
 * @property {false} [tags] its objects cannot have tags
 * @property {false} [keepsExpires] its own copies lose `Expires`
 * @property {false} [namesFraming] `aws-chunked` must not be in the Content-Encoding, because the server would keep it as the object's
 * @property {true} [hidesBelow] its lists omit `a/b` if there is an object `a`
 * @property {true} [pagesBuckets] it lists buckets in pages
 * @property {{ pattern: RegExp, reason: string }} [keys] keys that it refuses, or stores under another key; reason: the rest of a sentence that begins with `the key`
 * @property {string} [classes] the provider whose storage classes it has
 * @property {Partial<PartLimits>} [limits]
 * @property {'refused'} [names] it refuses to create a bucket whose name breaks a rule
 * @property {{ writes: number, reads: number, of: string }} [baseRate] as in the contract
 * @property {string} [dialect] the name of the dialect that it speaks instead of Amazon's
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

/** The first row that fits is used. @type {ServerRow[]} */
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
  // Of these only the host is known. If such a server names itself in its `Server` header as one of the rows above, that row is used.
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

/** Facts that `xfer doctor --deep` finds out: what it has found replaces these facts of the row. */
const ASKED = ['sums', 'namesFraming', 'conditions', 'keepsMetadata', 'tags', 'limits', 'hidesBelow', 'keys']

/**
 * @param {object} store
 * @param {string} store.host
 * @param {string} [store.server] its `Server` header; undefined before the first answer
 * @param {{ name?: string }} [store.dialect] in which requests are sent
 * @param {ServerFacts | 'unknown'} [store.own] what `xfer doctor --deep` has found of it; `unknown`: it is just being examined, so nothing is assumed
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

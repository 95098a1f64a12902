'use strict'

/** @typedef {import('../../types').PartLimits} PartLimits */

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html @type {PartLimits} */
const S3 = { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxParts: 10_000, equalParts: false }

/** By the endpoint's host; the first match wins. @type {Array<[RegExp, PartLimits]>} */
const BY_HOST = [
  // https://developers.cloudflare.com/r2/objects/multipart-objects/
  [/\.r2\.cloudflarestorage\.com$/, { ...S3, equalParts: true }],
]

/** @param {string} host */
function partLimits(host) {
  return BY_HOST.find(([pattern]) => pattern.test(host))?.[1] ?? S3
}

module.exports = { partLimits }

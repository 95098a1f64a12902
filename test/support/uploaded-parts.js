'use strict'

/** Uploads objects in parts of any sizes with the SDK, as other tools do. */

const { crc32 } = require('node:zlib')

/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */

/**
 * @param {StoreAccess} access
 * @param {string} bucket
 * @param {string} key
 * @param {Buffer[]} bodies of the parts
 * @param {{ checksum?: 'COMPOSITE' | 'FULL_OBJECT' }} [options] which CRC-32 the store is to keep; none when absent
 * @returns {Promise<string>} the ETag
 */
async function uploadParts({ endpoint, accessKeyId, secretAccessKey, region }, bucket, key, bodies, { checksum } = {}) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const s3 = require('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const where = { Bucket: bucket, Key: key }
  try {
    const kind = checksum && { ChecksumType: checksum }
    const algorithm = checksum && /** @type {const} */ ({ ChecksumAlgorithm: 'CRC32' })
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ ...where, ...algorithm, ...kind }))
    const parts = []
    for (const [index, Body] of bodies.entries()) {
      const part = { PartNumber: index + 1, ...(checksum && { ChecksumCRC32: sumOf(Body) }) }
      const { ETag } = await client.send(new s3.UploadPartCommand({ ...where, UploadId, ...part, Body }))
      parts.push({ ...part, ETag })
    }
    const done = { ...where, UploadId, MultipartUpload: { Parts: parts }, ...kind }
    const { ETag } = await client.send(new s3.CompleteMultipartUploadCommand(done))
    return ETag ?? ''
  } finally {
    client.destroy()
  }
}

/** @param {Buffer} body @returns {string} its CRC-32, as S3 writes it */
function sumOf(body) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return sum.toString('base64')
}

/** Cuts a buffer into pieces of the given sizes; the last piece is the rest. @param {Buffer} body @param {...number} sizes */
function cut(body, ...sizes) {
  let at = 0
  const pieces = sizes.map(size => {
    at += size
    return body.subarray(at - size, at)
  })
  return [...pieces, body.subarray(at)].filter(piece => piece.length > 0)
}

module.exports = { uploadParts, cut }

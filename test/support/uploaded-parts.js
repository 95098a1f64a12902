'use strict'

/** Uploads objects in parts of any sizes by requests that are not xfer's, as other tools do. */

const { putParts } = require('./ends/s3-objects')

/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */

/**
 * @param {StoreAccess} access
 * @param {string} bucket
 * @param {string} key
 * @param {Buffer[]} bodies of the parts
 * @param {{ checksum?: 'COMPOSITE' | 'FULL_OBJECT' }} [options] which CRC-32 the store is to keep; none when absent
 * @returns {Promise<string>} the ETag
 */
const uploadParts = (access, bucket, key, bodies, { checksum } = {}) =>
  putParts({ ...access, port: Number(new URL(access.endpoint).port) }, `/${bucket}/${key}`, bodies, { type: checksum })

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

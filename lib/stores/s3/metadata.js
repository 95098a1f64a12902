'use strict'

/**
 * Content headers and user metadata, from the SDK's names to our own shape, and from that to headers.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 */

/** @typedef {import('../../types').ObjectMetadata} ObjectMetadata */

/** Header and the SDK's name of it. */
const CONTENT_HEADERS = /** @type {const} */ ([
  ['content-type', 'ContentType'],
  ['cache-control', 'CacheControl'],
  ['content-encoding', 'ContentEncoding'],
  ['content-language', 'ContentLanguage'],
  ['content-disposition', 'ContentDisposition'],
  ['expires', 'Expires'],
])

/**
 * @param {any} output of HeadObject
 * @returns {ObjectMetadata}
 */
function readMetadata(output) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const [header, name] of CONTENT_HEADERS) {
    const value = header === 'expires' ? (output.ExpiresString ?? output.Expires?.toUTCString()) : output[name]
    if (value !== undefined && value !== '') headers[header] = value
  }
  // Some stores keep the framing of the upload as if it were the object's own encoding.
  const encoding = headers['content-encoding']?.split(',').map(token => token.trim())
  if (encoding?.includes('aws-chunked')) {
    const own = encoding.filter(token => token !== 'aws-chunked').join(',')
    if (own === '') delete headers['content-encoding']
    else headers['content-encoding'] = own
  }
  return { headers, user: { ...output.Metadata } }
}

/** @param {ObjectMetadata} metadata @returns {Record<string, string>} headers of a PUT or of CreateMultipartUpload */
function writeHeaders({ headers, user }) {
  const prefixed = Object.entries(user).map(([name, value]) => [`x-amz-meta-${name}`, value])
  return { ...headers, ...Object.fromEntries(prefixed) }
}

module.exports = { readMetadata, writeHeaders }

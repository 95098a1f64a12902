'use strict'

/** What a request of Azure Blob asks for, in the words of S3, and how Azure refuses it. */

/** By method and `comp`: what a request about a blob is called in S3. @type {Record<string, string>} */
const BLOB = {
  'PUT block': 'UploadPart',
  'PUT blocklist': 'CompleteMultipartUpload',
  'GET blocklist': 'ListParts',
  'GET tags': 'GetObjectTagging',
  'PUT tags': 'PutObjectTagging',
  'PUT ': 'PutObject',
  'GET ': 'GetObject',
  'HEAD ': 'HeadObject',
  'DELETE ': 'DeleteObject',
}
/** By method and `comp`: about a container. @type {Record<string, string>} */
const CONTAINER = {
  'PUT ': 'CreateBucket',
  'HEAD ': 'HeadBucket',
  'GET ': 'HeadBucket',
  'DELETE ': 'DeleteBucket',
  'GET list': 'ListObjectsV2',
  'POST batch': 'DeleteObjects',
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The id of a block as xfer writes it: `x`, the number of the part, the upload, random digits. @param {string | undefined} id base64 */
function readBlockId(id) {
  const text = Buffer.from(id ?? '', 'base64').toString('latin1')
  const [, number, upload] = /^x([0-9A-Za-z]{3})([0-9A-Za-z]{9})[0-9A-Za-z]{3,}$/.exec(text) ?? []
  if (number === undefined) return {}
  const partNumber = [...number].reduce((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0)
  return { partNumber, uploadId: `${upload}.${text.length}` }
}

/** @type {import('../faulty-relay').Dialect} */
const AZURE = {
  read({ method, url: text = '/', headers }) {
    const url = new URL(text, 'http://relay')
    const [, bucketName, ...rest] = url.pathname.slice(1).split('/')
    const key = rest.length > 0 ? decodeURIComponent(rest.join('/')) : undefined
    const query = new Map(url.searchParams)
    const what = `${method} ${query.get('comp') ?? ''}`
    const from = headers['x-ms-copy-source'] !== undefined
    const plain = (key === undefined ? CONTAINER : BLOB)[what] ?? 'Other'
    const operation = from ? (plain === 'UploadPart' ? 'UploadPartCopy' : 'CopyObject') : plain
    const { partNumber, uploadId } = readBlockId(query.get('blockid'))
    // Rules name a part by its number.
    if (partNumber !== undefined) query.set('partNumber', String(partNumber))
    return {
      ...{ operation, bucketName, key, query, uploadId, partNumber },
      header: name => /** @type {string | undefined} */ (headers[name]),
    }
  },
  refuse({ status, code = status === 503 ? 'ServerBusy' : 'InternalError' }) {
    return {
      headers: { 'Content-Type': 'application/xml', 'x-ms-error-code': code },
      body: `<?xml version="1.0" encoding="utf-8"?>\n<Error><Code>${code}</Code><Message>On purpose.</Message></Error>`,
    }
  },
}

module.exports = { AZURE }

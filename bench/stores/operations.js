'use strict'

/**
 * The operations of a synthetic store: those of S3 that xfer, rclone and mc use for an object. Signatures are not checked.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */

const { crc32 } = require('node:zlib')

/** How many bytes of a body's end are kept: they have the checksum, if it is in a trailer. */
const TAIL_BYTES = 256
const XML = { 'content-type': 'application/xml' }

/**
 * @typedef {import('./connection').Head} Head
 * @typedef {import('./connection').Answer} Answer
 * @typedef {{ method: string, bucket: string, key: string, name: string, query: URLSearchParams, headers: Record<string, string> }} Request
 * @typedef {{ (method: string, ...args: any[]): Promise<any> }} Catalog calls of catalog.js, which is in another process
 * @typedef {{ requests: Record<string, number>, firstMs: Record<string, number>, bytesIn: number, bytesOut: number }} Counters
 *   firstMs: when the first request of each operation came, epoch milliseconds
 */

/** @returns {Counters} */
const newCounters = () => ({ requests: {}, firstMs: {}, bytesIn: 0, bytesOut: 0 })

/**
 * @param {Catalog} catalog
 * @returns {{ begin: (head: Head) => import('./connection').Exchange, counters: () => Counters, reset: () => void, check: (on: boolean) => void }}
 *   check: whether the CRC-32 of received bytes is computed and compared with the client's; else the client's is used
 */
function createOperations(catalog) {
  let counters = newCounters()
  let checking = false

  /** @param {string} operation */
  function count(operation) {
    counters.requests[operation] = (counters.requests[operation] ?? 0) + 1
    counters.firstMs[operation] ??= performance.timeOrigin + performance.now()
  }

  return {
    begin(head) {
      const request = understand(head)
      const operation = operationOf(request)
      count(operation)
      const body = DATA.has(operation) ? dataBody(head.headers, checking) : textBody()
      return {
        body: body.take,
        async end() {
          const answer = await ANSWERS[operation](request, catalog, /** @type {any} */ (body))
          if ('bytes' in body && answer.status === 200) counters.bytesIn += body.bytes()
          if (answer.made && !answer.bodiless) counters.bytesOut += answer.made.length
          return answer
        },
      }
    },
    counters: () => counters,
    reset() {
      counters = newCounters()
    },
    check(on) {
      checking = on
    },
  }
}

/** @param {Head} head @returns {Request} */
function understand({ method, target, headers }) {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const [, bucket = '', ...rest] = path.split('/')
  const key = decodeURIComponent(rest.join('/'))
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
  return { method, bucket, key, name: `${bucket}/${key}`, query, headers }
}

/** @param {Request} request @returns {keyof typeof ANSWERS} */
function operationOf({ method, key, query }) {
  const upload = query.has('uploadId')
  if (key === '') {
    if (method === 'HEAD') return 'HeadBucket'
    if (method !== 'GET') return 'CreateBucket'
    if (query.has('location')) return 'GetBucketLocation'
    if (query.has('uploads')) return 'ListMultipartUploads'
    const asked = ['versioning', 'object-lock', 'policy', 'encryption', 'tagging'].some(name => query.has(name))
    return asked ? 'GetBucketSetting' : 'ListObjects'
  }
  if (method === 'HEAD') return 'HeadObject'
  if (method === 'GET') return upload ? 'ListParts' : 'GetObject'
  if (method === 'PUT') return upload ? 'UploadPart' : 'PutObject'
  if (method === 'DELETE') return upload ? 'AbortMultipartUpload' : 'DeleteObject'
  return upload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload'
}

/** Operations with an object's bytes. */
const DATA = new Set(['UploadPart', 'PutObject'])

/** Keeps a body: a document. */
function textBody() {
  let text = ''
  return {
    /** @param {Buffer} piece */
    take(piece) {
      text += piece.toString('latin1')
    },
    text: () => text,
  }
}

/**
 * Discards a body.
 *
 * @param {Record<string, string>} headers
 * @param {boolean} checking
 */
function dataBody(headers, checking) {
  const framed = headers['x-amz-content-sha256']?.startsWith('STREAMING-') ?? false
  const bytes = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length'] ?? 0)
  let left = Number(headers['content-length'] ?? 0)
  let tail = ''
  let found = 0
  let foundBytes = 0
  const sum = (/** @type {Buffer} */ data) => {
    found = crc32(data, found)
    foundBytes += data.length
  }
  const decoder = checking && framed ? unsignedDecoder(sum) : undefined
  return {
    /** @param {Buffer} piece */
    take(piece) {
      left -= piece.length
      if (framed && left < TAIL_BYTES) tail += piece.toString('latin1', Math.max(0, piece.length - TAIL_BYTES))
      if (!checking) return
      if (decoder) decoder.push(piece)
      else sum(piece)
    },
    bytes: () => bytes,
    /** @returns {{ crc32?: string, wrong: boolean }} crc32: the client's, if none is computed */
    sums() {
      const claimed = headers['x-amz-checksum-crc32'] ?? /x-amz-checksum-crc32:(\S+)/.exec(tail)?.[1]
      if (!checking) return { crc32: claimed, wrong: false }
      const crc = base64Of(found)
      return { crc32: crc, wrong: foundBytes !== bytes || (claimed !== undefined && claimed !== crc) }
    },
  }
}

/** Removes the chunks' framing and signatures, which are not checked. @param {(data: Buffer) => void} onData */
function unsignedDecoder(onData) {
  let rest = ''
  let left = 0
  // The trailer follows the last chunk; the tail of the body is kept for it.
  let ended = false
  return {
    /** @param {Buffer} piece */
    push(piece) {
      for (let at = 0; at < piece.length && !ended; ) {
        if (left > 0) {
          const end = Math.min(piece.length, at + left)
          onData(piece.subarray(at, end))
          left -= end - at
          at = end
          continue
        }
        rest += String.fromCharCode(piece[at++])
        const [, size] = /^(?:\r\n)?([0-9a-f]+)(?:;[^\r]*)?\r\n$/i.exec(rest) ?? []
        if (size === undefined) continue
        left = Number.parseInt(size, 16)
        ended = left === 0
        rest = ''
      }
    },
  }
}

/** @param {number} crc */
function base64Of(crc) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes.toString('base64')
}

/** @param {string} code @param {number} status @returns {Answer} */
const refuse = (code, status) => ({
  status,
  headers: XML,
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

/** @param {string} root @param {string} [content] @returns {Answer} */
const document = (root, content = '') => ({
  status: 200,
  headers: XML,
  body: `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`,
})

/** @param {import('./catalog').StoredObject} object */
const headersOf = ({ etag, crc32: sum }) => ({
  etag,
  'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT',
  'accept-ranges': 'bytes',
  'content-type': 'application/octet-stream',
  ...(sum && { 'x-amz-checksum-crc32': sum, 'x-amz-checksum-type': 'FULL_OBJECT' }),
})

/** @type {Record<string, (request: Request, catalog: Catalog, body: any) => Promise<Answer>>} */
const ANSWERS = {
  HeadBucket: async () => ({ status: 200, bodiless: true }),
  CreateBucket: async () => ({ status: 200 }),
  GetBucketLocation: async () => document('LocationConstraint'),
  GetBucketSetting: async () => refuse('NoSuchConfiguration', 404),
  ListMultipartUploads: async () => document('ListMultipartUploadsResult', '<IsTruncated>false</IsTruncated>'),

  async ListObjects({ bucket, query }, catalog) {
    const found = await catalog('list', `${bucket}/${query.get('prefix') ?? ''}`)
    const entries = found.map(
      (/** @type {{ name: string, bytes: number, etag: string }} */ { name, bytes, etag }) =>
        `<Contents><Key>${name.slice(bucket.length + 1)}</Key><LastModified>2022-01-01T00:00:00.000Z</LastModified>` +
        `<ETag>${etag}</ETag><Size>${bytes}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    )
    return document('ListBucketResult', `<Name>${bucket}</Name><IsTruncated>false</IsTruncated>${entries.join('')}`)
  },

  async HeadObject({ name }, catalog) {
    const object = await catalog('find', name)
    if (!object) return { status: 404, bodiless: true }
    return { status: 200, headers: { ...headersOf(object), 'content-length': object.bytes }, bodiless: true }
  },

  async GetObject({ name, headers }, catalog) {
    const object = await catalog('find', name)
    if (!object) return refuse('NoSuchKey', 404)
    if (object.phase === undefined) return refuse('InvalidObjectState', 403)
    const { phase, bytes, etag } = object
    if (headers['if-match'] && headers['if-match'] !== etag) return refuse('PreconditionFailed', 412)
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    if (first === undefined)
      return { status: 200, headers: headersOf(object), made: { phase, start: 0, length: bytes } }
    const start = Number(first)
    const end = Math.min(last ? Number(last) : bytes - 1, bytes - 1)
    if (start > end) return refuse('InvalidRange', 416)
    const range = { 'content-range': `bytes ${start}-${end}/${bytes}` }
    return { status: 206, headers: { ...headersOf(object), ...range }, made: { phase, start, length: end - start + 1 } }
  },

  async PutObject({ name }, catalog, body) {
    const { crc32: sum, wrong } = body.sums()
    if (wrong) return refuse('BadDigest', 400)
    const etag = `"swallowed-${body.bytes()}-1"`
    await catalog('put', name, { bytes: body.bytes(), etag, crc32: sum, found: sum })
    return { status: 200, headers: { etag, ...(sum && { 'x-amz-checksum-crc32': sum }) } }
  },

  async CreateMultipartUpload({ name, bucket, key, headers }, catalog) {
    const algorithm = headers['x-amz-checksum-algorithm']
    const type = headers['x-amz-checksum-type']
    const kept = algorithm === 'CRC32' && type === 'FULL_OBJECT'
    const id = await catalog('createUpload', name, kept)
    const created = document(
      'InitiateMultipartUploadResult',
      `<Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
    )
    const echo = kept && { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type }
    return { ...created, headers: { ...XML, ...echo } }
  },

  async UploadPart({ query }, catalog, body) {
    const { crc32: sum, wrong } = body.sums()
    if (wrong) return refuse('BadDigest', 400)
    const number = Number(query.get('partNumber'))
    const etag = `"part-${number}-${body.bytes()}"`
    const known = await catalog('putPart', query.get('uploadId'), { number, bytes: body.bytes(), etag, crc32: sum })
    if (!known) return refuse('NoSuchUpload', 404)
    return { status: 200, headers: { etag, ...(sum && { 'x-amz-checksum-crc32': sum }) } }
  },

  async ListParts({ query }, catalog) {
    const parts = await catalog('listParts', query.get('uploadId'))
    if (!parts) return refuse('NoSuchUpload', 404)
    const entries = parts.map(
      (/** @type {import('./catalog').Part} */ { number, bytes, etag, crc32: sum }) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag><Size>${bytes}</Size>` +
        `${sum ? `<ChecksumCRC32>${sum}</ChecksumCRC32>` : ''}</Part>`,
    )
    return document('ListPartsResult', `<IsTruncated>false</IsTruncated>${entries.join('')}`)
  },

  async CompleteMultipartUpload({ bucket, key, query, headers }, catalog, body) {
    const numbers = [...body.text().matchAll(/<PartNumber>(\d+)</g)].map(match => Number(match[1]))
    const object = await catalog('complete', query.get('uploadId'), numbers)
    if (!object) return refuse('InvalidPart', 400)
    const claimed = headers['x-amz-checksum-crc32']
    if (claimed !== undefined && object.crc32 !== undefined && claimed !== object.crc32) return refuse('BadDigest', 400)
    const sum = object.crc32 && `<ChecksumCRC32>${object.crc32}</ChecksumCRC32><ChecksumType>FULL_OBJECT</ChecksumType>`
    return document(
      'CompleteMultipartUploadResult',
      `<Bucket>${bucket}</Bucket><Key>${key}</Key><ETag>${object.etag}</ETag>${sum ?? ''}`,
    )
  },

  async AbortMultipartUpload({ query }, catalog) {
    return (await catalog('abort', query.get('uploadId'))) ? { status: 204 } : refuse('NoSuchUpload', 404)
  },

  async DeleteObject({ name }, catalog) {
    await catalog('remove', name)
    return { status: 204 }
  },
}

module.exports = { createOperations, newCounters }

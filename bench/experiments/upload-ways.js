'use strict'

/**
 * The services that the example is compared with, as one writes them with the AWS SDK: each of its own process, on Fastify too. `WAY`
 * says which, the rest of the environment where the store is. The first line of standard output is the address.
 */

const { createHash, createHmac } = require('node:crypto')
const { createReadStream } = require('node:fs')
const { stat } = require('node:fs/promises')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const S3 = require('@aws-sdk/client-s3')
const { SignatureV4 } = require('@smithy/signature-v4')

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'upload-service')
const PART_BYTES = 8 * 1024 ** 2
const PARTS_AT_ONCE = 4
const URL_SECONDS = 300

const { WAY = '', BUCKET: Bucket = '', AWS_ENDPOINT_URL = '', AWS_REGION: region = '' } = process.env
const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env
const s3 = new S3.S3Client({ forcePathStyle: true })

let names = 0
const nextKey = () => `object-${names++}`

/** @param {string} path of a file @param {string} Key */
async function putFile(path, Key) {
  const { size } = await stat(path)
  await s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: createReadStream(path), ContentLength: size }))
}

/** @param {string} path of a file @param {string} Key */
async function putParts(path, Key) {
  const { size } = await stat(path)
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key }))
  /** @type {Array<{ PartNumber: number, ETag?: string }>} */
  const Parts = []
  let last = 0
  const putNext = async () => {
    const PartNumber = ++last
    const start = (PartNumber - 1) * PART_BYTES
    if (PartNumber > 1 && start >= size) return
    const ContentLength = Math.min(PART_BYTES, size - start)
    const Body = createReadStream(path, { start, end: start + ContentLength - 1 })
    const { ETag } = await s3.send(new S3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentLength }))
    Parts[PartNumber - 1] = { PartNumber, ETag }
    await putNext()
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, putNext))
    await s3.send(new S3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await s3.send(new S3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    throw error
  }
}

class Sha256 {
  /** @param {any} [secret] */
  constructor(secret) {
    this.hash = secret ? createHmac('sha256', secret) : createHash('sha256')
  }
  /** @param {any} data */
  update(data) {
    this.hash.update(data)
  }
  async digest() {
    return this.hash.digest()
  }
}

const credentials = { accessKeyId, secretAccessKey }
const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false })

/** @returns {Promise<string>} a URL to which anybody may PUT one object */
async function presignPut() {
  const { protocol, hostname, port, host } = new URL(AWS_ENDPOINT_URL)
  const path = `/${Bucket}/${nextKey()}`
  const headers = { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
  const request = { method: 'PUT', protocol, hostname, port: Number(port), path, headers, query: {} }
  const { query } = await signer.presign(request, { expiresIn: URL_SECONDS })
  return `${AWS_ENDPOINT_URL}${path}?${new URLSearchParams(/** @type {Record<string, string>} */ (query))}`
}

async function main() {
  const requireThere = createRequire(join(EXAMPLE, 'server.js'))
  const app = requireThere('fastify')()
  app.register(requireThere('@fastify/multipart'), { limits: { files: 1, fileSize: 5 * 1024 ** 3 } })
  app.post('/presign', async () => ({ url: await presignPut() }))
  app.post('/uploads', async (/** @type {any} */ request, /** @type {any} */ reply) => {
    const { files } = await request.saveRequestFiles()
    await (WAY === 'parts' ? putParts : putFile)(files[0].filepath, nextKey())
    return reply.code(201).send({})
  })
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0, backlog: 2000 })}\n`)
}

main()

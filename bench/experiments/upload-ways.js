'use strict'

/**
 * The services that the example is compared with, as one writes them with the AWS SDK; each is a process of its own. `WAY` says which,
 * the rest of the environment where the store is. The first line of standard output is the address.
 */

const { createHash, createHmac, randomUUID } = require('node:crypto')
const { createReadStream } = require('node:fs')
const { stat } = require('node:fs/promises')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const S3 = require('@aws-sdk/client-s3')
const { SignatureV4 } = require('@smithy/signature-v4')

const requireThere = createRequire(join(__dirname, '..', '..', 'examples', 'upload-service', 'server.js'))
const PART_BYTES = 8 * 1024 ** 2

const { WAY = '', BUCKET: Bucket = '', AWS_ENDPOINT_URL: endpoint = '', AWS_REGION: region = '' } = process.env
const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env
const s3 = new S3.S3Client({ forcePathStyle: true })

/** @param {string} path of a file @param {number} ContentLength its size @param {string} Key */
async function putFile(path, ContentLength, Key) {
  await s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: createReadStream(path), ContentLength }))
}

/** @param {string} path of a file @param {number} size @param {string} Key */
async function putParts(path, size, Key) {
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key }))
  const upload = { Bucket, Key, UploadId }
  const putPart = async (/** @type {number} */ start) => {
    const PartNumber = start / PART_BYTES + 1
    const ContentLength = Math.min(PART_BYTES, size - start)
    const Body = createReadStream(path, { start, end: start + ContentLength - 1 })
    const { ETag } = await s3.send(new S3.UploadPartCommand({ ...upload, PartNumber, Body, ContentLength }))
    return { PartNumber, ETag }
  }
  try {
    const parts = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, i) => putPart(i * PART_BYTES))
    const MultipartUpload = { Parts: await Promise.all(parts) }
    await s3.send(new S3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload }))
  } catch (error) {
    await s3.send(new S3.AbortMultipartUploadCommand(upload))
    throw error
  }
}

/** @type {any} as the SDK wants it: called with `new`. */
const sha256 = function Sha256(/** @type {any} */ secret) {
  const hash = secret ? createHmac('sha256', secret) : createHash('sha256')
  return { update: (/** @type {any} */ data) => void hash.update(data), digest: async () => hash.digest() }
}
const credentials = { accessKeyId, secretAccessKey }
const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false })

/** @returns {Promise<string>} a URL to which anybody may PUT one object */
async function presignPut() {
  const { protocol, hostname, host } = new URL(endpoint)
  const path = `/${Bucket}/${randomUUID()}`
  const headers = { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
  const { query } = await signer.presign({ method: 'PUT', protocol, hostname, path, headers, query: {} })
  return `${endpoint}${path}?${new URLSearchParams(/** @type {Record<string, string>} */ (query))}`
}

async function main() {
  const app = requireThere('fastify')()
  app.register(requireThere('@fastify/multipart'), { limits: { files: 1, fileSize: 5 * 1024 ** 3 } })
  app.post('/presign', async () => ({ url: await presignPut() }))
  app.post('/uploads', async (/** @type {any} */ request, /** @type {any} */ reply) => {
    const [{ filepath }] = (await request.saveRequestFiles()).files
    await (WAY === 'parts' ? putParts : putFile)(filepath, (await stat(filepath)).size, randomUUID())
    return reply.code(201).send({})
  })
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0, backlog: 2000 })}\n`)
}

main()

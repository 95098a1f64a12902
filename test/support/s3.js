'use strict'

/** What suites do with a store that speaks S3 besides copying: buckets, requests played, objects written and read back. */

const { gcs } = require('../../lib/stores/gcs')
const { createS3Store } = require('../../lib/stores/s3/store')
const { all, bytesOf, crc32, keysOf, send, sha256, sumsOf, uploadsOf } = require('./stores')

/** @typedef {{ endpoint: string, accessKeyId: string, secretAccessKey: string, region: string }} Access */

/**
 * xfer's own store for a server's bucket.
 *
 * @param {Access} access
 * @param {string} bucket
 * @param {object} [settings] over the usual ones; see SideSettings
 * @param {() => number} [now]
 */
function openStore({ endpoint, accessKeyId, secretAccessKey, region }, bucket, settings = {}, now = undefined) {
  const credentials = { accessKeyId, secretAccessKey }
  return createS3Store({
    bucket,
    now,
    dialects: gcs.dialects,
    settings: {
      side: 'destination',
      endpoint,
      region,
      addressing: 'auto',
      credentials: async () => credentials,
      requestPayer: false,
      ...settings,
    },
  })
}

/** Those that are not there yet. @param {Access} access @param {...string} buckets */
async function createBuckets({ endpoint, accessKeyId, secretAccessKey, region }, ...buckets) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { S3Client, CreateBucketCommand } = require('@aws-sdk/client-s3')
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  try {
    for (const Bucket of buckets) {
      await client.send(new CreateBucketCommand({ Bucket })).catch(error => {
        if (error.name !== 'BucketAlreadyOwnedByYou') throw error
      })
    }
  } finally {
    client.destroy()
  }
}

/** MinIO takes no larger ones. */
const FRAME_BYTES = 8 * 1024 ** 2

/** What goes over the wire for a write of these bytes: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html */
function bodyFor({ headers, framing }, bytes) {
  if (!framing) return bytes
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  const frames = []
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
    const frame = bytes.subarray(at, at + FRAME_BYTES)
    frames.push(Buffer.from(`${frame.length.toString(16)}\r\n`), frame, Buffer.from('\r\n'))
  }
  const body = Buffer.concat([...frames, Buffer.from(`0\r\n${framing.trailer}:${sum.toString('base64')}\r\n\r\n`)])
  if (String(body.length) !== headers['content-length']) throw new Error('the frames are not as long as was signed')
  return body
}

/**
 * Plays a signed request as anybody could who has it.
 *
 * @param {{ method: string, url: string, headers: Record<string, string>, framing?: { trailer: string } }} request
 * @param {Buffer} [bytes] of a write, before framing
 * @returns {Promise<{ status: number, headers: Record<string, string>, body: Buffer, code?: string }>}
 */
async function play(request, bytes) {
  const answer = await send(request, bytes && bodyFor(request, bytes))
  const code = /<Code>(.*?)<\/Code>/.exec(answer.body.toString('latin1'))?.[1]
  return { ...answer, ...(answer.status >= 300 && { code }) }
}

/**
 * @param {any} store
 * @param {string} key
 * @param {Buffer} bytes
 * @param {{ headers?: Record<string, string>, user?: Record<string, string>, checksum?: boolean }} [options] and others of ObjectAttributes
 */
async function tryPut(store, key, bytes, { headers = {}, user = {}, checksum = false, ...more } = {}) {
  const put = { key, bytes: bytes.length, attributes: { metadata: { headers, user }, ...more }, checksum }
  return play((await store.put(put)).request, bytes)
}

/** As tryPut, and refused is failed. @returns {Promise<string>} the ETag */
async function put(store, key, bytes, options) {
  const { status, code, headers } = await tryPut(store, key, bytes, options)
  if (status !== 200) throw new Error(`writing "${key}" was answered ${status} ${code}`)
  return headers.etag
}

/** The whole object. @param {any} store @param {string} key @returns {Promise<Buffer>} */
async function get(store, key) {
  const { etag } = await store.head(key)
  const { status, code, body } = await play((await store.read({ key, etag })).request)
  if (status !== 200) throw new Error(`reading "${key}" was answered ${status} ${code}`)
  return body
}

/** Nothing is in a bucket, and nothing was begun in it. @param {any} server @param {string} bucket */
async function expectNothingLeft(server, bucket) {
  const store = openStore(server, bucket)
  const { uploads } = await store.upload.pending({ prefix: '' })
  const { objects } = await store.list({ prefix: '' })
  store.close()
  expect({ uploads, objects }).toEqual({ uploads: [], objects: [] })
}

module.exports = {
  sumsOf,
  expectNothingLeft,
  bytesOf,
  crc32,
  sha256,
  openStore,
  createBuckets,
  play,
  tryPut,
  put,
  get,
  all,
  keysOf,
  uploadsOf,
}

'use strict'

/** `node upload-client.js WAY COUNT BYTES BURSTS`: uploads buffers in bursts, each all at once. The store is the environment's. */

const { randomBytes } = require('node:crypto')
const { createRequire } = require('node:module')
const { BUCKET } = require('./synthetic-world')

/** A service in one of the ways. @type {Record<string, () => (key: string, body: Buffer) => Promise<unknown>>} */
const WAYS = {
  xfer() {
    const client = require('../../lib').createClient()
    return (key, body) => client.upload(body, `s3://${BUCKET}/${key}`)
  },
  put() {
    const { PutObjectCommand, S3Client } = require('@aws-sdk/client-s3')
    const client = new S3Client({ forcePathStyle: true })
    return (Key, Body) => client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }))
  },
  'lib-storage'() {
    const { S3Client } = require('@aws-sdk/client-s3')
    const { Upload } = createRequire(__filename)('@aws-sdk/lib-storage')
    const client = new S3Client({ forcePathStyle: true })
    return (Key, Body) => new Upload({ client, params: { Bucket: BUCKET, Key, Body } }).done()
  },
}

async function main() {
  const [way, ...numbers] = process.argv.slice(2)
  const [count, bytes, bursts] = numbers.map(Number)
  const upload = WAYS[way]()
  const body = randomBytes(bytes)
  for (let burst = 0; burst < bursts; burst++) {
    await Promise.all(Array.from({ length: count }, (_, i) => upload(`${burst}-${i}`, body)))
  }
  // Connections that are kept would keep the process.
  process.exit(0)
}

main()

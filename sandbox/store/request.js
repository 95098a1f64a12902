'use strict'

const { S3Error } = require('./errors')

/** Of virtual-host addressing: `<bucket>.s3.localhost`. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
const DOMAIN = '.s3.localhost'

/**
 * Finds the bucket and the key, which must be UTF-8.
 *
 * @param {import('./types').Context} ctx
 * @throws {S3Error} InvalidURI
 */
function decodePath(ctx) {
  const host = (ctx.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
  const path = ctx.rawPath.slice(1)
  const full = host.endsWith(DOMAIN) ? `${host.slice(0, -DOMAIN.length)}/${path}` : path
  const [bucket, ...key] = full.split('/')
  try {
    ctx.bucketName = decodeURIComponent(bucket) || undefined
    ctx.key = decodeURIComponent(key.join('/')) || undefined
  } catch (cause) {
    throw new S3Error('InvalidURI', { cause })
  }
}

module.exports = { decodePath }

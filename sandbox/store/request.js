'use strict'

const { randomBytes } = require('node:crypto')
const { receive } = require('../common/request')
const { S3Error } = require('./errors')

/**
 * Parses a request: path-style and virtual-host addressing, query, headers.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 *
 * @typedef {import('./types').Context} Context
 */

/** Of virtual-host addressing: `<bucket>.s3.localhost`. */
const DOMAIN = '.s3.localhost'

/**
 * @param {import('./types').State} state
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @returns {Context} without its `operation`
 */
function createContext(state, req, res) {
  const received = receive(req, res)
  const { headers, queryList, rawPath } = received
  const bucketOfHost = virtualBucket(headers.get('host')?.[0] ?? '')
  /** @type {Context} */
  const ctx = {
    ...received,
    state,
    requestId: randomBytes(8).toString('hex').toUpperCase(),
    hostId: randomBytes(32).toString('base64'),
    query: new Map(queryList),
    ...(bucketOfHost === undefined ? pathStyle(rawPath) : { bucketName: bucketOfHost, key: rawPath.slice(1) }),
    bucket() {
      const bucket = state.catalog.buckets.get(ctx.bucketName ?? '')
      if (!bucket) throw new S3Error('NoSuchBucket', { BucketName: ctx.bucketName })
      return bucket
    },
  }
  return ctx
}

/**
 * Decodes the key, which must be UTF-8.
 *
 * @param {Context} ctx
 * @throws {S3Error} InvalidURI
 */
function decodeKey(ctx) {
  try {
    ctx.key = ctx.key && decodeURIComponent(ctx.key)
    ctx.bucketName = ctx.bucketName && decodeURIComponent(ctx.bucketName)
  } catch (cause) {
    throw new S3Error('InvalidURI', { cause, URI: ctx.rawPath })
  }
}

/** @param {string} host */
function virtualBucket(host) {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name.endsWith(DOMAIN) ? name.slice(0, -DOMAIN.length) : undefined
}

/** @param {string} rawPath */
function pathStyle(rawPath) {
  const at = rawPath.indexOf('/', 1)
  if (at === -1) return { bucketName: rawPath.slice(1) || undefined }
  return { bucketName: rawPath.slice(1, at) || undefined, key: rawPath.slice(at + 1) || undefined }
}

module.exports = { createContext, decodeKey }

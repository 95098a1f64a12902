'use strict'

/**
 * How requests to the store are read, checked and answered.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

const { randomBytes } = require('node:crypto')
const { authenticate, isPermitted, mayMiss } = require('./auth')
const { S3Error, USUAL } = require('./errors')
const google = require('./google')
const { errorTold, foldedName, forgetWrite, noteWrite } = require('./quirks')
const { writeS3Xml } = require('../common/xml')
const buckets = require('./buckets')
const { completeUpload } = require('./complete')
const { copyObject, uploadPartCopy } = require('./copy')
const listing = require('./listing')
const objects = require('./objects')
const uploads = require('./uploads')

/** Of virtual-host addressing: `<bucket>.s3.localhost`. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
const DOMAIN = '.s3.localhost'

/**
 * Finds the bucket and the key, which must be UTF-8.
 *
 * @param {Context} ctx
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

/** @param {import('./types').State} state @returns {import('../common/serve').Protocol<Context>} */
function protocolOf(state) {
  const isGoogle = state.options.mode === 'google'
  return {
    open(received) {
      /** @type {Context} */
      const ctx = {
        ...received,
        state,
        requestId: randomBytes(8).toString('hex').toUpperCase(),
        query: new Map(received.queryList),
        bucket() {
          const bucket = state.catalog.buckets.get(ctx.bucketName ?? '')
          if (!bucket) throw new S3Error('NoSuchBucket', { BucketName: ctx.bucketName })
          return bucket
        },
      }
      return ctx
    },
    read(ctx) {
      decodePath(ctx)
      if (ctx.key) ctx.key = foldedName(ctx, ctx.key)
      if (state.options.tagging === 'ignored') ctx.query.delete('tagging')
      ctx.operation = operationOf(ctx).operation
    },
    handle,
    ...(isGoogle && { finish: google.answerLikeGoogle }),
    failure: (code, facts) => new S3Error(code, facts),
    malformed: 'MalformedXML',
    usual: USUAL,
    document: errorDocument,
    head: ctx => ({ [isGoogle ? 'x-guploader-uploadid' : 'x-amz-request-id']: ctx.requestId }),
    facts: factsOf,
  }
}

/** @param {Context} ctx @returns {Promise<Answer>} */
async function handle(ctx) {
  const { handle: work, anonymous } = operationOf(ctx)
  const isGoogle = ctx.state.options.mode === 'google'
  if (isGoogle) google.checkRequest(ctx)
  authorise(ctx, anonymous === true)
  if (isGoogle) {
    google.checkAuthenticated(ctx)
    google.translateRequest(ctx)
  }
  const { errorInBody, afterWork } = ctx.effects
  const spoiled = errorInBody && { status: 200, body: errorDocument(ctx, new S3Error(errorInBody)) }
  if (spoiled && !afterWork) return spoiled
  const before =
    ctx.key === undefined ? undefined : ctx.state.catalog.buckets.get(ctx.bucketName ?? '')?.objects.get(ctx.key)
  try {
    const answer = await work(ctx)
    noteWrite(ctx)
    forgetWrite(ctx, before)
    return spoiled || answer
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey' && !mayMiss(ctx)) throw new S3Error('AccessDenied')
    throw error
  }
}

/**
 * @param {Context} ctx
 * @param {boolean} anonymous whether the operation is allowed without a signature if the bucket is public
 * @throws {S3Error}
 */
function authorise(ctx, anonymous) {
  const { catalog, options } = ctx.state
  const bucket = catalog.buckets.get(ctx.bucketName ?? '')
  ctx.identity = authenticate(ctx, {
    expectedRegion: bucket?.region ?? options.region,
    // The region of a new bucket is only in the body.
    anyRegion: options.mode === 'google' || (ctx.operation === 'CreateBucket' && !bucket),
  })
  if (!ctx.identity) {
    if (ctx.bucketName !== undefined && anonymous && !bucket) ctx.bucket()
    if (!anonymous || !bucket?.publicRead) throw new S3Error('AccessDenied')
    return
  }
  if (!isPermitted(ctx)) throw new S3Error('AccessDenied')
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html @param {Context} ctx @param {InstanceType<typeof S3Error>} error */
function errorDocument(ctx, error) {
  const document = {
    ...errorTold(ctx, { Code: error.code, Message: error.message }),
    ...error.details,
    Resource: `/${[ctx.bucketName, ctx.key].filter(Boolean).join('/')}`,
    RequestId: ctx.requestId,
  }
  return writeS3Xml('Error', document, { namespace: false })
}

/** @param {Context} ctx */
function factsOf({ query, header, identity }) {
  const partNumber = query.get('partNumber')
  // The event of a request that has not been handled yet has the key that it claims.
  const claimed = /Credential=([^/,\s]+)/.exec(header('authorization') ?? '')?.[1]
  return {
    partNumber: partNumber === undefined ? undefined : Number(partNumber),
    uploadId: query.get('uploadId'),
    range: header('range') ?? header('x-amz-copy-source-range'),
    accessKeyId: identity?.account.accessKeyId ?? claimed,
  }
}

/**
 * Finds the operation of a request: by its method, by whether it names a bucket or a key, and by the sub-resource in its query.
 *
 * @typedef {import('./types').Handler} Handler
 * @typedef {{ operation: string, handle: Handler, anonymous?: boolean }} Operation `anonymous`: allowed without a
 *   signature if the bucket is public
 */

/** @type {Record<string, Operation>} `level method sub-resource` */
const OPERATIONS = {
  'service GET': { operation: 'ListBuckets', handle: buckets.listBuckets },

  'bucket PUT': { operation: 'CreateBucket', handle: buckets.createBucket },
  'bucket HEAD': { operation: 'HeadBucket', handle: buckets.headBucket, anonymous: true },
  'bucket GET list-type': { operation: 'ListObjectsV2', handle: listing.listObjectsV2, anonymous: true },
  'bucket GET uploads': { operation: 'ListMultipartUploads', handle: listing.listUploads },
  'bucket POST delete': { operation: 'DeleteObjects', handle: buckets.deleteObjects },

  'object PUT': { operation: 'PutObject', handle: objects.putObject },
  'object GET': { operation: 'GetObject', handle: objects.getObject, anonymous: true },
  'object HEAD': { operation: 'HeadObject', handle: objects.getObject, anonymous: true },
  'object DELETE': { operation: 'DeleteObject', handle: objects.deleteObject },
  'object POST uploads': { operation: 'CreateMultipartUpload', handle: uploads.createUpload },
  'object PUT uploadId': { operation: 'UploadPart', handle: uploads.uploadPart },
  'object GET uploadId': { operation: 'ListParts', handle: listing.listParts },
  'object POST uploadId': { operation: 'CompleteMultipartUpload', handle: completeUpload },
  'object DELETE uploadId': { operation: 'AbortMultipartUpload', handle: uploads.abortUpload },
  'object GET tagging': { operation: 'GetObjectTagging', handle: buckets.getTagging },
  'object PUT tagging': { operation: 'PutObjectTagging', handle: buckets.putTagging },
}

/** Query parameters that select another operation. */
const SUB_RESOURCES = new Set(Object.keys(OPERATIONS).map(name => name.split(' ')[2]))

/** Copies, which a header distinguishes from the PUT of a body. @type {typeof OPERATIONS} */
const COPIES = {
  'object PUT': { operation: 'CopyObject', handle: copyObject },
  'object PUT uploadId': { operation: 'UploadPartCopy', handle: uploadPartCopy },
}

/**
 * @param {{ method: string, bucketName?: string, key?: string, query: Map<string, string>,
 *   headers: Map<string, string[]> }} request
 * @returns {Operation}
 */
function operationOf({ method, bucketName, key, query, headers }) {
  const level = key ? 'object' : bucketName ? 'bucket' : 'service'
  const sub = [...query.keys()].find(name => SUB_RESOURCES.has(name))
  const name = [level, method, ...(sub === undefined ? [] : [sub])].join(' ')
  const copies = headers.has('x-amz-copy-source') || headers.has('x-goog-copy-source')
  const found = (copies && COPIES[name]) || OPERATIONS[name]
  if (found) return found
  return {
    operation: 'MethodNotAllowed',
    handle() {
      throw new S3Error('MethodNotAllowed', { Method: method, ResourceType: level.toUpperCase() })
    },
  }
}

module.exports = { protocolOf, operationOf }

'use strict'

/**
 * Authenticates requests: finds the account, and checks the signature.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

const { S3Error } = require('./errors')
const sigv4 = require('../common/sigv4')

const MAX_SKEW_MS = 15 * 60_000
const MAX_EXPIRES_S = 604_800
const FIELDS = ['Credential', 'SignedHeaders', 'Signature']

/**
 * @typedef {object} Claim what a request states about its signature
 * @property {'header' | 'query'} form
 * @property {import('../common/sigv4').Names} names
 * @property {string} accessKeyId
 * @property {string[]} scope date, region, service, terminator
 * @property {string[]} signedHeaders
 * @property {string} signature
 * @property {string} amzDate
 * @property {number} expiresS of a presigned URL
 * @property {string} payloadHash
 * @property {string | undefined} token
 *
 * @typedef {object} Identity
 * @property {import('./types').Account} account
 * @property {string} payloadHash one of the values of `x-amz-content-sha256`
 * @property {string} region
 */

/**
 * @param {import('./types').Context} ctx
 * @param {{ expectedRegion: string, anyRegion: boolean }} where the region whose signatures are valid here, or that any is
 * @returns {Identity | undefined} undefined for a request without any signature
 * @throws {S3Error} 400s and 403s
 */
function authenticate(ctx, { expectedRegion, anyRegion }) {
  const claim = claimOf(ctx)
  if (!claim) return undefined
  const { form, accessKeyId, payloadHash } = claim
  const [, region] = claim.scope
  const account = ctx.state.options.accounts.find(one => one.accessKeyId === accessKeyId)
  // A temporary key id without its token is answered as an unknown one.
  if (!account || (claim.token === undefined && account.sessionToken !== undefined)) {
    throw new S3Error('InvalidAccessKeyId', { AWSAccessKeyId: accessKeyId })
  }
  if (claim.token !== account.sessionToken) throw new S3Error('InvalidToken')
  if (account.expiresMs !== undefined && account.expiresMs <= ctx.state.now()) {
    throw new S3Error('ExpiredToken', { 'Token-0': claim.token })
  }
  if (!anyRegion && region !== expectedRegion) {
    throw malformed(form, `the region '${region}' is wrong; expecting '${expectedRegion}'`, {
      Region: expectedRegion,
      headers: { 'x-amz-bucket-region': expectedRegion },
    })
  }
  checkTime(claim, ctx.state.now())
  const unsigned = sigv4.unsignedOf(ctx.headers, claim.signedHeaders, claim.names.prefix)
  if (unsigned.length > 0) {
    throw new S3Error('AccessDenied', {
      message: 'There were headers present in the request which were not signed',
      HeadersNotSigned: unsigned.join(', '),
    })
  }
  checkSignature(ctx, claim, account)
  return { account, payloadHash, region }
}

/** @param {import('./types').Context} ctx @returns {Claim | undefined} undefined: it has no signature */
function claimOf(ctx) {
  const authorization = ctx.header('authorization')
  const prefix = ['X-Amz-', 'X-Goog-'].find(one => ctx.query.has(`${one}Algorithm`))
  if (authorization === undefined && prefix === undefined) return undefined
  if (authorization !== undefined && prefix !== undefined) {
    throw new S3Error('InvalidArgument', { message: 'Only one auth mechanism allowed', ArgumentName: 'Authorization' })
  }
  const form = prefix ? 'query' : 'header'
  const header = sigv4.readAuthorization(authorization ?? '')
  const field = (/** @type {string} */ name) => (prefix ? ctx.query.get(prefix + name) : header.fields[name]) ?? ''
  const names = namesOf(ctx, prefix ? field('Algorithm') : header.algorithm)
  const missing = FIELDS.find(name => !field(name))
  if (missing) throw malformed(form, `missing ${missing}.`)
  const amzDate = prefix ? field('Date') : (ctx.header(`${names.prefix}date`) ?? '')
  if (Number.isNaN(sigv4.fromAmzDate(amzDate))) {
    throw new S3Error('AccessDenied', { message: 'AWS authentication requires a valid Date or x-amz-date header' })
  }
  const expiresS = Number(field('Expires'))
  if (prefix && !(expiresS >= 1 && expiresS <= MAX_EXPIRES_S)) {
    throw malformed(form, 'X-Amz-Expires must be a number from 1 to 604800')
  }
  const sentHash = ctx.header(`${names.prefix}content-sha256`)
  if (!prefix && sentHash === undefined) {
    throw new S3Error('InvalidRequest', {
      message: `Missing required header for this request: ${names.prefix}content-sha256`,
    })
  }
  // An access key id may contain slashes; the last four fields are the scope.
  const credential = field('Credential').split('/')
  const scope = credential.splice(-4)
  const [date, , service, terminator] = scope
  if (date !== amzDate.slice(0, 8) || !names.services.includes(service) || terminator !== names.terminator) {
    throw malformed(form, `expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/${names.terminator}" with the service s3.`)
  }
  return {
    form,
    names,
    amzDate,
    expiresS,
    scope,
    accessKeyId: credential.join('/'),
    signedHeaders: field('SignedHeaders').toLowerCase().split(';'),
    signature: field('Signature'),
    payloadHash: ctx.query.get('X-Amz-Content-Sha256') ?? sentHash ?? 'UNSIGNED-PAYLOAD',
    token: ctx.query.get('X-Amz-Security-Token') ?? ctx.header('x-amz-security-token'),
  }
}

/** Google's own algorithm is for the mode `google` alone. @param {import('./types').Context} ctx @param {string} algorithm */
function namesOf(ctx, algorithm) {
  if (algorithm === sigv4.AMAZON.algorithm) return sigv4.AMAZON
  if (algorithm === sigv4.GOOGLE.algorithm && ctx.state.options.mode === 'google') return sigv4.GOOGLE
  throw new S3Error('InvalidRequest', {
    message: 'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
  })
}

/** What is wrong with what a request states, as S3 says it. @param {Claim['form']} form @param {string} what @param {object} [facts] */
function malformed(form, what, facts) {
  const [code, lead] =
    form === 'header'
      ? ['AuthorizationHeaderMalformed', 'The authorization header is malformed']
      : ['AuthorizationQueryParametersError', 'Error parsing the X-Amz-Credential parameter']
  return new S3Error(code, { message: `${lead}; ${what}`, ...facts })
}

/** @param {Claim} claim @param {number} now milliseconds, by the store's clock */
function checkTime({ form, amzDate, expiresS }, now) {
  const signedAt = sigv4.fromAmzDate(amzDate)
  const ServerTime = new Date(now).toISOString()
  if (form === 'header') {
    if (Math.abs(now - signedAt) > MAX_SKEW_MS) {
      throw new S3Error('RequestTimeTooSkewed', { RequestTime: amzDate, ServerTime })
    }
    return
  }
  const early = signedAt - now > MAX_SKEW_MS
  if (!early && now <= signedAt + expiresS * 1000) return
  throw new S3Error('AccessDenied', {
    message: early ? 'Request is not valid yet' : 'Request has expired',
    ServerTime,
  })
}

/** @param {import('./types').Context} ctx @param {Claim} claim @param {import('./types').Account} account */
function checkSignature(ctx, { names, scope, signedHeaders, signature, amzDate, payloadHash }, account) {
  const { method, rawPath, queryList: query, headers } = ctx
  const request = { method, rawPath, query, headers, signedHeaders, payloadHash }
  const right = sigv4.signatureOf(request, { secret: account.secretAccessKey, scope, amzDate, names })
  if (right.signature === signature) return
  throw new S3Error('SignatureDoesNotMatch', {
    StringToSign: right.text,
    CanonicalRequest: Buffer.from(right.canonical, 'latin1').toString(),
  })
}

/**
 * Which IAM actions an operation needs. https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 *
 * @typedef {import('./types').Context} Context
 */

/** The actions of operations with a different name, without `s3:`. @type {Record<string, string>} */
const ACTIONS = {
  HeadObject: 'GetObject',
  HeadBucket: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListBuckets: 'ListAllMyBuckets',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListParts: 'ListMultipartUploadParts',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  CopyObject: 'PutObject',
}

/** Actions that have another name if the request names a version. */
const OF_VERSIONS = ['GetObject', 'GetObjectTagging', 'PutObjectTagging', 'DeleteObject', 'DeleteObjectTagging']

/** Writes that may be conditional. They also need the permission to read then. */
const CONDITIONAL = new Set(['PutObject', 'CompleteMultipartUpload', 'CopyObject', 'DeleteObject'])

/**
 * Checks that the account that signed a request may use the bucket, and has all actions that its operation needs. copy.js checks those for
 * the source of a copy, and DeleteObjects those for each key.
 *
 * @param {Context} ctx with its identity
 */
function isPermitted(ctx) {
  const { buckets } = ctx.identity?.account ?? {}
  if (buckets !== undefined && ctx.bucketName !== undefined && !buckets.includes(ctx.bucketName)) return false
  if (ctx.operation === 'DeleteObjects') return true
  const needed = [ofVersion(ACTIONS[ctx.operation] ?? ctx.operation, ctx.query.has('versionId'))]
  if (ctx.header('x-amz-tagging')) needed.push('PutObjectTagging')
  if (CONDITIONAL.has(ctx.operation) && ctx.headers.has('if-match')) needed.push('GetObject')
  return needed.every(action => hasAction(ctx, `s3:${action}`))
}

/** Without the permission to list the bucket, a missing object is answered with 403, not 404. @param {Context} ctx */
function mayMiss(ctx) {
  return hasAction(ctx, 's3:ListBucket')
}

/** Without the permission to read tags, their number is not answered. @param {Context} ctx */
function mayReadTags(ctx) {
  return ctx.identity !== undefined && hasAction(ctx, `s3:${ofVersion('GetObjectTagging', ctx.query.has('versionId'))}`)
}

/** @param {string} action @param {boolean} versioned */
function ofVersion(action, versioned) {
  return versioned && OF_VERSIONS.includes(action) ? action.replace('Object', 'ObjectVersion') : action
}

/** @param {Context} ctx @param {string} action */
function hasAction({ identity }, action) {
  const actions = identity?.account.actions
  return actions === undefined || actions.includes(action)
}

module.exports = { authenticate, isPermitted, mayMiss, mayReadTags, hasAction, ofVersion }

'use strict'

const crypto = require('node:crypto')
const { S3Error } = require('./errors')
const sigv4 = require('../common/sigv4')

/**
 * Authenticates requests: finds the account, and checks the signature.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

const MAX_SKEW_MS = 15 * 60_000
const MAX_EXPIRES_S = 604_800
const REQUIRED_QUERY = ['Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature']

/**
 * @typedef {object} Claim what a request states about its signature
 * @property {'header' | 'query'} form
 * @property {import('../common/sigv4').Names} names
 * @property {string} accessKeyId
 * @property {string} date `20130524`, of the scope
 * @property {string} region of the scope
 * @property {string} service
 * @property {string} scope
 * @property {string[]} signedHeaders
 * @property {string} signature
 * @property {string} amzDate
 * @property {number} expiresS of a presigned URL
 * @property {string} payloadHash
 * @property {string | undefined} token
 */

/**
 * @typedef {object} Identity
 * @property {import('./types').Account} account
 * @property {string} payloadHash one of the values of `x-amz-content-sha256`
 * @property {string} signature the seed of chunk signatures
 * @property {Buffer} signingKey
 * @property {string} amzDate
 * @property {string} scope
 * @property {string} region
 */

/**
 * @param {import('./types').Context} ctx
 * @param {{ expectedRegion: string, otherRegions: string[] | 'any' }} where the region whose signatures are valid here,
 *   and which other regions are accepted
 * @returns {Identity | undefined} undefined for a request without any signature
 * @throws {S3Error} 400s and 403s
 */
function authenticate(ctx, { expectedRegion, otherRegions }) {
  const authorization = ctx.header('authorization')
  const presigned = ['X-Amz-', 'X-Goog-'].some(
    prefix => ctx.query.has(`${prefix}Algorithm`) || ctx.query.has(`${prefix}Signature`),
  )
  if (authorization === undefined && !presigned) {
    if (ctx.query.has('Signature') || ctx.query.has('AWSAccessKeyId')) throw unsupported()
    return undefined
  }
  if (authorization !== undefined && presigned) {
    throw new S3Error('InvalidArgument', { message: 'Only one auth mechanism allowed', ArgumentName: 'Authorization' })
  }
  const claim = presigned ? claimOfQuery(ctx) : claimOfHeader(ctx, authorization ?? '')
  const account = ctx.state.options.accounts.find(one => one.accessKeyId === claim.accessKeyId)
  if (!account) throw new S3Error('InvalidAccessKeyId', { AWSAccessKeyId: claim.accessKeyId })
  checkToken(account, claim)
  if (account.expiresMs !== undefined && account.expiresMs <= ctx.state.now()) {
    throw new S3Error('ExpiredToken', { 'Token-0': claim.token })
  }
  if (otherRegions !== 'any' && claim.region !== expectedRegion && !otherRegions.includes(claim.region)) {
    throw malformed(claim.form, `the region '${claim.region}' is wrong; expecting '${expectedRegion}'`, {
      Region: expectedRegion,
      headers: { 'x-amz-bucket-region': expectedRegion },
    })
  }
  checkTime(claim, ctx.state.now())
  checkSignedHeaders(ctx, claim)
  const key = sigv4.signingKey(account.secretAccessKey, claim.date, claim.region, claim.service, claim.names)
  checkSignature(ctx, claim, key)
  return {
    account,
    payloadHash: claim.payloadHash,
    signature: claim.signature,
    signingKey: key,
    amzDate: claim.amzDate,
    scope: claim.scope,
    region: claim.region,
  }
}

/** @param {import('./types').Context} ctx @param {string} authorization @returns {Claim} */
function claimOfHeader(ctx, authorization) {
  const [algorithm, ...rest] = authorization.trim().split(/\s+/)
  const names = namesOf(ctx, algorithm)
  const fields = new Map(
    rest
      .join('')
      .split(',')
      .map(field => /** @type {[string, string]} */ ([field.split('=')[0], field.slice(field.indexOf('=') + 1)])),
  )
  const [credential, signedHeaders, signature] = ['Credential', 'SignedHeaders', 'Signature'].map(name => {
    const value = fields.get(name)
    if (!value) {
      throw malformed('header', `missing ${name}.`)
    }
    return value
  })
  const payloadHash = ctx.header(`${names.prefix}content-sha256`)
  if (payloadHash === undefined) {
    throw new S3Error('InvalidRequest', {
      message: `Missing required header for this request: ${names.prefix}content-sha256`,
    })
  }
  return {
    form: 'header',
    names,
    ...credentialOf(credential, names, 'header'),
    signedHeaders: signedHeaders.toLowerCase().split(';'),
    signature,
    amzDate: dateOf(ctx, names),
    expiresS: 0,
    payloadHash,
    token: ctx.header('x-amz-security-token'),
  }
}

/** Of a header's algorithm: Google's own is for the mode `google` alone. @param {import('./types').Context} ctx @param {string} algorithm */
function namesOf(ctx, algorithm) {
  if (algorithm === sigv4.AMAZON.algorithm) return sigv4.AMAZON
  if (algorithm === sigv4.GOOGLE.algorithm && ctx.state.options.mode === 'google') return sigv4.GOOGLE
  throw unsupported()
}

/** @param {import('./types').Context} ctx @param {import('../common/sigv4').Names} names */
function dateOf(ctx, { prefix }) {
  const amzDate = ctx.header(`${prefix}date`)
  if (amzDate !== undefined && !Number.isNaN(sigv4.fromAmzDate(amzDate))) return amzDate
  const date = Date.parse(ctx.header('date') ?? '')
  if (amzDate === undefined && !Number.isNaN(date)) return sigv4.toAmzDate(date)
  throw new S3Error('AccessDenied', {
    message: 'AWS authentication requires a valid Date or x-amz-date header',
  })
}

/** @param {import('./types').Context} ctx @returns {Claim} */
function claimOfQuery(ctx) {
  /** @param {string} message */
  const malformed = message => new S3Error('AuthorizationQueryParametersError', { message })
  // https://cloud.google.com/storage/docs/authentication/canonical-requests
  const isGoogle = ctx.state.options.mode === 'google' && ctx.query.has('X-Goog-Algorithm')
  const [names, prefix] = isGoogle ? [sigv4.GOOGLE, 'X-Goog-'] : [sigv4.AMAZON, 'X-Amz-']
  if (ctx.query.get(`${prefix}Algorithm`) !== names.algorithm) {
    throw malformed('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"')
  }
  const [credential, amzDate, expires, signedHeaders, signature] = REQUIRED_QUERY.map(name => {
    const value = ctx.query.get(prefix + name)
    if (!value) throw malformed(`Query-string authentication version 4 requires the parameter ${prefix}${name}.`)
    return value
  })
  if (Number.isNaN(sigv4.fromAmzDate(amzDate))) {
    throw malformed('X-Amz-Date must be in the ISO8601 Long Format')
  }
  if (!/^\d+$/.test(expires) || Number(expires) < 1 || Number(expires) > MAX_EXPIRES_S) {
    throw malformed('X-Amz-Expires must be a number from 1 to 604800')
  }
  return {
    form: 'query',
    names,
    ...credentialOf(credential, names, 'query'),
    signedHeaders: signedHeaders.toLowerCase().split(';'),
    signature,
    amzDate,
    expiresS: Number(expires),
    payloadHash: ctx.query.get('X-Amz-Content-Sha256') ?? ctx.header('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
    token: ctx.query.get('X-Amz-Security-Token') ?? ctx.header('x-amz-security-token'),
  }
}

/** What is wrong with what a request states, as S3 says it. @param {Claim['form']} form @param {string} what @param {object} [facts] */
function malformed(form, what, facts) {
  const [code, lead] =
    form === 'header'
      ? ['AuthorizationHeaderMalformed', 'The authorization header is malformed']
      : ['AuthorizationQueryParametersError', 'Error parsing the X-Amz-Credential parameter']
  return new S3Error(code, { message: `${lead}; ${what}`, ...facts })
}

/** @param {string} credential @param {import('../common/sigv4').Names} names @param {Claim['form']} form */
function credentialOf(credential, names, form) {
  // An access key id may contain slashes; the last four fields are the scope.
  const fields = credential.split('/')
  const [date, region, service, terminator] = fields.slice(-4)
  const accessKeyId = fields.slice(0, -4).join('/')
  const known = names.services.includes(service) && terminator === names.terminator
  if (accessKeyId && /^\d{8}$/.test(date) && known) {
    return { accessKeyId, date, region, service, scope: `${date}/${region}/${service}/${terminator}` }
  }
  throw malformed(form, `expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/${names.terminator}" with the service s3.`)
}

/** @param {import('./types').Account} account @param {Claim} claim */
function checkToken(account, claim) {
  if (claim.token === account.sessionToken) return
  // A temporary key id without its token is answered as an unknown one.
  if (claim.token === undefined) throw new S3Error('InvalidAccessKeyId', { AWSAccessKeyId: claim.accessKeyId })
  throw new S3Error('InvalidToken', { 'Token-0': claim.token })
}

/** @param {Claim} claim @param {number} now milliseconds, by the store's clock */
function checkTime(claim, now) {
  const signedAt = sigv4.fromAmzDate(claim.amzDate)
  const serverTime = new Date(now).toISOString()
  if (claim.date !== claim.amzDate.slice(0, 8)) {
    throw malformed(claim.form, `the date "${claim.date}" is not that of X-Amz-Date, "${claim.amzDate.slice(0, 8)}".`)
  }
  if (claim.form === 'header') {
    if (Math.abs(now - signedAt) <= MAX_SKEW_MS) return
    throw new S3Error('RequestTimeTooSkewed', {
      RequestTime: claim.amzDate,
      ServerTime: serverTime,
      MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
    })
  }
  if (signedAt - now > MAX_SKEW_MS) {
    throw new S3Error('AccessDenied', { message: 'Request is not valid yet', ServerTime: serverTime })
  }
  const expiresAt = signedAt + claim.expiresS * 1000
  if (now <= expiresAt) return
  throw new S3Error('AccessDenied', {
    message: 'Request has expired',
    'X-Amz-Expires': claim.expiresS,
    Expires: new Date(expiresAt).toISOString(),
    ServerTime: serverTime,
  })
}

/** @param {import('./types').Context} ctx @param {Claim} claim */
function checkSignedHeaders(ctx, claim) {
  const unsigned = [...ctx.headers.keys()].filter(
    name => (name === 'host' || name.startsWith(claim.names.prefix)) && !claim.signedHeaders.includes(name),
  )
  if (unsigned.length === 0) return
  throw new S3Error('AccessDenied', {
    message: 'There were headers present in the request which were not signed',
    HeadersNotSigned: unsigned.join(', '),
  })
}

/** @param {import('./types').Context} ctx @param {Claim} claim @param {Buffer} key */
function checkSignature(ctx, claim, key) {
  const canonical = sigv4.canonicalRequest({
    method: ctx.method,
    rawPath: ctx.rawPath,
    query: ctx.queryList,
    headers: ctx.headers,
    signedHeaders: claim.signedHeaders,
    payloadHash: claim.payloadHash,
  })
  const text = sigv4.stringToSign(claim.amzDate, claim.scope, canonical, claim.names.algorithm)
  if (sameText(sigv4.sign(key, text), claim.signature)) return
  throw new S3Error('SignatureDoesNotMatch', {
    AWSAccessKeyId: claim.accessKeyId,
    StringToSign: text,
    SignatureProvided: claim.signature,
    CanonicalRequest: Buffer.from(canonical, 'latin1').toString(),
  })
}

/** @param {string} a @param {string} b */
function sameText(a, b) {
  return a.length === b.length && crypto.timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))
}

function unsupported() {
  return new S3Error('InvalidRequest', {
    message: 'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
  })
}

module.exports = { authenticate }

'use strict'

const crypto = require('node:crypto')
const sigv4 = require('../common/sigv4')
const { LambdaError } = require('./errors')

/**
 * Checks the signature of a request.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

const MAX_SKEW_MS = 5 * 60_000
const SERVICE = 'lambda'

/**
 * @typedef {object} Signed
 * @property {string} method
 * @property {string} rawPath
 * @property {[string, string][]} queryList
 * @property {Map<string, string[]>} headers
 * @property {Buffer} body
 */

/**
 * @param {Signed} request
 * @param {import('./types').Settings} settings
 * @throws {LambdaError} 400s and 403s
 */
function authenticate(request, { accessKeyId, secretAccessKey, region, clock }) {
  const header = (/** @type {string} */ name) => request.headers.get(name)?.join(',')
  const authorization = header('authorization')
  if (authorization === undefined) throw new LambdaError('MissingAuthenticationTokenException')
  const { algorithm, fields } = sigv4.readAuthorization(authorization)
  const { Credential, Signature, SignedHeaders } = fields
  if (algorithm !== sigv4.ALGORITHM || !Credential || !Signature || !SignedHeaders) {
    throw new LambdaError('IncompleteSignatureException')
  }
  const [keyId, date, scopeRegion, service, terminator] = Credential.split('/')
  if (keyId !== accessKeyId || header('x-amz-security-token') !== undefined) {
    throw new LambdaError('UnrecognizedClientException')
  }
  if (service !== SERVICE || scopeRegion !== region || terminator !== sigv4.AMAZON.terminator) {
    throw new LambdaError('InvalidSignatureException', {
      message: `Credential should be scoped to ${region}/${SERVICE}/${sigv4.AMAZON.terminator}.`,
    })
  }

  const amzDate = header('x-amz-date') ?? ''
  checkTime(amzDate, clock())
  const signedHeaders = SignedHeaders.split(';')
  const unsigned = [...request.headers.keys()].find(
    name => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  )
  if (unsigned !== undefined)
    throw new LambdaError('InvalidSignatureException', {
      message: `'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`,
    })
  const payloadHash = crypto.createHash('sha256').update(request.body).digest('hex')
  const canonical = sigv4.canonicalRequest(
    { ...request, query: request.queryList, signedHeaders, payloadHash },
    sigv4.encodedAgain,
  )
  const scope = [date, scopeRegion, service, terminator].join('/')
  const key = sigv4.signingKey(secretAccessKey, date, scopeRegion, service)
  if (sigv4.sign(key, sigv4.stringToSign(amzDate, scope, canonical)) !== Signature) {
    throw new LambdaError('InvalidSignatureException')
  }
}

/** @param {string} amzDate @param {number} now */
function checkTime(amzDate, now) {
  const signedAt = sigv4.fromAmzDate(amzDate)
  if (Number.isNaN(signedAt)) {
    throw new LambdaError('IncompleteSignatureException')
  }
  if (Math.abs(now - signedAt) <= MAX_SKEW_MS) return
  throw new LambdaError('InvalidSignatureException', {
    message: `Signature ${signedAt < now ? 'expired' : 'not yet current'}: ${amzDate} is over 5 min. from ${sigv4.toAmzDate(now)}`,
  })
}

module.exports = { authenticate }

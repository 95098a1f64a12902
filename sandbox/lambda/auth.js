'use strict'

const crypto = require('node:crypto')
const sigv4 = require('../common/sigv4')
const { LambdaError } = require('./errors')

/**
 * Checks the signature of a request.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

const MAX_SKEW_MS = 5 * 60_000

/** @param {string} [message] */
const invalid = message => new LambdaError('InvalidSignatureException', { message })

/**
 * @param {import('./types').Call} request
 * @param {import('./types').Settings} settings
 * @throws {LambdaError} 400s and 403s
 */
function authenticate({ body, ...request }, { accessKeyId, secretAccessKey, region, clock }) {
  const header = (/** @type {string} */ name) => request.headers.get(name)?.join(',')
  const authorization = header('authorization')
  if (authorization === undefined) throw new LambdaError('MissingAuthenticationTokenException')
  const { algorithm, fields } = sigv4.readAuthorization(authorization)
  const { Credential, Signature, SignedHeaders } = fields
  const amzDate = header('x-amz-date') ?? ''
  const ageMs = clock() - sigv4.fromAmzDate(amzDate)
  const isWhole = algorithm === sigv4.AMAZON.algorithm && Credential && Signature && SignedHeaders
  if (!isWhole || Number.isNaN(ageMs)) throw new LambdaError('IncompleteSignatureException')
  const [keyId, ...scope] = Credential.split('/')
  if (keyId !== accessKeyId || header('x-amz-security-token') !== undefined) {
    throw new LambdaError('UnrecognizedClientException')
  }
  const wanted = `${region}/lambda/${sigv4.AMAZON.terminator}`
  if (scope.slice(1).join('/') !== wanted) throw invalid(`Credential should be scoped to ${wanted}.`)
  if (Math.abs(ageMs) > MAX_SKEW_MS) {
    const now = sigv4.toAmzDate(clock())
    throw invalid(`Signature ${ageMs > 0 ? 'expired' : 'not yet current'}: ${amzDate} is over 5 min. from ${now}`)
  }
  const signedHeaders = SignedHeaders.split(';')
  const [unsigned] = sigv4.unsignedOf(request.headers, signedHeaders, 'x-amz-')
  if (unsigned !== undefined) throw invalid(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`)
  const payloadHash = crypto.createHash('sha256').update(body).digest('hex')
  const { signature } = sigv4.signatureOf(
    { ...request, query: request.queryList, signedHeaders, payloadHash },
    { secret: secretAccessKey, scope, amzDate, uri: sigv4.encodedAgain },
  )
  if (signature !== Signature) throw invalid()
}

module.exports = { authenticate }

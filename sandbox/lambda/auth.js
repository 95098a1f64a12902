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
function authenticate(request, { accessKeyId, secretAccessKey, sessionToken, region, clock }) {
  const header = (/** @type {string} */ name) => request.headers.get(name)?.join(',')
  const authorization = header('authorization')
  if (authorization === undefined) throw new LambdaError('MissingAuthenticationTokenException')
  const fields = fieldsOf(authorization)
  const [keyId, date, scopeRegion, service, terminator] = fields.Credential.split('/')
  if (keyId !== accessKeyId || header('x-amz-security-token') !== sessionToken) {
    throw new LambdaError('UnrecognizedClientException')
  }
  if (service !== SERVICE) throw scopeError(`correct service: '${SERVICE}'`)
  if (scopeRegion !== region) throw scopeError('valid region')
  if (terminator !== sigv4.AMAZON.terminator) throw scopeError(`valid terminator: '${sigv4.AMAZON.terminator}'`)

  const amzDate = header('x-amz-date') ?? ''
  checkTime(amzDate, clock())
  const signedHeaders = fields.SignedHeaders.split(';')
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
  if (sigv4.sign(key, sigv4.stringToSign(amzDate, scope, canonical)) !== fields.Signature) {
    throw new LambdaError('InvalidSignatureException')
  }
}

/** @param {string} authorization @returns {{ Credential: string, SignedHeaders: string, Signature: string }} */
function fieldsOf(authorization) {
  const [algorithm, ...rest] = authorization.split(/[\s,]+/)
  const fields = Object.fromEntries(rest.map(field => [field.split('=')[0], field.slice(field.indexOf('=') + 1)]))
  const missing = ['Credential', 'Signature', 'SignedHeaders'].find(name => !fields[name])
  if (algorithm === sigv4.ALGORITHM && !missing) return /** @type {any} */ (fields)
  const what = missing
    ? `Authorization header requires '${missing}' parameter.`
    : `Unsupported AWS 'algorithm': '${algorithm}'.`
  throw new LambdaError('IncompleteSignatureException', { message: what })
}

/** @param {string} what */
const scopeError = what =>
  new LambdaError('InvalidSignatureException', { message: `Credential should be scoped to a ${what}.` })

/** @param {string} amzDate @param {number} now */
function checkTime(amzDate, now) {
  const signedAt = sigv4.fromAmzDate(amzDate)
  if (Number.isNaN(signedAt)) {
    throw new LambdaError('IncompleteSignatureException', {
      message: "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
    })
  }
  if (Math.abs(now - signedAt) <= MAX_SKEW_MS) return
  throw new LambdaError('InvalidSignatureException', {
    message: `Signature ${signedAt < now ? 'expired' : 'not yet current'}: ${amzDate} is over 5 min. from ${sigv4.toAmzDate(now)}`,
  })
}

module.exports = { authenticate }

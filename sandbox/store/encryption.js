'use strict'

const { createHash } = require('node:crypto')
const { S3Error, badRequest } = require('./errors')

/**
 * Server-side encryption as clients see it. The requested encryption is stored and reported, ETags are no MD5s where those of
 * S3 are not, and every read must send a customer's own key again. The bytes are not encrypted.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Encryption} Encryption
 */

const HEADER = 'x-amz-server-side-encryption'
const CUSTOMER = `${HEADER}-customer-`
/** The header prefix for the source of a copy. */
const SOURCE_CUSTOMER = `x-amz-copy-source-${CUSTOMER.slice('x-amz-'.length)}`
const METHODS = ['AES256', 'aws:kms', 'aws:kms:dsse']
/** The account's own key, used if the request names none. */
const USUAL_KEY = 'arn:aws:kms:us-east-1:000000000000:key/00000000-0000-4000-8000-000000000000'
const KEY_BYTES = 32

/**
 * The encryption that a PutObject, CopyObject or CreateMultipartUpload asks for.
 *
 * @param {Context} ctx
 * @returns {Encryption | undefined} undefined: the store's default
 * @throws {S3Error} InvalidArgument, InvalidEncryptionAlgorithmError
 */
function readEncryption(ctx) {
  const customer = readCustomerKey(ctx)
  const method = ctx.header(HEADER)
  const keyId = ctx.header(`${HEADER}-aws-kms-key-id`)
  if (customer !== undefined && method !== undefined) throw invalid('Only one encryption can be specified.')
  if (customer !== undefined) return { customerKeyMd5: customer }
  if (method !== undefined && !METHODS.includes(method)) throw new S3Error('InvalidEncryptionAlgorithmError')
  if (method === undefined || method === 'AES256') {
    if (keyId !== undefined) throw invalid(`A key id needs the HTTP header ${HEADER} : aws:kms`)
    return method === undefined ? undefined : { method }
  }
  return { method, keyId: keyId ?? USUAL_KEY }
}

/**
 * Reads a customer's own key. If one of its headers is sent, all of them must be.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
 *
 * @param {Context} ctx
 * @param {string} [prefix] of its headers
 * @returns {string | undefined} its MD5, base64, which identifies it from then on
 * @throws {S3Error} InvalidArgument
 */
function readCustomerKey(ctx, prefix = CUSTOMER) {
  const [algorithm, key, md5] = ['algorithm', 'key', 'key-md5'].map(name => ctx.header(prefix + name))
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined
  if (algorithm !== 'AES256') throw new S3Error('InvalidEncryptionAlgorithmError')
  const bytes = Buffer.from(key ?? '', 'base64')
  if (bytes.length === KEY_BYTES && createHash('md5').update(bytes).digest('base64') === md5) return md5
  throw invalid('Customer provided keys must have 256 bits, and come with their MD5.')
}

/**
 * Checks that a read sends the key that the object was written with, and no other encryption header.
 *
 * @param {Context} ctx
 * @param {{ encryption?: Encryption }} object
 * @param {{ source?: boolean }} [of] source: the object is the source of a copy
 * @throws {S3Error} InvalidRequest, InvalidArgument; AccessDenied for another key
 */
function checkReadKey(ctx, { encryption }, { source = false } = {}) {
  if (!source) refuseMethod(ctx)
  const given = readCustomerKey(ctx, source ? SOURCE_CUSTOMER : CUSTOMER)
  const kept = customerKeyOf(encryption)
  if (given === kept) return
  if (kept === undefined) throw badRequest('The encryption parameters are not applicable to this object.')
  if (given === undefined) throw badRequest('The object was stored using a form of Server Side Encryption.')
  throw new S3Error('AccessDenied', { message: 'The correct secret key must be provided.' })
}

/**
 * Checks that a part is sent with the key that its upload was created with.
 *
 * @param {Context} ctx
 * @param {{ encryption?: Encryption }} upload
 * @throws {S3Error} InvalidRequest, InvalidArgument
 */
function checkPartKey(ctx, { encryption }) {
  refuseMethod(ctx)
  const given = readCustomerKey(ctx)
  if (given === customerKeyOf(encryption)) return
  throw badRequest('The provided encryption parameters did not match those of the multipart upload initiate.')
}

/** Refuses encryption headers in requests that read an object or upload a part. @param {Context} ctx */
function refuseMethod(ctx) {
  if (!ctx.headers.has(HEADER)) return
  throw invalid(`${HEADER} header is not supported for this operation.`)
}

/**
 * @param {Context} ctx
 * @param {Encryption | undefined} encryption of the object or upload that the answer is about
 * @returns {Record<string, string>}
 */
function encryptionHeaders({ state: { options } }, encryption) {
  if (!encryption) return options.encryption ? { [HEADER]: options.encryption } : {}
  if ('customerKeyMd5' in encryption) {
    return { [`${CUSTOMER}algorithm`]: 'AES256', [`${CUSTOMER}key-MD5`]: encryption.customerKeyMd5 }
  }
  const { method, keyId } = encryption
  return { [HEADER]: method, ...(keyId && { [`${HEADER}-aws-kms-key-id`]: keyId }) }
}

/** Whether the ETag is no MD5: it is none if the object is encrypted with a key that is not S3's own. @param {Encryption | undefined} encryption */
function hidesMd5(encryption) {
  return encryption !== undefined && ('customerKeyMd5' in encryption || encryption.method !== 'AES256')
}

/** @param {Encryption | undefined} encryption */
function customerKeyOf(encryption) {
  return encryption && 'customerKeyMd5' in encryption ? encryption.customerKeyMd5 : undefined
}

/** @param {string} message */
function invalid(message) {
  return new S3Error('InvalidArgument', { message })
}

module.exports = { readEncryption, checkReadKey, checkPartKey, encryptionHeaders, hidesMd5 }

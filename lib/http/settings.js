'use strict'

/**
 * A file of certificates to trust: `--ca-bundle`, AWS_CA_BUNDLE, or `ca_bundle` of a profile. The AWS CLI then trusts only
 * these. xfer trusts them besides the usual ones, because a copy has two ends, and the other one may be public.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-gen-config.html
 */

const { isUint8Array } = require('node:util').types
const { X509Certificate } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { XferError, kindOf, usage } = require('../errors')

/** RFC 7468 section 5. */
const CERTIFICATE = /-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]*-----END (TRUSTED )?CERTIFICATE-----/g

/**
 * @param {string} path
 * @param {string} from the option or variable that named it, for messages
 * @returns {Promise<string>} its certificates in PEM form, without anything else in the file, such as a private key
 * @throws {XferError} USAGE when it cannot be read or holds no certificate
 */
async function readCaBundle(path, from) {
  const advice = 'Name a file that holds certificates in PEM form.'
  /** @param {string} why @param {unknown} [cause] */
  const bad = (why, cause) =>
    new XferError('USAGE', { text: `The CA bundle "${path}", named by ${from}, ${why}.`, advice }, { cause })
  const text = await readFile(path, 'utf8').catch(cause => {
    throw bad(`cannot be read (${cause.code})`, cause)
  })
  return certificatesIn(text, bad)
}

/** @param {string} text @param {(why: string, cause?: unknown) => Error} bad @returns {string} PEM */
function certificatesIn(text, bad) {
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw bad('holds no certificate in PEM form')
  for (const [i, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (cause) {
      throw bad(`holds a certificate that cannot be read, its number ${i + 1}`, cause)
    }
  }
  return `${certificates.join('\n')}\n`
}

/**
 * Certificates that the library's caller gives.
 *
 * @param {unknown} given PEM as a string or a Buffer, or an array of them
 * @param {'source' | 'destination'} side
 * @returns {string | undefined} as `readCaBundle`
 * @throws {XferError} USAGE
 */
function readCertificates(given, side) {
  if (given === undefined) return undefined
  const advice = 'Give certificates in PEM form: a string, a Buffer, or an array of them.'
  /** @param {string} why @param {unknown} [cause] */
  const bad = (why, cause) => new XferError('USAGE', { text: `The ${side}'s ca ${why}.`, advice }, { cause })
  const all = [given].flat().map(one => {
    if (typeof one === 'string') return one
    if (isUint8Array(one)) return Buffer.from(one).toString('latin1')
    throw bad(`is ${kindOf(one)}, not a string or a Buffer`)
  })
  return certificatesIn(all.join('\n'), bad)
}

/**
 * @param {Array<[path: string | undefined, from: string]>} named the first path that is defined is used
 * @returns {Promise<string | undefined>} undefined when none is
 * @throws {XferError} USAGE
 */
async function trustedCertificates(named) {
  const [path, from] = named.find(([path]) => path !== undefined) ?? []
  return path === undefined ? undefined : readCaBundle(path, /** @type {string} */ (from))
}

/**
 * @param {string | undefined} option
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} undefined when neither names a file
 * @throws {XferError} USAGE
 */
async function optionalCaBundle(option, env) {
  return trustedCertificates([
    [option, '--ca-bundle'],
    [env.AWS_CA_BUNDLE || undefined, 'AWS_CA_BUNDLE'],
  ])
}

/** What several rooms read of their settings: the token of workers, and files that may be missing. */

/** What an Authorization header can carry (RFC 6750 section 2.1, and more): no blanks, no control characters. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/**
 * The token that a worker and its callers share, from the variable XFER_TOKEN. It is never an option, because process lists
 * show options.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} undefined if none is given
 * @throws {XferError} USAGE if it is no token; its text never contains the token
 */
function readToken({ XFER_TOKEN: text }) {
  if (!text) return undefined
  const token = text.trim()
  if (TOKEN.test(token)) return token
  throw usage(
    'XFER_TOKEN holds no token.',
    'Give printable characters without blanks, such as those of: openssl rand -hex 32',
  )
}

/**
 * @param {string} path
 * @returns {Promise<string>} '' when there is no such file
 * @throws {XferError} USAGE when the file exists and cannot be read
 */
async function readOptional(path) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    const text = `The file ${path} cannot be read (${code}).`
    throw new XferError('USAGE', { text, advice: 'Check what it is, and its permissions.' }, { cause: error })
  }
}

module.exports = { optionalCaBundle, readCaBundle, readCertificates, trustedCertificates, readOptional, readToken }

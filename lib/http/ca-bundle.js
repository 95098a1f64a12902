'use strict'

/**
 * A file of certificates to trust: `--ca-bundle`, AWS_CA_BUNDLE, or `ca_bundle` of a profile. The AWS CLI then trusts only
 * these. xfer trusts them besides the usual ones, because a copy has two ends, and the other one may be public.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-gen-config.html
 */

const { X509Certificate } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { XferError } = require('../errors')

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
 * @param {string | undefined} option
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} undefined when neither names a file
 * @throws {XferError} USAGE
 */
async function optionalCaBundle(option, env) {
  if (option !== undefined) return readCaBundle(option, '--ca-bundle')
  return env.AWS_CA_BUNDLE ? readCaBundle(env.AWS_CA_BUNDLE, 'AWS_CA_BUNDLE') : undefined
}

module.exports = { optionalCaBundle, readCaBundle }

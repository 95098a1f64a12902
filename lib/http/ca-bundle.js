'use strict'

/**
 * A file of certificates to trust, as `--ca-bundle`, AWS_CA_BUNDLE or `ca_bundle` of a profile name it. The AWS CLI trusts
 * nothing else then; xfer trusts them beside the usual ones, for a copy has two ends, and the other may be a public one.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-gen-config.html
 */

const { X509Certificate } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { XferError } = require('../errors')

/** RFC 7468 section 5. */
const CERTIFICATE = /-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]*-----END (TRUSTED )?CERTIFICATE-----/g

/**
 * @param {string} path
 * @param {string} from what named it, for people
 * @returns {Promise<string>} its certificates in PEM form, and nothing else that it holds, such as a private key
 * @throws {XferError} USAGE where it cannot be read, or holds none
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
 * @returns {Promise<string | undefined>} undefined where neither names one
 * @throws {XferError} USAGE
 */
async function optionalCaBundle(option, env) {
  if (option !== undefined) return readCaBundle(option, '--ca-bundle')
  return env.AWS_CA_BUNDLE ? readCaBundle(env.AWS_CA_BUNDLE, 'AWS_CA_BUNDLE') : undefined
}

module.exports = { optionalCaBundle, readCaBundle }

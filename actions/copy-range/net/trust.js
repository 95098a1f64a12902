'use strict'

const fs = require('node:fs')
const path = require('node:path')
const tls = require('node:tls')

/** @typedef {import('node:tls').SecureContext} SecureContext */

/** The file beside the action's index.js with certificates to trust: put there when the action is deployed, and mostly absent. */
const BUNDLE = 'ca-bundle.pem'

/** The error codes of Node.js for a certificate that it does not accept. */
const REFUSALS =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/

/** By their certificates. @type {Map<string, SecureContext>} */
const contexts = new Map()

/**
 * Trusts these certificates in addition to those that Node.js trusts anyway. (Its option `ca` alone would replace them, but
 * the other store of a copy may be a public one.)
 * @param {string} pem one or several
 * @returns {SecureContext} the same for the same text
 */
function trusting(pem) {
  const made = contexts.get(pem) ?? makeContext(pem)
  contexts.set(pem, made)
  return made
}

/**
 * A context without the option `ca` shares the usual certificates, which a process reads once; others are added to a copy.
 * To give all of them as `ca` has them read again, which takes each thread twenty milliseconds.
 * @param {string} pem
 * @returns {SecureContext}
 */
function makeContext(pem) {
  const made = tls.createSecureContext()
  if (typeof made.context?.addCACert !== 'function') return tls.createSecureContext({ ca: [...usual(), pem] })
  for (const one of [...extra(), pem]) made.context.addCACert(one)
  return made
}

/** What Node.js trusts by itself. `NODE_EXTRA_CA_CERTS` is part of it, but older versions do not say so. */
function usual() {
  const { getCACertificates } = /** @type {{ getCACertificates?: (type: string) => string[] }} */ (tls)
  if (getCACertificates) return getCACertificates('default')
  return [...tls.rootCertificates, ...extra()]
}

/** Those of `NODE_EXTRA_CA_CERTS`: in Node.js 18 the copy of the usual ones lacks them. */
function extra() {
  const file = process.env.NODE_EXTRA_CA_CERTS
  return file ? readIfThere(file) : []
}

/** @param {string} file @returns {string[]} its text, or nothing */
function readIfThere(file) {
  try {
    return [fs.readFileSync(file, 'utf8')]
  } catch {
    return []
  }
}

/** The certificates that were put beside the action. */
const bundled = readIfThere(path.join(__dirname, '..', BUNDLE))

/**
 * @param {string} [pem] certificates that the caller trusts
 * @returns {string | undefined} those and the bundled ones; undefined where there are none
 */
function bundledAnd(pem) {
  const all = pem === undefined ? bundled : [...bundled, pem]
  return all.length > 0 ? all.join('\n') : undefined
}

/** @param {string | undefined} code of an error */
function isCertificateRefusal(code) {
  return code !== undefined && REFUSALS.test(code)
}

module.exports = { BUNDLE, bundledAnd, isCertificateRefusal, trusting }

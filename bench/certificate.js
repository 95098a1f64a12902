'use strict'

/** Makes a certificate for servers on loopback, valid for two days. `openssl` must be installed. */

const { execFileSync } = require('node:child_process')
const { mkdirSync } = require('node:fs')
const { join } = require('node:path')

const SUBJECT = ['-subj', '/CN=xfer-bench', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/**
 * The certificate is self-signed, so clients use it as the CA to trust.
 *
 * @param {string} folder to create
 * @returns {{ folder: string, ca: string }} the folder, which holds `public.crt` and `private.key` (MinIO's names); ca: the
 *   certificate's file
 * @throws {Error} ENOENT if there is no `openssl`
 */
function makeCertificate(folder) {
  mkdirSync(folder, { recursive: true })
  const [certificate, key] = [join(folder, 'public.crt'), join(folder, 'private.key')]
  const args = ['req', '-x509', ...KEY, '-days', '2', ...SUBJECT, '-keyout', key, '-out', certificate]
  execFileSync('openssl', args, { stdio: 'ignore' })
  return { folder, ca: certificate }
}

module.exports = { makeCertificate }

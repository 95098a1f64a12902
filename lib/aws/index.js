'use strict'

/**
 * What every client of an AWS service shares: profiles, credentials, signatures.
 * Each file is loaded when it is first used.
 */

module.exports = {
  get chainedCredentials() {
    return require('./credentials').chainedCredentials
  },
  get environmentCredentials() {
    return require('./credentials').environmentCredentials
  },
  get oddCredential() {
    return require('./credentials').oddCredential
  },
  get configuredEndpoint() {
    return require('./profiles').configuredEndpoint
  },
  get dnsSuffix() {
    return require('./profiles').dnsSuffix
  },
  get isAws() {
    return require('./profiles').isAws
  },
  get flagOf() {
    return require('./profiles').flagOf
  },
  get ignoresConfigured() {
    return require('./profiles').ignoresConfigured
  },
  get loadProfiles() {
    return require('./profiles').loadProfiles
  },
  get signHeaders() {
    return require('./sigv4').signHeaders
  },
  get signingKey() {
    return require('./sigv4').signingKey
  },
  get timeOf() {
    return require('./sigv4').timeOf
  },
}

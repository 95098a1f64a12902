'use strict'

/**
 * What every client of an AWS service shares: profiles, credentials, and the handler that gives the SDK our connections.
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
    return require('./endpoints').configuredEndpoint
  },
  get dnsSuffix() {
    return require('./endpoints').dnsSuffix
  },
  get isAws() {
    return require('./endpoints').isAws
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
  get requestHandler() {
    return require('./request-handler').requestHandler
  },
}

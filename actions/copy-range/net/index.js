'use strict'

/**
 * The way to a store: which route a request takes, what is trusted on it, and the connections of Node's own HTTP.
 * Each file is loaded on first use, because the program needs few.
 */

module.exports = {
  get agentFor() {
    return require('./proxy').agentFor
  },
  get agentOnRoute() {
    return require('./agent').agentOnRoute
  },
  get authority() {
    return require('./tunnel').authority
  },
  get BUNDLE() {
    return require('./trust').BUNDLE
  },
  get bundledAnd() {
    return require('./trust').bundledAnd
  },
  get closeAgents() {
    return require('./agent').closeAgents
  },
  get dial() {
    return require('./tunnel').dial
  },
  get isCertificateRefusal() {
    return require('./trust').isCertificateRefusal
  },
  get lookupWithin() {
    return require('./lookup').lookupWithin
  },
  get MAX_IDLE_MS() {
    return require('./agent').MAX_IDLE_MS
  },
  get openTunnel() {
    return require('./tunnel').openTunnel
  },
  get proxyFor() {
    return require('./proxy').proxyFor
  },
  get REFUSED() {
    return require('./lookup').REFUSED
  },
  get refusal() {
    return require('./lookup').refusal
  },
  get routeTo() {
    return require('./routes').routeTo
  },
  get trusting() {
    return require('./trust').trusting
  },
}

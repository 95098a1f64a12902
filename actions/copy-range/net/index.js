'use strict'

/** The way to a store: which route a request takes, what is trusted on it, and the connections of Node's own HTTP. */

const { MAX_IDLE_MS } = require('./agent')
const { agentOnRoute, closeAgents } = require('./agents')
const { REFUSED } = require('./lookup')
const { agentFor, proxyFor } = require('./proxy')
const { routeTo } = require('./routes')
const { BUNDLE, bundledAnd, isCertificateRefusal, trusting } = require('./trust')
const { authority, dial, openTunnel } = require('./tunnel')

module.exports = {
  agentFor,
  agentOnRoute,
  authority,
  BUNDLE,
  bundledAnd,
  closeAgents,
  dial,
  isCertificateRefusal,
  MAX_IDLE_MS,
  openTunnel,
  proxyFor,
  REFUSED,
  routeTo,
  trusting,
}

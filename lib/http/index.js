'use strict'

/** Shared by everything that speaks HTTP: agents, certificates, requests, why a connection failed. */

const { agent, createAgents, isProxied } = require('./agents')
const { optionalCaBundle, readCaBundle, readCertificates, trustedCertificates } = require('./ca-bundle')
const { judgeClock, sampleOf } = require('./clock-difference')
const { explainConnection, isLoopback } = require('./connection')
const { readBody } = require('./read-body')
const { ask, begin, noAnswer, send } = require('./send')
const { environmentProxy, noteProxy, proxyOfRequest, readProxy } = require('./proxy')
const { readOptional, readToken } = require('./settings')

const { REFUSED } = require('../../actions/copy-range/net')
const { decodeMail, mailSafe } = require('./mail-safe')

module.exports = {
  REFUSED,
  decodeMail,
  mailSafe,
  agent,
  createAgents,
  ask,
  begin,
  environmentProxy,
  explainConnection,
  isLoopback,
  isProxied,
  judgeClock,
  optionalCaBundle,
  noAnswer,
  noteProxy,
  proxyOfRequest,
  readBody,
  readCaBundle,
  readCertificates,
  readProxy,
  readOptional,
  readToken,
  sampleOf,
  send,
  trustedCertificates,
}

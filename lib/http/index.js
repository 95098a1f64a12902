'use strict'

/** Shared by everything that speaks HTTP: agents, certificates, requests, why a connection failed. */

const { REFUSED } = require('../../actions/copy-range/net')

module.exports = {
  REFUSED,
  ...require('./agents'),
  ...require('./settings'),
  ...require('./connection'),
  ...require('./mail-safe'),
  ...require('./send'),
}

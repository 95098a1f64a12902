'use strict'

/** Shared by everything that speaks HTTP: agents, certificates, requests, why a connection failed. */

const { REFUSED } = require('../../actions/copy-range/net')

module.exports = {
  REFUSED,
  ...require('./agents'),
  ...require('./ca-bundle'),
  ...require('./clock-difference'),
  ...require('./connection'),
  ...require('./mail-safe'),
  ...require('./proxy'),
  ...require('./read-body'),
  ...require('./send'),
  ...require('./settings'),
}

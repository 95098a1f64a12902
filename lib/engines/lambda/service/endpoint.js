'use strict'

const { dnsSuffix } = require('../../../aws')

/** AWS's own endpoint of Lambda in a region, for messages and proxies: the SDK finds the address. @param {string} region */
function regionalEndpoint(region) {
  return `https://lambda.${region}.${dnsSuffix(region)}`
}

module.exports = { regionalEndpoint }

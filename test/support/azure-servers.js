'use strict'

/**
 * The Azure Blob server that suites run against beside the sandbox's: Azurite, where its program `azurite-blob` is found.
 * If XFER_TEST_SERVERS names it, it must not be missing.
 */

const { startAzurite } = require('../../sandbox/peers')
const { insistOn } = require('./required')

const missing = startAzurite ? [] : ['azurite']
insistOn(missing)

module.exports = { startAzurite, missing }

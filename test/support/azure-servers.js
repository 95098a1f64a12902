'use strict'

/**
 * The Azure Blob servers that suites run against beside the sandbox's: Azurite, where its program `azurite-blob` is found,
 * and the clients that read what was written. One that XFER_TEST_SERVERS names must not be missing.
 */

const { findProgram, startAzurite } = require('../../sandbox/peers')
const { insistOn } = require('./required')

/** By name, the path of each program; undefined where it is not installed. */
const PROGRAMS = {
  azurite: findProgram('azurite-blob'),
  // Runs a script in which `@azure/storage-blob` can be required: it needs a newer Node.js than xfer.
  sdk: findProgram('azure-sdk-node'),
  rclone: findProgram('rclone'),
}

/** For messages. @type {Record<string, string>} */
const WORDS = { sdk: '@azure/storage-blob' }

const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (path === undefined ? [WORDS[name] ?? name] : []))
insistOn(missing)

module.exports = { startAzurite, PROGRAMS, missing }

'use strict'

/**
 * The library. `copy` does what `xfer copy` does, and tells the events that `xfer copy --json` prints.
 *
 *     const { copy } = require('xfer')
 *     const summary = await copy('s3://from/big', 's3://to/big', { chunk: '100MiB', onEvent: console.log })
 */

const { copy, resume } = require('./copy')
const { deploy, undeploy } = require('./deploy')
const { doctor } = require('./doctor')
const { EXIT, XferError } = require('./errors')
const { abortJob, clean, jobs } = require('./jobs')
const { verify } = require('./verify')

module.exports = { copy, resume, verify, jobs, abortJob, clean, deploy, undeploy, doctor, XferError, EXIT }

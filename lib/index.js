'use strict'

/**
 * The library. `copy` does what `xfer copy` does, and tells the events that `xfer copy --json` prints.
 *
 *     const { copy } = require('xfer')
 *     const summary = await copy('s3://from/big', 's3://to/big', { chunk: '100MiB', onEvent: console.log })
 *
 * Each is loaded when it is first asked for: who copies needs nothing of what deploys, and who asks for help nothing.
 */

module.exports = {
  get copy() {
    return require('./copy').copy
  },
  get copyPrefix() {
    return require('./prefix').copyPrefix
  },
  get resume() {
    return require('./resume').resume
  },
  get verify() {
    return require('./verify').verify
  },
  get jobs() {
    return require('./jobs').jobs
  },
  get abortJob() {
    return require('./jobs').abortJob
  },
  get clean() {
    return require('./jobs').clean
  },
  get deploy() {
    return require('./deploy').deploy
  },
  get undeploy() {
    return require('./deploy').undeploy
  },
  get doctor() {
    return require('./doctor').doctor
  },
  get XferError() {
    return require('./errors').XferError
  },
  get EXIT() {
    return require('./errors').EXIT
  },
}

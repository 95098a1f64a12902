'use strict'

/**
 * The library. `copy` does what `xfer copy` does, and tells the events that `xfer copy --json` prints.
 *
 *     const { copy } = require('xfer')
 *     const summary = await copy('s3://from/big', 's3://to/big', { chunk: '100MiB', onEvent: console.log })
 *
 * Each is loaded when it is first asked for: who copies needs nothing of what deploys, and who asks for help nothing.
 */

/** @satisfies {typeof import('./index')} */
module.exports = {
  /** @returns {typeof import('./index').createClient} */
  get createClient() {
    return require('./commands/client').clientOf(/** @type {any} */ (module).exports)
  },
  get copy() {
    return require('./commands/copy').copy
  },
  get download() {
    return require('./commands/stream').download
  },
  get copyPrefix() {
    return require('./commands/copy').copyPrefix
  },
  get upload() {
    return require('./commands/stream').upload
  },
  get resume() {
    return require('./commands/resume').resume
  },
  get verify() {
    return require('./commands/verify').verify
  },
  get verifyPrefix() {
    return require('./commands/verify').verifyPrefix
  },
  get verifyManifest() {
    return require('./commands/verify-manifest').verifyManifest
  },
  get list() {
    return require('./commands/list').list
  },
  get usage() {
    return require('./commands/list').usage
  },
  get head() {
    return require('./commands/place').head
  },
  get presign() {
    return require('./commands/place').presign
  },
  get makeBucket() {
    return require('./commands/place').makeBucket
  },
  get jobs() {
    return require('./commands/jobs').jobs
  },
  get abortJob() {
    return require('./commands/unfinished').abortJob
  },
  get move() {
    return require('./commands/copy').move
  },
  get remove() {
    return require('./commands/remove').remove
  },
  get clean() {
    return require('./commands/unfinished').clean
  },
  get deploy() {
    return require('./commands/deploy').deploy
  },
  get undeploy() {
    return require('./commands/deploy').undeploy
  },
  get probe() {
    return require('./commands/probe').probe
  },
  get compareProbes() {
    return require('./probe').compareReports
  },
  get doctor() {
    return require('./commands/doctor').doctor
  },
  get XferError() {
    return require('./errors').XferError
  },
  get EXIT() {
    return require('./errors').EXIT
  },
}

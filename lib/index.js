'use strict'

/**
 * The library. `copy` does what `xfer copy` does, and tells the events that `xfer copy --json` prints.
 *
 *     const { copy } = require('xfer')
 *     const summary = await copy('s3://from/big', 's3://to/big', { chunk: '100MiB', onEvent: console.log })
 *
 * Each is loaded when it is first asked for: who copies needs nothing of what deploys, and who asks for help nothing.
 */

const { lazily } = require('./lazily')

/** @type {any} */
const library = lazily({}, [
  [() => ({ createClient: require('./commands/client').clientOf(library) }), ['createClient']],
  [() => require('./commands/copy'), ['copy', 'copyPrefix', 'move', 'resume']],
  [() => require('./commands/stream'), ['download', 'upload']],
  [() => require('./commands/verify'), ['verify', 'verifyPrefix']],
  [() => require('./commands/verify-manifest'), ['verifyManifest']],
  [() => require('./commands/list'), ['list', 'usage']],
  [() => require('./commands/place'), ['head', 'presign', 'makeBucket']],
  [() => require('./commands/unfinished'), ['abortJob', 'clean', 'jobs']],
  [() => require('./commands/remove'), ['remove']],
  [() => require('./commands/deploy'), ['deploy', 'undeploy']],
  [() => require('./commands/probe'), ['probe']],
  [() => ({ compareProbes: require('./probe').compareReports }), ['compareProbes']],
  [() => require('./commands/doctor'), ['doctor']],
  [() => require('./errors'), ['XferError', 'EXIT']],
])

module.exports = /** @type {typeof import('./index')} */ (library)

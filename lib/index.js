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
const library = lazily({ createClient }, [
  [() => require('./commands/copy'), ['copy', 'copyPrefix', 'move', 'resume']],
  [() => require('./commands/stream'), ['download', 'upload']],
  [() => require('./commands/verify'), ['verify', 'verifyPrefix']],
  [() => require('./commands/verify-manifest'), ['verifyManifest']],
  [() => require('./commands/list'), ['list', 'usage']],
  [() => require('./commands/place'), ['head', 'presign', 'makeBucket']],
  [() => require('./commands/unfinished'), ['abortJob', 'clean', 'cleanState']],
  [() => require('./commands/work'), ['work']],
  [() => require('./commands/jobs'), ['attach', 'jobs', 'stopJob']],
  [() => require('./commands/remove'), ['remove']],
  [() => require('./commands/deploy'), ['deploy', 'undeploy']],
  [() => require('./commands/probe'), ['probe']],
  [() => ({ compareProbes: require('./probe').compareReports }), ['compareProbes']],
  [() => require('./commands/doctor'), ['doctor']],
  [() => require('./commands/profiles'), ['profiles']],
  [() => require('./errors'), ['XferError', 'EXIT']],
])

/** Of a client: which argument of each function its options are, and which places come before them. */
const CALLS = {
  copy: ['source', 'destination'],
  copyPrefix: ['source', 'destination'],
  move: ['source', 'destination'],
  upload: [undefined, 'destination'],
  verify: ['source', 'destination'],
  verifyPrefix: ['source', 'destination'],
  verifyManifest: [undefined],
  download: ['source'],
  list: ['source'],
  usage: ['source'],
  head: ['source'],
  presign: ['source'],
  remove: ['destination'],
  resume: [undefined],
}

/**
 * A client: options that all its calls have, and connections, threads and credentials that stay from one call to the next.
 *
 * @param {Record<string, any>} [defaults]
 */
function createClient(defaults = {}) {
  const { checkDefaults, withDefaults } = require('./options')
  checkDefaults(defaults)
  const { env: given = process.env } = defaults
  /** As it is now, with what is inherited. Its own: what its calls share no other call has. @type {NodeJS.ProcessEnv} */
  const env = {}
  for (const name in given) env[name] = given[name]
  const release = require('./async').keepShared(env)
  const calls = Object.entries(CALLS).map(([name, places]) => [
    name,
    (/** @type {any[]} */ ...given) => {
      const located = Object.fromEntries(places.flatMap((place, i) => (place ? [[place, given[i]]] : [])))
      const options = withDefaults(/** @type {any} */ (name), located, { ...defaults, env }, given[places.length])
      return library[name](...Array.from(places, (_, i) => given[i]), options)
    },
  ])
  return { ...Object.fromEntries(calls), close: release }
}

module.exports = /** @type {typeof import('./index')} */ (library)

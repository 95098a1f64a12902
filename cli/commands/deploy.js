'use strict'

/** Commands that bring the function to where it runs: `xfer deploy`, and `serve`, which runs it itself. */

const { EventEmitter, once } = require('node:events')
const { setTimeout } = require('node:timers/promises')
const lib = require('../../lib')
const { readerOf } = require('../../lib/options')
const { binder } = require('../confirm')
const { jsonLine } = require('../format')
const { listenTo } = require('../run')

/** @param {NodeJS.WritableStream & { isTTY?: boolean }} out @param {Record<string, any>} flags */
async function printArchive(out, flags) {
  const { functionArchive } = require('../../lib/engines')
  if (out.isTTY) {
    throw new lib.XferError('USAGE', {
      text: 'The archive of the function is not for a terminal.',
      advice: 'Write it to a file: xfer deploy --print zip > xfer.zip.',
    })
  }
  out.write(await functionArchive({ caBundle: flags.caBundle, runner: flags.runner }))
}

/** The result in words. @param {Awaited<ReturnType<typeof lib.deploy>> & Partial<Awaited<ReturnType<typeof lib.undeploy>>>} done */
function linesOf({ apihost, actions, packages = [], profiles = [], dropped = [], policy, alarm }) {
  const removed = packages.filter(({ outcome }) => outcome === 'removed')
  const kept = packages.filter(({ outcome }) => outcome === 'kept')
  return [
    ...actions.map(action => SENTENCES[action.outcome](action, apihost)),
    ...removed.map(({ name }) => `Removed the package ${name}, which was empty.`),
    ...kept.map(({ name }) => `Kept the package ${name}, which is not empty.`),
    ...(profiles.length > 0 ? [`It has the keys of ${profiles.join(', ')}. ${READERS}`] : []),
    ...(dropped.length > 0 ? [`It no longer has those of ${dropped.join(', ')}.`] : []),
    ...(alarm ? alarmLines(alarm) : []),
    ...(policy ? ['Its role needs this policy, with the buckets of your jobs and of their state:', policy] : []),
  ]
}

/** @param {{ everyMs: number, set: boolean }} alarm */
function alarmLines({ everyMs, set }) {
  const minutes = Math.round(everyMs / 60_000)
  if (set) return [`The platform calls it every ${minutes} min for what waits in XFER_STATE.`]
  return [
    'The platform has no alarms. For cron, with XFER_STATE and the key of the platform:',
    `*/${Math.min(minutes, 59)} * * * * xfer jobs >/dev/null`,
  ]
}

const READERS = 'Anyone who has the key of the namespace can read and use these keys.'

/** @type {Record<string, (action: import('../../lib/types').DeployedAction, apihost: string) => string>} */
const SENTENCES = {
  created: (action, apihost) => `Created ${titleOf(action)} on ${apihost}.`,
  updated: ({ name, version, changes = [], kept }, apihost) =>
    `Updated ${name}${version ? ` to ${version}` : ''} on ${apihost}: ${changes.join(', ')}${keptOf(kept)}.`,
  unchanged: ({ kept, ...action }, apihost) => `${titleOf(action)} on ${apihost} is unchanged${keptOf(kept)}.`,
  removed: (action, apihost) => `Removed ${titleOf(action)} from ${apihost}.`,
  missing: ({ name }, apihost) => `Nothing to undeploy: there is no ${name} on ${apihost}.`,
}

/** @param {import('../../lib/types').DeployedAction} action its version, where the platform has versions */
function titleOf({ name, version }) {
  return version ? `${name} ${version}` : name
}

/** The settings that a new function would not have, and that were kept. @param {import('../../lib/types').DeployedAction['kept']} kept */
function keptOf({ memory, timeout, runtime, architecture, caBundle, hosts, metadata } = {}) {
  const words = [
    memory && `memory ${memory} MB`,
    timeout && `timeout ${timeout} s`,
    runtime && `runtime ${runtime}`,
    architecture && `architecture ${architecture}`,
    caBundle && 'its CA bundle',
    hosts && `hosts ${hosts.join(', ') || 'none'}`,
    metadata && 'metadata addresses allowed',
  ]
  const listed = words.filter(Boolean).join(', ')
  return listed && ` (keeps ${listed})`
}

/** @type {import('../run').Definition} */
const deploy = {
  what: 'deployment',
  async work({ process, flags, options, signal, say }) {
    if (flags.print !== undefined) return await printArchive(process.out, flags)
    const named = flags.undeploy ? [] : (options.runnerProfile ?? [])
    if (named.length > 0 && !(await binder(process, flags)(named))) return
    const done = await (flags.undeploy ? lib.undeploy : lib.deploy)({ ...options, signal })
    say({ type: 'done', ...done }, linesOf(done))
  },
}

/** @type {import('../run').Definition} */
const serve = {
  async action({ err, env, end }, flags) {
    const { startWorker } = require('../../lib/engines/http/serve')
    const read = readerOf('serve', flags)
    const options = {
      ...flags,
      port: read('port'),
      places: read('places'),
      timeoutMs: read('timeout'),
      heartbeatMs: read('heartbeat'),
      allowHosts: read('allowHosts'),
    }
    const drainMs = read('drain')
    const log = (/** @type {object} */ entry) =>
      void err.write(`${jsonLine({ time: new Date().toISOString(), ...entry })}\n`)
    const worker = await startWorker(options, { env, log })
    const signals = new EventEmitter()
    const listenNoLonger = listenTo(() => signals.emit('heard'), ['SIGTERM', 'SIGINT'])
    await once(signals, 'heard')
    // Before the drain begins, so that a second signal right after the first is not missed.
    const another = once(signals, 'heard')
    await Promise.race([worker.drain(), setTimeout(drainMs), another])
    listenNoLonger()
    await worker.close()
    end(0)
  },
}

module.exports = { deploy, serve }

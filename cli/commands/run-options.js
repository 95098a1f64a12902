'use strict'

/** What every command that moves bytes takes: how they are moved, and how it is told. */

/** @type {Array<[flags: string, description: string, fallback?: string]>} */
const OPTIONS = [
  ['--concurrency <n>', 'invocations at once, as far as the engine allows them', '1000'],
  ['--bandwidth <rate>', 'bytes a second at most, such as 10M or 500K, or none', 'none'],
  ['--parts-per-invocation <n>', 'parts that an invocation carries, or auto', 'auto'],
  ['--retries <n>', 'attempts of a part beyond its first', '3'],
  ['--io-timeout <s>', 'seconds for which a store, a function or the platform may be silent', '30'],
  ['--outage-timeout <duration>', 'how long a store or the platform that has answered is waited for', '10m'],
  ['--engine <name>', 'auto, openwhisk or local', 'auto'],
  ['--route <how>', 'within one store: server, it copies by itself; engine; auto, server where it can be', 'auto'],
  ['--apihost <host>', 'OpenWhisk host (default: APIHOST, or of ~/.wskprops)'],
  ['--package <name>', 'package that the function was deployed in (default: xfer)'],
  [
    '--engine-limits <limits>',
    'what the platform allows: some of concurrent=30,per-minute=60,timeout=60,memory=256,payload=1',
  ],
  ['--on-failure <what>', 'of a copy that ends early: keep its parts for xfer resume, or abort them', 'keep'],
  ['--timeout <duration>', 'stop in order after so long, such as 45m or 2h; it can be resumed'],
]

/**
 * @param {import('commander').Command} command
 * @param {{ defaults: boolean, without?: string[] }} how defaults: what is not said is the default, and not what it was
 *   before; without: names of options that the command does not take
 * @returns {import('commander').Command} the same
 */
function addRunOptions(command, { defaults, without = [] }) {
  for (const [flags, description, fallback] of OPTIONS) {
    if (without.includes(flags.split(' ')[0])) continue
    if (defaults && fallback !== undefined) command.option(flags, description, fallback)
    else command.option(flags, description)
  }
  return command
}

/** @param {any} flags as commander read them @returns {import('../../lib/types').CopyOptions} */
function runOptionsOf(flags) {
  return {
    concurrency: flags.concurrency,
    bandwidth: flags.bandwidth,
    partsPerInvocation: flags.partsPerInvocation,
    retries: flags.retries,
    ioTimeout: flags.ioTimeout,
    outageTimeout: flags.outageTimeout,
    engine: flags.engine,
    route: flags.route,
    apihost: flags.apihost,
    packageName: flags.package,
    caBundle: flags.caBundle,
    engineLimits: flags.engineLimits,
    onFailure: flags.onFailure,
    timeout: flags.timeout,
  }
}

module.exports = { addRunOptions, runOptionsOf }

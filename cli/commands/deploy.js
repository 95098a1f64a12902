'use strict'

const { Option } = require('commander')
const lib = require('../../lib')
const { printable } = require('../format')
const { runCommand } = require('../run')

const EXAMPLES = `
Examples:
  xfer deploy                                   what manifest.yaml describes, where ~/.wskprops points
  xfer deploy --memory 512 --timeout 120
  xfer deploy --ca-bundle private-ca.pem         for stores with certificates of a private authority
  xfer deploy --allow-hosts '*.example.org,10.0.0.0/8'
  xfer deploy --reset                           back to what manifest.yaml says
  xfer deploy --package mine                    then: xfer copy … --package mine
  xfer deploy --undeploy

What is there already and equal is left alone, and one that is brought up to date keeps what was chosen for it before.
wskdeploy -m manifest.yaml does the same, but always writes, and always the manifest's values.

Exit status: 0 done, 2 usage, 5 the platform is not reachable, or refuses, 130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerDeploy(program, process) {
  program
    .command('deploy')
    .summary('put the function on the OpenWhisk platform')
    .description('Puts the function that copies on the OpenWhisk platform, or brings it up to date.')
    .option('--memory <mb>', 'memory of a function (default: what it has; of a new one 256)')
    .option('--timeout <s>', 'how long an invocation may run (default: what it has; of a new one 300)')
    .option('--runtime <kind>', 'runtime (default: what it has; of a new one nodejs:20)')
    .option('--ca-bundle <file>', 'certificates that functions trust beside the usual ones (of a new one: none)')
    .option('--allow-hosts <list>', 'what functions may speak to: names, *.names, addresses, ranges (of a new one: *)')
    .option('--allow-metadata', 'let functions speak to link-local and metadata addresses')
    .option('--no-allow-metadata', 'do not (of a new one)')
    .option('--reset', 'take the defaults of a new one for all of these, whatever it has')
    .addOption(
      new Option('--undeploy', 'take the function away, and its package where that is empty then').conflicts([
        'memory',
        'timeout',
        'runtime',
        'caBundle',
        'allowHosts',
        'allowMetadata',
        'reset',
      ]),
    )
    .option('--package <name>', 'package to put the function in (default: xfer)')
    .option('--apihost <host>', 'OpenWhisk host (default: APIHOST, or of ~/.wskprops)')
    .option('--json', 'print one line of JSON on standard output')
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action(flags =>
      runCommand(process, flags, { what: 'deployment' }, async signal => {
        const { package: packageName, undeploy: away, json, debug, ...chosen } = flags
        const options = { ...chosen, packageName, signal }
        const done = away ? await lib.undeploy(options) : await lib.deploy(options)
        const lines = json
          ? [JSON.stringify({ type: 'done', ...done, time: new Date().toISOString() })]
          : linesOf(done).map(printable)
        process.print(lines)
        return 0
      }),
    )
}

/** What has been done, in words. @param {Awaited<ReturnType<typeof lib.deploy>> & Partial<Awaited<ReturnType<typeof lib.undeploy>>>} done */
function linesOf({ apihost, actions, packages = [] }) {
  const removed = packages.filter(({ outcome }) => outcome === 'removed')
  const kept = packages.filter(({ outcome }) => outcome === 'kept')
  return [
    ...actions.map(action => SENTENCES[action.outcome](action, apihost)),
    ...removed.map(({ name }) => `Removed the package ${name}, which was empty.`),
    ...kept.map(({ name }) => `Kept the package ${name}, which holds more than that.`),
  ]
}

/** @type {Record<string, (action: import('../../lib/engines/openwhisk/deploy').Deployed, apihost: string) => string>} */
const SENTENCES = {
  created: ({ name, version }, apihost) => `Created ${name} ${version} on ${apihost}.`,
  updated: ({ name, version, changes = [], kept }, apihost) =>
    `Updated ${name} to ${version} on ${apihost}: ${changes.join(', ')}${keptOf(kept)}.`,
  unchanged: ({ name, version, kept }, apihost) => `${name} ${version} on ${apihost} is unchanged${keptOf(kept)}.`,
  removed: ({ name, version }, apihost) => `Removed ${name} ${version} from ${apihost}.`,
  missing: ({ name }, apihost) => `Nothing to undeploy: there is no ${name} on ${apihost}.`,
}

/** What is not as the manifest has it, and stays. @param {import('../../lib/engines/openwhisk/deploy').Deployed['kept']} kept */
function keptOf({ memory, timeout, runtime, caBundle, hosts, metadata } = {}) {
  const words = [
    memory && `memory ${memory} MB`,
    timeout && `timeout ${timeout} s`,
    runtime && `runtime ${runtime}`,
    caBundle && 'its CA bundle',
    hosts && `hosts ${hosts.join(', ') || 'none'}`,
    metadata && 'metadata addresses allowed',
  ]
  const told = words.filter(Boolean).join(', ')
  return told && ` (keeps ${told})`
}

module.exports = { registerDeploy }

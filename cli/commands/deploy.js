'use strict'

const lib = require('../../lib')
const { jsonLine, printable } = require('../format')
const { optionsOf } = require('../options')
const { PLATFORMS, paragraph } = require('../platform-help')
const { runCommand } = require('../run')

const NAMES = PLATFORMS.map(({ name }) => name).join(' or ')

const EXAMPLES = `
Examples:
  xfer deploy                               as manifest.yaml describes it
  xfer deploy --memory 512 --timeout 120
  xfer deploy --ca-bundle private-ca.pem    for stores with private certificates
  xfer deploy --allow-hosts '*.example.org,10.0.0.0/8'
  xfer deploy --reset                       back to what manifest.yaml says
  xfer deploy --package mine                then: xfer copy … --package mine
  xfer deploy --undeploy

${paragraph(
  [
    'A function that is already equal is left alone. An update keeps the values that an earlier deployment chose.',
    ...PLATFORMS.map(({ deployNote }) => deployNote),
  ].join(' '),
)}

Exit status: 0 done, 2 usage, 5 the platform cannot be reached or refuses,
130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerDeploy(program, process) {
  program
    .command('deploy')
    .summary(`deploy the function to ${NAMES}`)
    .description(`Deploys the function that copies to ${NAMES}, or updates it.`)
    .addHelpText('after', EXAMPLES)
    .action(flags =>
      runCommand(process, flags, { what: 'deployment' }, async signal => {
        const options = { ...optionsOf('deploy', flags), signal }
        const done = flags.undeploy ? await lib.undeploy(options) : await lib.deploy(options)
        const lines = flags.json
          ? [jsonLine({ type: 'done', ...done, time: new Date().toISOString() })]
          : linesOf(done).map(printable)
        process.print(lines)
        return 0
      }),
    )
}

/** The result in words. @param {Awaited<ReturnType<typeof lib.deploy>> & Partial<Awaited<ReturnType<typeof lib.undeploy>>>} done */
function linesOf({ apihost, actions, packages = [] }) {
  const removed = packages.filter(({ outcome }) => outcome === 'removed')
  const kept = packages.filter(({ outcome }) => outcome === 'kept')
  return [
    ...actions.map(action => SENTENCES[action.outcome](action, apihost)),
    ...removed.map(({ name }) => `Removed the package ${name}, which was empty.`),
    ...kept.map(({ name }) => `Kept the package ${name}, which is not empty.`),
  ]
}

/** @type {Record<string, (action: import('../../lib/types').DeployedAction, apihost: string) => string>} */
const SENTENCES = {
  created: ({ name, version }, apihost) => `Created ${name} ${version} on ${apihost}.`,
  updated: ({ name, version, changes = [], kept }, apihost) =>
    `Updated ${name} to ${version} on ${apihost}: ${changes.join(', ')}${keptOf(kept)}.`,
  unchanged: ({ name, version, kept }, apihost) => `${name} ${version} on ${apihost} is unchanged${keptOf(kept)}.`,
  removed: ({ name, version }, apihost) => `Removed ${name} ${version} from ${apihost}.`,
  missing: ({ name }, apihost) => `Nothing to undeploy: there is no ${name} on ${apihost}.`,
}

/** The settings that differ from the manifest, and were kept. @param {import('../../lib/types').DeployedAction['kept']} kept */
function keptOf({ memory, timeout, runtime, caBundle, hosts, metadata } = {}) {
  const words = [
    memory && `memory ${memory} MB`,
    timeout && `timeout ${timeout} s`,
    runtime && `runtime ${runtime}`,
    caBundle && 'its CA bundle',
    hosts && `hosts ${hosts.join(', ') || 'none'}`,
    metadata && 'metadata addresses allowed',
  ]
  const listed = words.filter(Boolean).join(', ')
  return listed && ` (keeps ${listed})`
}

module.exports = { registerDeploy }

'use strict'

/** Options of `xfer deploy` that platforms have in common: engines share these rows. The help loads this file: it requires nothing. */

const MiB = 1024 ** 2

/** Options that make no sense with --undeploy. */
const CHOSEN = [
  ...['memory', 'timeout', 'runtime', 'architecture', 'role'],
  ...['caBundle', 'allowHosts', 'allowMetadata', 'reset', 'runnerProfile', 'every'],
]

/** @typedef {import('../../options/contract').OptionRow} OptionRow */

/** @param {Omit<OptionRow, 'group' | 'commands'>} row @returns {OptionRow} */
const deployOption = row => ({ ...row, group: 'deployment', commands: ['deploy'] })

/** @type {OptionRow[]} */
const DEPLOYMENT = [
  deployOption({
    name: 'memory',
    takes: { as: '<size>', whole: true, range: [MiB, 1_000_000 * MiB] },
    default: { text: 'as deployed; 256 MiB at first' },
    help: 'memory of an invocation, in MiB or with a unit such as 1G',
  }),
  deployOption({
    name: 'timeout',
    takes: { as: '<duration>', unit: 's', range: [1000, 1_000_000_000] },
    default: { text: 'as deployed; 300 s at first' },
    help: 'how long an invocation may run, in seconds or with a unit such as 9m',
  }),
  deployOption({
    name: 'runtime',
    takes: '<kind>',
    default: { text: 'as deployed; nodejs:20 or nodejs22.x at first' },
    help: 'runtime of the function',
  }),
  deployOption({
    name: 'caBundle',
    takes: '<file>',
    default: { text: 'as deployed; none at first' },
    help: 'file of certificates (PEM) that the function trusts in addition to the usual ones',
  }),
  deployOption({
    name: 'allowHosts',
    takes: '<list>',
    default: { text: 'as deployed; * at first' },
    help: 'hosts that the function may connect to: names, *.names, addresses and ranges, joined by commas',
    helpFor: { library: 'hosts that the function may connect to: names, *.names, addresses and ranges' },
  }),
  deployOption({
    name: 'allowMetadata',
    help: 'let the function connect to link-local and metadata addresses',
  }),
  deployOption({
    name: 'allowMetadata',
    flag: '--no-allow-metadata',
    default: { text: 'as deployed; not allowed at first' },
    help: 'do not let the function connect to link-local and metadata addresses',
    helpFor: { library: 'whether the function may connect to link-local and metadata addresses' },
  }),
  deployOption({
    name: 'reset',
    help: 'use the defaults of a first deployment for all of these',
    helpFor: { library: 'use the defaults of a first deployment, not what is deployed' },
  }),
  deployOption({
    name: 'runner',
    help: 'deploy the runner and not the function that copies: it runs the jobs that --detach leaves in a state',
    conflicts: ['caBundle', 'allowHosts', 'allowMetadata'],
  }),
  deployOption({
    name: 'runnerProfile',
    takes: { as: '<name>', kind: 'list' },
    default: { text: 'as deployed; none at first' },
    help: 'with --runner: give it the keys of this profile; may be given several times; none where the platform gives it a role',
    helpFor: { library: 'with `runner`: give it the keys of these profiles; none where the platform gives it a role' },
  }),
  deployOption({
    name: 'every',
    takes: { as: '<duration>', unit: 's', range: [60_000, 86_400_000] },
    default: { text: 'as deployed; never at first' },
    help: 'with --runner: have the platform call it so often for what waits in XFER_STATE, such as 15m; where it has no alarms, the line for cron is printed',
    helpFor: { library: 'with `runner`: have the platform call it so often for what waits in XFER_STATE' },
  }),
  deployOption({
    name: 'yes',
    help: 'do not ask before keys are given to the runner; needed where there is no terminal',
    only: 'cli',
  }),
  deployOption({
    name: 'undeploy',
    help: 'delete the function, and what only it needed',
    conflicts: CHOSEN,
    only: 'cli',
  }),
  deployOption({
    name: 'print',
    takes: { as: '<what>', choices: ['zip'] },
    help: 'write the archive of the function (zip) to standard output, for other tools, and deploy nothing',
    // The archive holds the certificates.
    conflicts: [...CHOSEN.filter(name => name !== 'caBundle'), 'undeploy', 'json'],
    only: 'cli',
  }),
]

module.exports = { DEPLOYMENT, deployOption }

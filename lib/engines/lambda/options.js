'use strict'

/** The options of AWS Lambda. The help loads this file: it requires nothing but rows. */

const { DEPLOYMENT } = require('../common')

const COMMANDS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor', 'deploy'])

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  {
    name: 'functionName',
    flag: '--function',
    value: 'name',
    defaultText: 'XFER_LAMBDA_FUNCTION, or xfer-copy-range',
    libraryDefault: "'xfer-copy-range'",
    help: 'function of AWS Lambda: a name, name:alias or an ARN, which tells its region',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
    // An ARN may name a function of somebody else, which would get our signed requests.
    ownJournalOnly: true,
  },
  ...DEPLOYMENT,
  {
    name: 'architecture',
    value: 'name',
    type: 'choice',
    choices: ['arm64', 'x86_64'],
    defaultText: 'as deployed; arm64 at first',
    help: 'processors of the function: arm64 or x86_64',
    group: 'deployment',
    commands: ['deploy'],
  },
  {
    name: 'role',
    value: 'arn',
    defaultText: 'as deployed',
    help: 'role of the function, which a new one needs; it needs no rights to stores',
    group: 'deployment',
    commands: ['deploy'],
  },
]

module.exports = { options }

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
    help: 'function of AWS Lambda: a name, name:alias or an ARN',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
    // An ARN may name a function of somebody else, which would get our signed requests.
    ownJournalOnly: true,
  },
  {
    name: 'lambdaRegion',
    value: 'region',
    defaultText: 'AWS_REGION, or that of the profile',
    help: 'region of the function: best that of the source or of the destination',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
  },
  {
    name: 'lambdaProfile',
    value: 'name',
    help: 'profile of the AWS configuration for the function',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
  },
  {
    name: 'lambdaEndpoint',
    value: 'url',
    defaultText: "AWS_ENDPOINT_URL_LAMBDA, or the region's own",
    help: 'endpoint of the Lambda API',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
    // Other engines do not check this value: it may be any text, even a password.
    engine: 'lambda',
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
    conflicts: ['createRole'],
  },
  {
    name: 'createRole',
    help: 'make the smallest role for the function, which may only write its log',
    group: 'deployment',
    commands: ['deploy'],
  },
]

module.exports = { options }

'use strict'

/** The options of AWS Lambda. The help loads this file: it requires nothing but rows. */

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
]

module.exports = { options }

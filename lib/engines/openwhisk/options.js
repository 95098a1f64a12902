'use strict'

/** The options of OpenWhisk. The help loads this file: it requires only other rows. */

const { DEPLOYMENT } = require('../common')

const RUNS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor'])

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  {
    name: 'apihost',
    value: 'host',
    defaultText: 'APIHOST, or that of ~/.wskprops',
    help: 'OpenWhisk host',
    group: 'engine',
    commands: [...RUNS, 'deploy'],
    kept: true,
    // The local engine does not check this value: it may be any text, even a password.
    engine: 'openwhisk',
    ownJournalOnly: true,
  },
  ...DEPLOYMENT,
  {
    name: 'manifest',
    flag: false,
    value: 'file',
    type: 'file',
    defaultText: 'the one that came with xfer',
    help: 'manifest.yaml to deploy',
    group: 'deployment',
    commands: ['deploy'],
  },
]

module.exports = { options }

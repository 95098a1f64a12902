'use strict'

/** The options of workers. The help loads this file: it requires nothing. */

const COMMANDS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor'])

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  {
    name: 'worker',
    value: 'url',
    type: 'list',
    defaultText: 'XFER_WORKERS',
    help: 'address of a worker (xfer serve), or of a balancer before several; may be given several times',
    libraryHelp: 'addresses of workers, or of a balancer before several',
    group: 'engine',
    commands: COMMANDS,
    kept: true,
    engine: 'http',
    ownJournalOnly: true,
  },
]

module.exports = { options }

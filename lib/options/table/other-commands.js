'use strict'

/** Options of one command that is not a copy: `verify`, `clean` or `doctor`. `deploy` has those of its engine. */

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  {
    name: 'read',
    help: 'read both objects, even if checksums of the stores could answer',
    group: 'common',
    commands: ['verify'],
  },
  {
    name: 'yes',
    help: 'abort the uploads that are listed',
    group: 'common',
    commands: ['clean'],
  },
  {
    name: 'olderThan',
    value: 'duration',
    type: 'duration',
    default: '24h',
    help: 'only uploads that began so long ago; with a unit: 90s, 30m, 24h, 7d',
    group: 'common',
    commands: ['clean'],
  },
  {
    name: 'onUpload',
    flag: false,
    type: 'function',
    shape: '(upload: CleanedUpload) => void',
    help: 'called with each upload once its outcome is known',
    group: 'output',
    commands: ['clean'],
  },
  {
    name: 'onCheck',
    flag: false,
    type: 'function',
    shape: '(checked: Checked, error?: XferError) => void',
    help: 'called with each check once it is done, and with what failed',
    group: 'output',
    commands: ['doctor'],
  },
]

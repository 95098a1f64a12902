'use strict'

/** Options of one command that is not a copy: `ls`, `du`, `presign`, `mb`, `verify`, `rm`, `clean` or `doctor`. `deploy` has those of its engine. */

const { each } = require('./commands')

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  ...each({ group: 'common' }, [
    ...each({ name: 'recursive', short: '-r', alsoShort: ['-R'] }, [
      {
        help: 'list every object below LOCATION, not only one level; -R is the same',
        libraryHelp: 'list every object below the location, not only one level',
        commands: ['ls'],
      },
      {
        help: 'delete everything below LOCATION; -R is the same',
        helpOf: { mv: 'move everything below SRC to below DEST; -R is the same' },
        libraryHelp: 'delete everything below the location',
        libraryHelpOf: { mv: 'move everything below the source' },
        commands: ['rm', 'mv'],
      },
    ]),
    {
      name: 'human',
      short: '-H',
      help: 'print sizes with a unit, such as 1.50 GiB',
      commands: ['ls', 'du'],
      cliOnly: true,
    },
    {
      name: 'expires',
      type: 'duration',
      unit: 's',
      least: 1000,
      default: '1h',
      help: 'how long the URL is good for, in seconds or with a unit such as 15m or 7d',
      commands: ['presign'],
    },
    {
      name: 'region',
      value: 'region',
      defaultText: 'that of the configuration',
      help: 'region of the new bucket',
      commands: ['mb'],
    },
    {
      name: 'deep',
      help: 'ask the server of the location what it does where servers differ: some 80 requests and 10 MiB below a random prefix, which is removed; keep the answers for later copies',
      commands: ['doctor'],
    },
    {
      name: 'forget',
      help: 'forget what --deep has kept of the server of the location',
      commands: ['doctor'],
    },
    {
      name: 'summarize',
      short: '-s',
      help: 'print only the total, which many lists at once add up',
      commands: ['du'],
      cliOnly: true,
    },
    {
      name: 'read',
      help: 'read both objects, even if checksums of the stores could answer; with -r: of each pair',
      libraryHelp: 'read both objects, even if checksums of the stores could answer',
      commands: ['verify'],
    },
    {
      name: 'range',
      value: 'bytes',
      help: 'only these bytes, from 0: 0-999, or 1000- for all from there, or -500 for the last 500',
      commands: ['cat'],
    },
    {
      name: 'yes',
      help: 'abort the uploads that are listed',
      commands: ['clean'],
    },
    {
      name: 'yes',
      help: 'do not ask; needed with -r where there is no terminal',
      commands: ['rm'],
      cliOnly: true,
    },
    {
      name: 'versionId',
      value: 'id',
      help: 'delete this version of the object for good',
      commands: ['rm'],
    },
    {
      name: 'olderThan',
      type: 'duration',
      default: '24h',
      help: 'only uploads that began so long ago; with a unit: 90s, 30m, 24h, 7d',
      commands: ['clean'],
    },
  ]),
  {
    name: 'chunk',
    type: 'size',
    least: 1,
    mostBare: 5120 * 1024 ** 2,
    defaultText: '8 MiB',
    help: 'size of a range to read, in MiB or with a unit such as 8M',
    group: 'performance',
    commands: ['cat'],
  },
  {
    name: 'maxDelete',
    type: 'count',
    least: 0,
    most: 1e15,
    defaultText: 'no limit',
    help: 'delete nothing if more objects than this would be deleted; needed with --yes to empty a whole bucket',
    libraryHelp: 'delete nothing if more objects than this would be deleted',
    group: 'selection',
    commands: ['rm'],
  },
  ...each({ group: 'output', flag: false, type: 'function' }, [
    {
      name: 'onPrefix',
      shape: '(prefix: PrefixUsage) => unknown',
      help: 'called with each prefix of one level when it is added up; a promise is waited for',
      commands: ['du'],
    },
    {
      name: 'confirm',
      shape: '(found: FoundObjects) => boolean | Promise<boolean>',
      help: 'asked before anything below a prefix is deleted; false: delete nothing',
      group: 'common',
      commands: ['rm'],
    },
    {
      name: 'onObject',
      shape: '(object: RemovedObject) => void',
      help: 'called with each object once its outcome is known',
      commands: ['rm'],
    },
    {
      name: 'onUpload',
      shape: '(upload: CleanedUpload) => void',
      help: 'called with each upload once its outcome is known',
      commands: ['clean'],
    },
    {
      name: 'onCheck',
      shape: '(checked: Checked, error?: XferError) => void',
      help: 'called with each check once it is done, and with what failed',
      commands: ['doctor'],
    },
  ]),
]

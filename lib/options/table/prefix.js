'use strict'

/** Options that select the objects of a prefix, and those for deleting. */

const { COPIES, SELECTS, WRITES, each } = require('./commands')

/** `xfer resume` has those of these options that it does not take from another machine's journal. */
/** @type {import('../contract').OptionRow[]} */
module.exports = each({ scope: 'prefix' })([
  ...each({ group: 'common', commands: ['copy'], kept: { identifies: true } })({
    '-r, -R, --recursive': {
      takes: { choices: ['copy', 'sync'] },
      help: 'copy everything below SRC to below DEST; -R is the same',
      helpFor: {
        library: 'copy: copy every object; sync: copy those that the destination does not have, or has otherwise',
      },
      default: { library: "'copy'" },
    },
  }),
  ...each({ group: 'common', commands: ['verify'], only: 'cli' })({
    '-r, -R, --recursive': 'compare everything below SRC with everything below DEST; -R is the same',
  }),
  ...each({ group: 'selection', commands: ['verify'] })({ '--one-way': 'accept objects that only DEST has' }),
  ...each({ group: 'selection', commands: ['sync', 'resume'], kept: true })({
    '--delete': {
      help: 'delete objects that the source does not have, after everything is copied',
      helpFor: { resume: 'delete objects that the source does not have, after everything is copied (of a sync)' },
      kept: { own: true, identifies: true },
    },
    '--max-delete <n|p%>': [
      'delete nothing if more objects than this would be deleted',
      { default: { text: 'half of the objects, if there are more than 100' }, kept: 'own' },
    ],
  }),
  ...each({ group: 'selection', commands: ['sync'], kept: { identifies: true } })({
    '--size-only': 'treat objects of equal size as equal',
    '--checksum': 'compare checksums and ETags instead of times',
  }),
  // A job with another one of these is another job.
  ...each({ group: 'selection', commands: SELECTS, kept: { identifies: true } })({
    '--include <glob>': {
      name: 'filters',
      help: "copy names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
      helpFor: {
        verify:
          "compare names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
        rm: "delete names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
        library: {
          usual:
            "names to copy and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides",
          verify:
            "names to compare and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides",
        },
      },
    },
    '--exclude <glob>': [
      'leave out names that match; repeatable; the last filter that matches decides',
      { name: 'filters' },
    ],
    '--newer-than <when>': 'only objects modified after this: an age with a unit, such as 36h or 7d, or a date',
    '--older-than <when>': 'only objects modified before this: an age with a unit, such as 36h or 7d, or a date',
    '--min-size <size>': [
      'only objects of this size or larger, in MiB or with a unit such as 500K',
      { takes: { range: [0] } },
    ],
    '--max-size <size>': [
      'only objects of this size or smaller, in MiB or with a unit such as 500K',
      { takes: { range: [0] } },
    ],
  }),
  ...each({ group: 'selection', commands: [...WRITES, 'verify'], kept: { own: true, identifies: true } })({
    '--files-from <file>': 'only the names in this file, one per line; # begins a comment; -: standard input',
    '--files-from0 <file>': 'the same, each name ended by NUL and taken as it is, as find -print0 writes them',
    '--manifest <file>': [
      'only the objects of this list, as it describes them: an S3 inventory, a manifest that xfer wrote, or another',
      { commands: WRITES },
    ],
  }),
  ...each({ group: 'selection', commands: COPIES, kept: { identifies: true } })({
    '--ignore-existing': 'leave objects alone that the destination has, as --no-clobber does',
  }),
  ...each({ group: 'selection', commands: WRITES, kept: 'own' })({
    '--failures <file>': 'write the names of objects that failed to this file, for --files-from; the file is replaced',
  }),
  ...each({ group: 'selection', only: 'journal', kept: true })({
    'namesDigest <digest>': 'the SHA-256 of the file of names',
  }),
])

'use strict'

/** Options that select the objects of a prefix, and those for deleting. */

const { COPIES, SELECTS, WRITES, each, option } = require('./commands')

/** @type {readonly import('../contract').Command[]} begin or continue work over a prefix */
const BELOW = [...WRITES, 'verify']

/** `xfer resume` has those of these options that it does not take from another machine's journal. */
/** @type {import('../contract').OptionSpec[]} */
module.exports = each({ scope: 'prefix' }, [
  ...each({ name: 'recursive', short: ['-r', '-R'], group: 'common' }, [
    {
      choices: ['copy', 'sync'],
      help: 'copy everything below SRC to below DEST; -R is the same',
      libraryHelp: 'copy: copy every object; sync: copy those that the destination does not have, or has otherwise',
      libraryDefault: "'copy'",
      commands: ['copy'],
      kept: true,
      identifies: true,
    },
    {
      help: 'compare everything below SRC with everything below DEST; -R is the same',
      commands: ['verify'],
      only: 'cli',
    },
  ]),
  option('oneWay', 'switch', 'accept objects that only DEST has', {
    group: 'selection',
    commands: ['verify'],
  }),
  ...each({ group: 'selection', commands: ['sync', 'resume'], kept: true }, [
    option('delete', 'switch', 'delete objects that the source does not have, after everything is copied', {
      helpOf: { resume: 'delete objects that the source does not have, after everything is copied (of a sync)' },
      identifies: true,
      kept: 'own',
    }),
    option('maxDelete', 'share', 'delete nothing if more objects than this would be deleted', {
      defaultText: 'half of the objects, if there are more than 100',
      kept: 'own',
    }),
  ]),
  ...each({ group: 'selection', commands: ['sync'], kept: true, identifies: true }, [
    option('sizeOnly', 'switch', 'treat objects of equal size as equal'),
    option('checksum', 'switch', 'compare checksums and ETags instead of times'),
  ]),
  // A job with another one of these is another job.
  ...each({ group: 'selection', commands: SELECTS, kept: true, identifies: true }, [
    option(
      'filters',
      'filter',
      "copy names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
      {
        flag: '--include',
        helpOf: {
          verify:
            "compare names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
          rm: "delete names that match, even if an earlier --exclude matches them, such as --exclude '*'; repeatable",
        },
        libraryHelp:
          "names to copy and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides",
        libraryHelpOf: {
          verify:
            "names to compare and to leave out, such as [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides",
        },
      },
    ),
    option('filters', 'filter', 'leave out names that match; repeatable; the last filter that matches decides', {
      flag: '--exclude',
    }),
    option('newerThan', 'date', 'only objects modified after this: an age with a unit, such as 36h or 7d, or a date'),
    option('olderThan', 'date', 'only objects modified before this: an age with a unit, such as 36h or 7d, or a date'),
    option('minSize', 'size', 'only objects of this size or larger, in MiB or with a unit such as 500K', {
      range: [0],
    }),
    option('maxSize', 'size', 'only objects of this size or smaller, in MiB or with a unit such as 500K', {
      range: [0],
    }),
  ]),
  ...each({ group: 'selection', kept: true }, [
    option('filesFrom', 'file', 'only the names in this file, one per line; # begins a comment; -: standard input', {
      commands: BELOW,
      identifies: true,
      kept: 'own',
    }),
    option('filesFrom0', 'file', 'the same, each name ended by NUL and taken as it is, as find -print0 writes them', {
      commands: BELOW,
      identifies: true,
      kept: 'own',
    }),
    option(
      'manifest',
      'file',
      'only the objects of this list, as it describes them: an S3 inventory, a manifest that xfer wrote, or another',
      {
        commands: WRITES,
        identifies: true,
        kept: 'own',
      },
    ),
    option('namesDigest', 'text', 'the SHA-256 of the file of names', { only: 'journal' }),
    option('ignoreExisting', 'switch', 'leave objects alone that the destination has, as --no-clobber does', {
      commands: COPIES,
      identifies: true,
    }),
    option(
      'failures',
      'file',
      'write the names of objects that failed to this file, for --files-from; the file is replaced',
      {
        commands: WRITES,
        kept: 'own',
      },
    ),
  ]),
])

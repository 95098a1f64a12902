'use strict'

/** Options that select the objects of a prefix; those for the transfer: speed, the engine, retries, time limits; and the attributes of what is written. */

const { ENGINES, engineNames } = require('../../engines')
const { COPIES, EVERYDAY, MOVES, SELECTS, TRANSFERS, WRITES, each, ofAll } = require('./commands')

const MiB = 1024 ** 2
const DAY_MS = 86_400_000

/** What each engine is, for the help. */
const ENGINE_WORDS = ENGINES.map(({ name, words }) => `${name}: ${words.engine}`).join('; ')

/** @type {import('../contract').OptionRow[]} */
module.exports = [
  // The objects of a prefix. `xfer resume` has those that it does not take from another machine's journal.
  ...each({ scope: 'prefix' })([
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
      '--newer-than <when>':
        'only objects modified after this: an age with a unit, such as 36h or 7d, or a date (UTC, unless it has an offset)',
      '--older-than <when>':
        'only objects modified before this: an age with a unit, such as 36h or 7d, or a date (UTC, unless it has an offset)',
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
      '-u, --update': 'leave objects alone that are newer at the destination',
    }),
    ...each({ group: 'selection', commands: WRITES, kept: 'own' })({
      '--failures <file>':
        'write the names of objects that failed to this file, for --files-from; the file is replaced',
    }),
    ...each({ group: 'selection', only: 'journal', kept: true })({
      'namesDigest <digest>': 'the SHA-256 of the file of names',
    }),
  ]),
  ...each({ group: 'common', commands: [...COPIES, 'verify'], kept: true })({
    '--chunk <size>': {
      takes: { mostBare: 5120 * MiB, words: ['match', 'auto'] },
      help: "size of a part, in MiB or with a unit such as 8M or 1.5GiB; match: the size of the source's parts; auto: xfer chooses a size",
      helpFor: {
        sync: 'size of a part, in MiB or with a unit such as 8M; smaller objects are copied in one request',
        verify: 'size of a range to read, in MiB or with a unit such as 8M',
      },
      default: { value: '100', text: '100 MiB' },
    },
  }),
  ...each({ group: 'common', commands: [...MOVES, 'work'], kept: true })({
    '--concurrency <n>': [
      'maximum number of invocations at a time; the engine may allow fewer',
      { takes: { range: [1, 10_000] }, default: '1000' },
    ],
  }),
  ...each({ group: 'common', commands: ['cat'] })({
    '--concurrency <n>': [
      'maximum number of ranges that are read at a time',
      { takes: { range: [1, 10_000] }, default: { text: '16, if the memory allows' } },
    ],
  }),
  ...each({ group: 'performance', commands: TRANSFERS, kept: true })({
    '--bandwidth <rate>': [
      'maximum rate, in MiB a second or with a unit such as 500K or 10MB/s; none: no limit',
      { takes: { mostBare: 100_000 * MiB }, default: 'none' },
    ],
  }),
  // Not kept: it is about this machine.
  ...each({ group: 'performance', commands: [...TRANSFERS, 'work'] })({
    '--memory <size>': [
      'how much of the objects this process holds at a time, in MiB or with a unit such as 256M',
      {
        takes: { range: [32 * MiB] },
        default: { text: "a quarter of the machine's or the container's, at most 512 MiB" },
      },
    ],
  }),
  ...each({ group: 'failures', commands: [...TRANSFERS, ...EVERYDAY], kept: true })({
    '--retries <n>': {
      takes: { range: [0, 100] },
      help: 'how often a failed part is tried again',
      helpFor: ofAll(EVERYDAY, 'how often a failed request is tried again'),
      default: '3',
    },
    '--outage-timeout <duration>': [
      'how long to wait for a store or a platform that stops answering, in seconds or with a unit such as 1h30m',
      { takes: { mostBare: DAY_MS, unit: 's' }, default: '10m' },
    ],
  }),
  ...each({ group: 'common', commands: [...TRANSFERS, 'work', 'deploy', 'doctor'], kept: true })({
    '--engine <name>': {
      takes: { choices: engineNames() },
      help: `what moves the bytes: ${ENGINES.map(({ name }) => name).join(', ')}; auto: the platform that is configured, else this machine`,
      helpFor: {
        deploy: `engine whose platform gets the function; auto: the one that is configured (${ENGINE_WORDS})`,
        doctor: `engine whose platform is checked; auto: the one that is configured (${ENGINE_WORDS})`,
      },
      default: 'auto',
    },
  }),
  // Not kept: who goes on says where the job lies.
  ...each({ group: 'failures', commands: [...WRITES, 'jobs', 'work', 'attach', 'stop', 'abort', 'clean'] })({
    '--state <location>': [
      'where jobs are kept: a folder, or a prefix in a store, where any machine finds them',
      { default: { text: 'XFER_STATE, else the home folder' } },
    ],
  }),
  ...each({ group: 'common', commands: ['work'] })({
    '--once': 'end when no job is left that waits',
    '--only <job>': 'take this job alone: its id, or the beginning of it',
    '--at-once <n>': ['so many jobs at a time', { takes: { range: [1, 64] }, default: '1' }],
  }),
  ...each({ group: 'failures', commands: WRITES })({
    '--detach': 'only write the job into the state, and print its id: the runner, or a worker, runs it',
  }),
  ...each({ group: 'failures', commands: COPIES })({
    '--split <n>': [
      'with --detach -r: in so many ranges of names, which workers copy side by side; auto: one for each million names',
      { takes: { range: [2, 1000], words: ['auto'] }, scope: 'prefix' },
    ],
  }),
  ...each({ group: 'failures', commands: [...WRITES, 'abort'] })({
    '--take': 'take the job over at once: who has it is known to be dead',
  }),
  ...each({ group: 'failures', commands: WRITES })({
    '--route <how>': [
      'server: the store copies by itself, or, if it can, reads the source from a URL that it is given; engine: the engine reads and writes; auto: server within one store, else engine',
      { takes: { choices: ['auto', 'server', 'engine'] }, default: 'auto', group: 'engine', kept: true },
    ],
    '--on-failure <what>': [
      'what to do with the parts of a copy that ends early: keep them for xfer resume, or abort the upload',
      { takes: { choices: ['keep', 'abort'] }, default: 'keep', kept: true },
    ],
  }),
  ...each({ group: 'failures', commands: [...WRITES, 'work'] })({
    // Not kept: a resumed job would stop after this time again.
    '--timeout <duration>': [
      'stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed',
      {
        takes: { mostBare: 3 * DAY_MS, unit: 's' },
        helpFor: {
          work: 'stop after so long, in seconds or with a unit such as 14m; what is left waits for the next worker',
        },
        default: { text: 'no limit' },
      },
    ],
  }),
  // The attributes of the copy. The options have the AWS CLI's names if it has them.
  ...each({ group: 'attributes', commands: COPIES, kept: true })({
    '--metadata <how>': [
      "copy: the source's content headers and user metadata, except those that other options set; replace: only what options set",
      { takes: { choices: ['copy', 'replace'] }, default: 'copy' },
    ],
    '--content-type <type>': "override the source's Content-Type, such as text/csv",
    '--header <name=value>': {
      name: 'headers',
      help: "override one of the source's Cache-Control, Content-Encoding, Content-Language, Content-Disposition and Expires; repeatable",
      helpFor: {
        library: "override the source's headers, such as { 'Cache-Control': 'max-age=60', Expires: '2027-01-31' }",
      },
    },
    '--metadata-set <name=value>': [
      'set one entry of user metadata; repeatable',
      { helpFor: { library: "entries of user metadata to set, such as { color: 'blue' }" } },
    ],
    '--tags <how>': [
      "copy: the source's tags; none: no tags",
      { takes: { choices: ['copy', 'none'] }, default: 'copy' },
    ],
    '--storage-class <name>': [
      "copy: the source's, if the destination has it; or the name of a class",
      { default: 'copy' },
    ],
  }),
]

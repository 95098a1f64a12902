'use strict'

/** Options of a copy (streams, conditions, proof, restart), and those that most commands have: places, output, the library's own. */

const { ALL, ASKS, COPIES, EVERYDAY, MOVES, TRANSFERS, each, ofAll } = require('./commands')

/** The commands that keep what they copied. @type {string[]} */
const COPYING = ['copy', 'sync', 'resume', 'mv']

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  ...each({ group: 'streams', commands: ['copy'] }, [
    {
      name: 'size',
      type: 'size',
      mostBare: 200 * 1024 ** 4,
      help: 'about how much comes from standard input, in MiB or with a unit such as 300G: the parts are then large enough',
      libraryHelp: 'about how much comes from the stream: the parts are then large enough',
      scope: 'stream',
    },
    {
      name: 'expectSha256',
      value: 'hex',
      help: 'write nothing unless the source has this SHA-256; what is no stream is read once more for it, in order, by this machine',
      scope: 'object',
      kept: true,
    },
  ]),
  {
    name: 'clobber',
    flag: '--no-clobber',
    help: 'fail if the destination exists; with -r: leave objects alone that the destination has',
    helpOf: { sync: 'leave objects alone that the destination has, as --ignore-existing does' },
    libraryHelp: 'false: fail if the destination exists',
    libraryHelpOf: {
      sync: 'false: leave objects alone that the destination has, as ignoreExisting does',
      resume: 'false: fail if the destination exists; only for the job of one object',
    },
    libraryDefault: 'true',
    group: 'common',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'ifMatch',
    value: 'etag',
    help: 'replace the destination only if it has this ETag',
    group: 'integrity',
    commands: ['copy'],
    scope: 'object',
    kept: true,
  },
  ...each({ group: 'common', kept: true, identifies: true }, [
    {
      name: 'verify',
      value: 'how',
      choices: ['auto', 'full', 'size', 'none'],
      default: 'auto',
      help: 'how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none',
      helpOf: {
        cat: 'how to prove what was read: auto: by what the source keeps; full: also read it a second time; size, none: not at all',
        mv: 'how to prove the copy: auto; full: also read the source again and read the copy back; size and none are refused',
      },
      commands: [...COPIES, 'cat'],
    },
    {
      name: 'move',
      flag: false,
      help: 'delete each source once its copy is proved: xfer mv',
      ownJournalOnly: true,
      journalOnly: true,
    },
  ]),
  {
    name: 'restart',
    help: 'start again, even if an unfinished copy of the same is kept',
    helpOf: { sync: 'start again, even if an unfinished sync of the same is kept' },
    group: 'failures',
    commands: COPIES,
  },
  {
    name: 'dryRun',
    help: 'print what would be done, and do nothing',
    libraryHelp: 'do nothing, and resolve to what would be done',
    group: 'common',
    commands: [...COPIES, 'rm'],
  },
  ...each({ group: 'places', flag: false, type: 'object' }, [
    {
      name: 'source',
      shape: 'SourceOptions',
      help: 'options of the source',
      commands: [...TRANSFERS, ...ASKS, 'doctor', 'probe'],
    },
    {
      name: 'destination',
      shape: 'DestinationOptions',
      help: 'options of the destination',
      commands: [...MOVES, 'doctor', 'probe', 'abort', 'clean', 'rm', 'mb'],
    },
  ]),
  ...each(
    {
      name: 'caBundle',
      type: 'file',
      defaultText: 'AWS_CA_BUNDLE',
      help: 'file of certificates (PEM) to trust in addition to the usual ones',
      group: 'places',
    },
    [
      { commands: [...TRANSFERS, ...EVERYDAY, 'doctor', 'probe'], kept: true, ownJournalOnly: true },
      // These commands use only the destination.
      { flag: '--ca-bundle', sides: ['destination'], commands: ['abort', 'clean'] },
    ],
  ),
  ...each({ group: 'places', sides: ['source', 'destination'], flag: false }, [
    {
      name: 'caBundle',
      type: 'file',
      help: 'file of certificates (PEM) to trust for the {side}',
    },
    {
      name: 'ca',
      shape: 'string | Uint8Array | Array<string | Uint8Array>',
      help: 'certificates (PEM) to trust for the {side}, in addition to the usual ones',
    },
    {
      name: 'proxy',
      shape: 'string | URL | false',
      help: "proxy of this machine for the {side}, before HTTPS_PROXY, HTTP_PROXY and NO_PROXY; false: none; functions use their own environment's",
    },
  ]),
  ...each({ group: 'output', cliOnly: true }, [
    {
      name: 'json',
      help: 'print events as JSON on standard output, one per line',
      helpOf: {
        cat: 'print events as JSON on standard error, one per line',
        ls: 'print what is listed as JSON, one per line',
        du: 'print prefixes as JSON, one per line, and the total last',
        ...ofAll(['head', 'presign', 'mb', 'abort', 'deploy'], 'print the result as one line of JSON'),
        jobs: 'print jobs as JSON, one per line',
        clean: 'print uploads as JSON, one per line',
        rm: 'print objects as JSON, one per line',
        doctor: 'print checks as JSON, one per line',
      },
      commands: ALL,
    },
    {
      name: 'quiet',
      short: '-q',
      help: 'print errors only',
      commands: [...TRANSFERS, 'rm'],
    },
    {
      name: 'verbose',
      short: '-v',
      help: 'print a line for each object, and for each part',
      helpOf: { verify: 'print what is repeated, and why', cat: 'print how it is read, the progress and the proof' },
      commands: TRANSFERS,
    },
    {
      name: 'progress',
      short: '-P',
      help: 'print progress every 5 s where it is no terminal, not 30',
      commands: TRANSFERS,
    },
    {
      name: 'progress',
      flag: '--no-progress',
      help: 'print no progress, but everything else',
      commands: TRANSFERS,
    },
  ]),
  { name: 'debug', help: 'print stack traces of errors', group: 'output', commands: ALL, cliOnly: true },
  ...each({ group: 'output', flag: false }, [
    {
      name: 'signal',
      type: 'signal',
      shape: 'AbortSignal',
      help: 'ends the call when it is aborted; what is copied by then is kept',
      helpOf: ofAll(
        ALL.filter(name => !COPYING.includes(name)),
        'ends the call when it is aborted',
      ),
      commands: [...TRANSFERS, ...EVERYDAY, 'abort', 'clean', 'deploy', 'doctor', 'probe'],
    },
    {
      name: 'env',
      type: 'object',
      shape: 'Record<string, string | undefined>',
      help: 'environment variables to use instead of those of the process',
      libraryDefault: 'process.env',
      commands: ALL,
    },
    {
      name: 'onEvent',
      type: 'function',
      shape: '(event: CopyEvent) => void',
      shapeOf: {
        sync: '(event: PrefixEvent) => void',
        resume: '(event: CopyEvent | PrefixEvent) => void',
        mv: '(event: CopyEvent | PrefixEvent) => void',
        verify: '(event: VerifyEvent) => void',
        cat: '(event: DownloadEvent) => void',
        ...ofAll(EVERYDAY, '(event: AskEvent) => void'),
        verifyPrefix: '(event: PrefixVerifyEvent) => void',
        probe: '(event: ProbeEvent) => void',
      },
      help: 'called with each event',
      commands: [...TRANSFERS, ...EVERYDAY, 'probe'],
    },
  ]),
]

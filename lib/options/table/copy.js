'use strict'

/** Options of a copy (streams, conditions, proof, restart), and those that most commands have: places, output, the library's own. */

const { ALL, ASKS, COPIES, EVERYDAY, MOVES, TRANSFERS, WRITES, each, ofAll, option } = require('./commands')

/** The commands that keep what they copied. @type {string[]} */
const COPYING = ['copy', 'sync', 'resume', 'mv']

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  ...each({ group: 'streams', commands: ['copy'] }, [
    option(
      'size',
      'size',
      'about how much comes from standard input, in MiB or with a unit such as 300G: the parts are then large enough',
      {
        mostBare: 200 * 1024 ** 4,
        libraryHelp: 'about how much comes from the stream: the parts are then large enough',
        scope: 'stream',
      },
    ),
    option(
      'expectSha256',
      '<hex>',
      'write nothing unless the source has this SHA-256; what is no stream is read once more for it, in order, by this machine',
      { scope: 'object', kept: true },
    ),
  ]),
  option('clobber', 'switch', 'fail if the destination exists; with -r: leave objects alone that the destination has', {
    flag: '--no-clobber',
    helpOf: {
      sync: 'leave objects alone that the destination has, as --ignore-existing does',
      resume: 'fail if the destination exists; only for the job of one object',
    },
    libraryDefault: 'true',
    group: 'common',
    commands: COPIES,
    kept: true,
  }),
  option('ifMatch', '<etag>', 'replace the destination only if it has this ETag', {
    group: 'integrity',
    commands: ['copy'],
    scope: 'object',
    kept: true,
  }),
  ...each({ group: 'common', kept: true, identifies: true }, [
    option(
      'verify',
      '<how>',
      'how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none',
      {
        choices: ['auto', 'full', 'size', 'none'],
        default: 'auto',
        helpOf: {
          cat: 'how to prove what was read: auto: by what the source keeps; full: also read it a second time; size, none: not at all',
          mv: 'how to prove the copy: auto; full: also read the source again and read the copy back; size and none are refused',
        },
        commands: [...COPIES, 'cat'],
      },
    ),
    option('move', 'switch', 'delete each source once its copy is proved: xfer mv', {
      kept: 'own',
      only: 'journal',
    }),
  ]),
  ...each({ group: 'files', commands: WRITES, type: 'file', kept: 'own' }, [
    option(
      'manifestOut',
      '<file|location>',
      'write what was done to each object to this new file, sealed: NDJSON, or CSV if it ends in .csv',
      { identifies: true },
    ),
    option('sign', '<key.pem>', 'sign the manifest that is written with this Ed25519 key (PEM)'),
  ]),
  option('restart', 'switch', 'start again, even if an unfinished copy of the same is kept', {
    helpOf: { sync: 'start again, even if an unfinished sync of the same is kept' },
    group: 'failures',
    commands: COPIES,
  }),
  option('dryRun', 'switch', 'print what would be done, and do nothing', {
    libraryHelp: 'do nothing, and resolve to what would be done',
    group: 'common',
    commands: [...COPIES, 'rm'],
  }),
  ...each({ group: 'places', only: 'library' }, [
    option('source', 'object', 'options of the source', {
      shape: 'SourceOptions',
      commands: [...TRANSFERS, ...ASKS, 'doctor', 'probe'],
    }),
    option('destination', 'object', 'options of the destination', {
      shape: 'DestinationOptions',
      commands: [...MOVES, 'doctor', 'probe', 'abort', 'clean', 'rm', 'mb'],
    }),
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
      { commands: [...TRANSFERS, ...EVERYDAY, 'doctor', 'probe'], kept: 'own' },
      // These commands use only the destination.
      { flag: '--ca-bundle', sides: ['destination'], commands: ['abort', 'clean'] },
    ],
  ),
  ...each({ group: 'places', sides: ['source', 'destination'], only: 'library' }, [
    option('caBundle', 'file', 'file of certificates (PEM) to trust for the {side}'),
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
  ...each({ group: 'output', only: 'cli' }, [
    option('json', 'switch', 'print events as JSON on standard output, one per line', {
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
    }),
    option('quiet', 'switch', 'print errors only', { short: '-q', commands: [...TRANSFERS, 'rm'] }),
    option('verbose', 'switch', 'print a line for each object, and for each part', {
      short: '-v',
      helpOf: { verify: 'print what is repeated, and why', cat: 'print how it is read, the progress and the proof' },
      commands: TRANSFERS,
    }),
    option('progress', 'switch', 'print progress every 5 s where it is no terminal, not 30', {
      short: '-P',
      commands: TRANSFERS,
    }),
    option('progress', 'switch', 'print no progress, but everything else', {
      flag: '--no-progress',
      commands: TRANSFERS,
    }),
  ]),
  ...each({ group: 'files', only: 'cli' }, [
    option(
      'live',
      'count',
      'show the progress on a web page for browsers of this machine, at this port or any; the address is printed',
      { value: 'port', bare: true, range: [0, 65_535], commands: MOVES },
    ),
    option('logFile', 'file', 'append what happens to this file, as with --verbose, each line with its time', {
      commands: TRANSFERS,
    }),
    option('metrics', 'file', 'keep figures for Prometheus in this file, which is replaced every 5 s', {
      commands: TRANSFERS,
    }),
    option('summary', 'file', 'append a summary in Markdown to this file, such as "$GITHUB_STEP_SUMMARY"', {
      commands: TRANSFERS,
    }),
    option('report', 'file', 'write a page that shows what happened, and the proof, to this file at the end (HTML)', {
      commands: MOVES,
    }),
    option('trace', 'file', 'write a trace of parts and objects to this file, for Perfetto or chrome://tracing', {
      commands: MOVES,
    }),
  ]),
  ...each({ group: 'cost', commands: COPIES }, [
    option('cost', 'switch', 'print at the end what the copy cost, by list prices'),
    option('prices', '<path>', 'file of prices (YAML or JSON) that count before those that xfer has', {
      libraryHelp: 'path of a file of prices (YAML or JSON) that count before those that xfer has',
    }),
    option(
      'maxCost',
      '<usd>',
      'copy nothing if the plan costs more, in US dollars; what has no known price does not count, and is named',
      { shape: 'number | string' },
    ),
  ]),
  option('debug', 'switch', 'print stack traces of errors', { group: 'output', commands: ALL, only: 'cli' }),
  ...each({ group: 'output', only: 'library' }, [
    option('signal', 'signal', 'ends the call when it is aborted; what is copied by then is kept', {
      shape: 'AbortSignal',
      helpOf: ofAll(
        ALL.filter(name => !COPYING.includes(name)),
        'ends the call when it is aborted',
      ),
      commands: [...TRANSFERS, ...EVERYDAY, 'abort', 'clean', 'deploy', 'doctor', 'probe'],
    }),
    option('env', 'object', 'environment variables to use instead of those of the process', {
      shape: 'Record<string, string | undefined>',
      libraryDefault: 'process.env',
      commands: ALL,
    }),
    option('onEvent', 'function', 'called with each event', {
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
      commands: [...TRANSFERS, ...EVERYDAY, 'probe'],
    }),
  ]),
]

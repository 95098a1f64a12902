'use strict'

/** Options of a copy (streams, conditions, proof, restart), and those that most commands have: places, output, the library's own. */

const { ALL, ASKS, COPIES, EVERYDAY, MOVES, TRANSFERS, WRITES, each, ofAll } = require('./commands')

/** The commands that keep nothing of what they did. */
const OTHERS = ALL.filter(name => !['copy', 'sync', 'resume', 'mv'].includes(name))

/** The type of `onEvent`. */
const EVENTS = {
  type: '(event: CopyEvent) => void',
  typeFor: {
    sync: '(event: PrefixEvent) => void',
    ...ofAll(['resume', 'mv'], '(event: CopyEvent | PrefixEvent) => void'),
    verify: '(event: VerifyEvent) => void',
    cat: '(event: DownloadEvent) => void',
    ...ofAll(EVERYDAY, '(event: AskEvent) => void'),
    verifyPrefix: '(event: PrefixVerifyEvent) => void',
    probe: '(event: ProbeEvent) => void',
    work: '(event: WorkEvent) => void',
    attach: '(event: JobEvent) => void',
  },
}
const CA_BUNDLE = { '--ca-bundle <file>': 'file of certificates (PEM) to trust in addition to the usual ones' }

/** @type {import('../contract').OptionRow[]} */
module.exports = [
  ...each({ group: 'streams', commands: ['copy'] })({
    '--size <size>': {
      takes: { mostBare: 200 * 1024 ** 4 },
      help: 'about how much comes from standard input, in MiB or with a unit such as 300G: the parts are then large enough',
      helpFor: { library: 'about how much comes from the stream: the parts are then large enough' },
      scope: 'stream',
    },
    '--expect-sha256 <hex>': [
      'write nothing unless the source has this SHA-256; what is no stream is read once more for it, in order, by this machine',
      { scope: 'object', kept: true },
    ],
  }),
  ...each({ group: 'common', commands: COPIES, kept: true })({
    '--no-clobber': {
      help: 'fail if the destination exists; with -r: leave objects alone that the destination has',
      helpFor: {
        sync: 'leave objects alone that the destination has, as --ignore-existing does',
        resume: 'fail if the destination exists; only for the job of one object',
      },
      default: { library: 'true' },
    },
  }),
  ...each({ group: 'integrity', commands: ['copy'], scope: 'object', kept: true })({
    '--if-match <etag>': 'replace the destination only if it has this ETag',
  }),
  ...each({ group: 'common', kept: { identifies: true } })({
    '--verify <how>': {
      takes: { choices: ['auto', 'full', 'size', 'none'] },
      help: 'how to prove the copy: auto; full: read both sides again as well; size: by the sizes alone; none',
      helpFor: {
        cat: 'how to prove what was read: auto: by what the source keeps; full: also read it a second time; size, none: not at all',
        mv: 'how to prove the copy: auto; full: also read the source again and read the copy back; size and none are refused',
      },
      default: 'auto',
      commands: [...COPIES, 'cat'],
    },
    move: [
      'delete each source once its copy is proved: xfer mv',
      { only: 'journal', kept: { own: true, identifies: true } },
    ],
  }),
  ...each({ group: 'files', commands: WRITES, kept: 'own' })({
    '--manifest-out <file|location>': [
      'write what was done to each object to this new file, sealed: NDJSON, or CSV if it ends in .csv',
      { takes: { kind: 'file' } },
    ],
    '--sign <key.pem>': ['sign the manifest that is written with this Ed25519 key (PEM)', { takes: { kind: 'file' } }],
  }),
  ...each({ group: 'failures', commands: COPIES })({
    '--restart': [
      'start again, even if an unfinished copy of the same is kept',
      { helpFor: { sync: 'start again, even if an unfinished sync of the same is kept' } },
    ],
  }),
  ...each({ group: 'common', commands: [...COPIES, 'rm'] })({
    '--dry-run': [
      'print what would be done, and do nothing',
      { helpFor: { library: 'do nothing, and resolve to what would be done' } },
    ],
  }),
  ...each({ group: 'places', only: 'library' })({
    source: [
      'options of the source',
      { takes: { kind: 'object', type: 'SourceOptions' }, commands: [...TRANSFERS, 'doctor', 'probe'] },
    ],
    destination: {
      takes: { kind: 'object', type: 'DestinationOptions' },
      help: 'options of the destination',
      commands: [...MOVES, 'doctor', 'probe', 'abort', 'clean', 'rm', 'mb'],
    },
  }),
  // These have one location, which is opened as a source is.
  ...each({ group: 'places', only: 'library', commands: ASKS })({
    source: ['options of the location', { takes: { kind: 'object', type: 'SourceOptions' } }],
  }),
  ...each({ group: 'places', default: { text: 'AWS_CA_BUNDLE' } })([
    ...each({ commands: [...TRANSFERS, ...EVERYDAY, 'doctor', 'probe'], kept: 'own' })(CA_BUNDLE),
    // These commands use only the destination.
    ...each({ commands: ['abort', 'clean'], sides: ['destination'] })(CA_BUNDLE),
  ]),
  ...each({ group: 'places', sides: ['source', 'destination'], only: 'library' })({
    'caBundle <file>': 'file of certificates (PEM) to trust for the {side}',
    ca: [
      'certificates (PEM) to trust for the {side}, in addition to the usual ones',
      { takes: { kind: 'text', type: 'string | Uint8Array | Array<string | Uint8Array>' } },
    ],
    proxy: [
      "proxy of this machine for the {side}, before HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; false: none; functions use their own environment's",
      { takes: { kind: 'text', type: 'string | URL | false' } },
    ],
  }),
  ...each({ group: 'output', only: 'cli' })({
    '--json': {
      help: 'print events as JSON on standard output, one per line',
      helpFor: {
        cat: 'print events as JSON on standard error, one per line',
        ls: 'print what is listed as JSON, one per line',
        du: 'print prefixes as JSON, one per line, and the total last',
        ...ofAll(['head', 'presign', 'mb', 'stop', 'abort', 'deploy'], 'print the result as one line of JSON'),
        jobs: 'print jobs as JSON, one per line',
        attach: 'print the job as JSON, a line whenever it has changed',
        work: 'print what is taken, and how it ended, as JSON, one per line',
        clean: 'print uploads as JSON, one per line',
        rm: 'print objects as JSON, one per line',
        doctor: 'print checks as JSON, one per line',
        profiles: 'print profiles as JSON, one per line',
      },
      commands: ALL,
    },
    '-q, --quiet': [
      'print errors only; of a dry run also its last line, the sum',
      {
        helpFor: Object.fromEntries(['verify', 'cat'].map(name => [name, 'print errors only'])),
        commands: [...TRANSFERS, 'rm'],
      },
    ],
  }),
  ...each({ group: 'output', commands: TRANSFERS, only: 'cli' })({
    '-v, --verbose': [
      'print a line for each object, and for each part',
      {
        helpFor: {
          verify: 'print what is repeated, and why',
          cat: 'print how it is read, the progress and the proof',
          rm: 'print a line for each object of a dry run, not only of the first hundred',
        },
        commands: [...TRANSFERS, 'rm'],
      },
    ],
    '-P, --progress': 'print progress every 5 s where it is no terminal, not 30',
    '--no-progress': 'print no progress, but everything else',
  }),
  ...each({ group: 'files', commands: [...MOVES, 'attach'], only: 'cli' })({
    '--live [port]': [
      'show the progress on a web page for browsers of this machine, at this port or any; the address is printed',
      { takes: { kind: 'count', range: [0, 65_535] } },
    ],
  }),
  ...each({ group: 'files', commands: TRANSFERS, only: 'cli' })({
    '--log-file <file>': 'append what happens to this file, as with --verbose, each line with its time',
    '--metrics <file>': 'keep figures for Prometheus in this file, which is replaced every 5 s',
    '--name <name>': [
      'what this job is called there, the same in each run (label xfer_job)',
      { default: { text: "the file's name, without .prom" } },
    ],
    '--summary <file>': 'append a summary in Markdown to this file, such as "$GITHUB_STEP_SUMMARY"',
  }),
  ...each({ group: 'files', commands: MOVES, only: 'cli' })({
    '--report <file>': 'write a page that shows what happened, and the proof, to this file at the end (HTML)',
    '--trace <file>': 'write a trace of parts and objects to this file, for Perfetto or chrome://tracing',
  }),
  ...each({ group: 'cost', commands: [...COPIES, 'jobs', 'attach'] })({
    '--cost': [
      'print at the end what the copy cost, by list prices',
      { helpFor: ofAll(['jobs', 'attach'], 'print what the functions of a detached job cost, by list prices') },
    ],
    '--prices <path>': [
      'file of prices (YAML or JSON) that count before the built-in ones',
      { helpFor: { library: 'path of a file of prices (YAML or JSON) that count before the built-in ones' } },
    ],
  }),
  ...each({ group: 'cost', commands: COPIES })({
    '--max-cost <usd>': [
      'copy nothing if the plan costs more, in US dollars; what has no known price does not count, and is named',
      { takes: { type: 'number | string' } },
    ],
  }),
  ...each({ group: 'output', commands: ALL, only: 'cli' })({
    '--debug': 'print requests, what the scheduler does, and stack traces of errors',
  }),
  ...each({ group: 'output', only: 'library' })({
    signal: {
      takes: { kind: 'signal', type: 'AbortSignal' },
      help: 'ends the call when it is aborted; what is copied by then is kept',
      helpFor: ofAll(OTHERS, 'ends the call when it is aborted'),
      commands: ALL.filter(command => !['mv', 'jobs'].includes(command)),
    },
    env: {
      takes: { kind: 'object', type: 'Record<string, string | undefined>' },
      help: 'environment variables to use instead of those of the process',
      default: { library: 'process.env' },
      commands: ALL,
    },
    onEvent: [
      'called with each event',
      { takes: { kind: 'function', ...EVENTS }, commands: [...TRANSFERS, ...EVERYDAY, 'work', 'attach', 'probe'] },
    ],
  }),
]

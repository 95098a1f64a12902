'use strict'

/** Options of one command that is not a copy, `probe` and `serve` among them. `deploy` has those of its engine. */

const { COPIES, each } = require('./commands')

const DAY_MS = 86_400_000

/** @type {import('../contract').OptionRow[]} */
module.exports = [
  ...each({ group: 'common' })([
    ...each({ commands: ['ls'] })({
      '-r, -R, --recursive': 'list every object below LOCATION, not only one level; -R is the same',
    }),
    ...each({ commands: ['rm', 'mv'] })({
      '-r, -R, --recursive': [
        'delete everything below LOCATION; -R is the same',
        { helpFor: { mv: 'move everything below SRC to below DEST; -R is the same' } },
      ],
    }),
    ...each({ commands: ['ls', 'du'], only: 'cli' })({ '-H, --human': 'print sizes with a unit, such as 1.50 GiB' }),
    ...each({ commands: ['presign'] })({
      '--expires <duration>': [
        'how long the URL is good for, in seconds or with a unit such as 15m or 7d',
        { takes: { range: [1000], unit: 's' }, default: '1h' },
      ],
    }),
    ...each({ commands: ['mb'] })({
      '--region <region>': ['region of the new bucket', { default: { text: 'that of the configuration' } }],
    }),
    ...each({ commands: ['doctor'] })({
      '--deep':
        'ask the server of the location what it does where servers differ: some 160 requests and 10 MiB below a random prefix, which is removed; keep the answers for later copies',
      '--forget': 'forget what --deep has kept of the server of the location',
    }),
    ...each({ commands: ['du'], only: 'cli' })({
      '-s, --summarize': 'print only the total, which many lists at once add up',
    }),
    ...each({ commands: ['verify'] })({
      '--read': 'read both objects, even if checksums of the stores could answer; with -r: of each pair',
      '--manifest <file>': [
        'compare DEST, or else the destination that it names, with this manifest, which --manifest-out wrote; also a location',
        { only: 'cli' },
      ],
      '--public-key <file>': [
        'with --manifest: refuse it unless the key to this public one signed it (PEM)',
        { helpFor: { library: 'refuse the manifest unless the key to this public one signed it (PEM)' } },
      ],
      '--sample <n>': {
        takes: { range: [1, 1e15] },
        help: 'with --manifest: only so many of its objects, drawn at random; nothing is listed',
        helpFor: { library: 'only so many objects, drawn at random; nothing is listed' },
      },
      'at <location>': ['what to compare, in place of the destination that the manifest names', { only: 'library' }],
    }),
    ...each({ commands: ['cat'] })({
      '--range <bytes>': 'only these bytes, from 0: 0-999, or 1000- for all from there, or -500 for the last 500',
    }),
    ...each({ commands: ['profiles'] })({
      '--check': 'ask the store of each for its buckets, 8 at once; none has more than 5 s',
    }),
    ...each({ commands: ['clean'] })({ '--yes': 'abort the uploads, or remove the jobs, that are listed' }),
    ...each({ commands: ['rm'] })({
      '--yes': ['do not ask; needed with -r where there is no terminal', { only: 'cli' }],
      '--version-id <id>': 'delete this version of the object for good',
    }),
    ...each({ commands: ['clean'] })({
      '--older-than <duration>': [
        'only uploads that began, or jobs that ended, so long ago; with a unit: 90s, 30m, 24h, 7d',
        { default: { value: '24h', text: '24h; of jobs 30d' } },
      ],
    }),
  ]),
  ...each({ group: 'performance', commands: ['cat'] })({
    '--chunk <size>': [
      'size of a range to read, in MiB or with a unit such as 8M',
      { takes: { mostBare: 5120 * 1024 ** 2 }, default: { text: '8 MiB' } },
    ],
  }),
  ...each({ group: 'selection', commands: ['rm'] })({
    '--max-delete <n>': {
      takes: { range: [0, 1e15] },
      help: 'delete nothing if more objects than this would be deleted; needed with --yes to empty a whole bucket',
      helpFor: { library: 'delete nothing if more objects than this would be deleted' },
      default: { text: 'no limit' },
    },
  }),
  ...each({ group: 'output', commands: ['du'], only: 'library' })({
    onPrefix: [
      'called with each prefix of one level when it is added up; a promise is waited for',
      { takes: { kind: 'function', type: '(prefix: PrefixUsage) => unknown' } },
    ],
  }),
  ...each({ group: 'common', commands: ['rm'], only: 'library' })({
    confirm: [
      'asked before anything below a prefix is deleted; false: delete nothing',
      { takes: { kind: 'function', type: '(found: FoundObjects) => boolean | Promise<boolean>' } },
    ],
  }),
  ...each({ group: 'output', only: 'library' })({
    onObject: [
      'called with each object once its outcome is known',
      { takes: { kind: 'function', type: '(object: RemovedObject) => void' }, commands: ['rm'] },
    ],
    onUpload: [
      'called with each upload once its outcome is known',
      { takes: { kind: 'function', type: '(upload: CleanedUpload) => void' }, commands: ['clean'] },
    ],
    onCheck: [
      'called with each check once it is done, and with what failed',
      { takes: { kind: 'function', type: '(checked: Checked, error?: XferError) => void' }, commands: ['doctor'] },
    ],
  }),
  ...each({ group: 'performance', commands: COPIES })({
    '--probe <file>':
      'take the size of a part, and how many at once, from this report of xfer probe, where no option says them',
  }),
  ...each({ group: 'common', commands: ['probe'] })({
    '--max-bytes <size>': ['write at most so much at each place', { takes: { range: [1024 ** 2] }, default: '2GiB' }],
    '--prefix <prefix>': [
      'write below this prefix of the location; each probe makes a random one of its own below it',
      { name: 'within', default: { library: 'none' } },
    ],
    '--bytes <size>': [
      'with two places: how much the copy of one large object moves, whose time is predicted',
      { default: '1TiB' },
    ],
    '--objects <n>': [
      'with two places: also predict the copy of so many objects, each of --size (100 kB)',
      { takes: { kind: 'count', range: [1, 1_000_000_000_000] } },
    ],
    '--for <duration>': [
      'how long a step may take whose rate does not settle; with a unit: 500ms, 3s, 60s',
      { name: 'stepTime', takes: { range: [100] }, default: '3s' },
    ],
    '--concurrency <n>': ['the most requests at once that are tried', { takes: { range: [1, 1024] }, default: '64' }],
    '--expect <what>': [
      "fail unless it is so, such as 'put.p99<200ms' or 'get.rate>100MB/s'; may be given several times",
      { takes: { kind: 'list' } },
    ],
    '--from <where>': [
      'whose requests are measured: those of this machine (here), or of functions of the configured platform (functions)',
      { takes: { choices: ['here', 'functions'] }, default: 'here' },
    ],
    '--size <size>': [
      'measure objects of this size alone',
      { takes: { range: [1000] }, default: { text: '100 kB to 100 MB' } },
    ],
    '--users <counts>': 'in place of all else: how response times grow with so many users at once, such as 1,3,30',
    '--mix <kinds>': [
      'with --users: the requests of each user, in turn, of put, get and head',
      { default: { text: 'put,get' } },
    ],
    '--requests <n>': [
      'with --users: so many of each kind for each number of users, by all of them together',
      { takes: { range: [1, 100_000] }, default: '100' },
    ],
    '--rounds <n>': [
      'compare the locations: write and read an object at each, in random order in each of so many rounds',
      { takes: { range: [20, 10_000] }, default: { text: '20 with three locations or more, else none' } },
    ],
    '--clean': 'only delete what probes left that were killed',
    '--yes': ['do not ask; needed where there is no terminal', { only: 'cli' }],
    '--out <file>': ['write the report to this file, as JSON', { only: 'cli' }],
    confirm: {
      takes: {
        kind: 'function',
        type: '(plan: { locations: string[]; mostBytes: number }) => boolean | Promise<boolean>',
      },
      help: 'asked before anything is written; false: write nothing',
      only: 'library',
    },
  }),
  // The command line alone has `xfer report` and `xfer serve`.
  ...each({ group: 'common', commands: ['report'], only: 'cli' })({
    '-o, --output <file>': ['write the page to this file', { default: { text: 'standard output' } }],
  }),
  ...each({ commands: ['serve'], only: 'cli' })([
    ...each({ group: 'common' })({
      '--port <n>': [
        'port to listen on; 0: any that is free',
        { takes: { range: [0, 65_535] }, default: { text: 'PORT, else 8080' } },
      ],
      '--host <address>': ['address to listen on', { default: { text: '0.0.0.0 with a token, else 127.0.0.1' } }],
      '--tls-cert <file>': 'file with the certificate of the worker and of its authorities (PEM), for https',
      '--tls-key <file>': 'file with the key of the certificate (PEM)',
      '--places <n>': [
        'invocations at once; each needs some megabytes',
        { takes: { range: [1, 1_000] }, default: '32' },
      ],
    }),
    ...each({ group: 'failures' })({
      '--timeout <duration>': [
        'how long an invocation may run',
        { takes: { range: [5_000, DAY_MS], unit: 's' }, default: '300s' },
      ],
      '--heartbeat <duration>': [
        'how often a running invocation sends a blank, so that no balancer cuts it',
        { takes: { range: [1_000, 60_000], unit: 's' }, default: '10s' },
      ],
      '--drain <duration>': [
        'how long what runs may go on after SIGTERM',
        { takes: { range: [0, DAY_MS], unit: 's' }, default: '25s' },
      ],
    }),
    ...each({ group: 'deployment' })({
      '--ca-bundle <file>': [
        'file of certificates (PEM) to trust in addition to the usual ones, for stores',
        { default: { text: 'AWS_CA_BUNDLE' } },
      ],
      '--allow-hosts <list>': [
        'hosts that the worker may connect to: names, *.names, addresses and ranges, joined by commas',
        { default: { text: '*' } },
      ],
      '--allow-metadata': 'let the worker connect to link-local and metadata addresses',
    }),
  ]),
]

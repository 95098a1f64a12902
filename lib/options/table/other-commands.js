'use strict'

/** Options of one command that is not a copy, `probe` and `serve` among them. `deploy` has those of its engine. */

const { COPIES, each, option } = require('./commands')

const DAY_MS = 86_400_000

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  ...each({ group: 'common' }, [
    ...each({ name: 'recursive', short: ['-r', '-R'] }, [
      {
        help: 'list every object below LOCATION, not only one level; -R is the same',
        commands: ['ls'],
      },
      {
        help: 'delete everything below LOCATION; -R is the same',
        helpOf: { mv: 'move everything below SRC to below DEST; -R is the same' },
        commands: ['rm', 'mv'],
      },
    ]),
    option('human', 'switch', 'print sizes with a unit, such as 1.50 GiB', {
      short: '-H',
      commands: ['ls', 'du'],
      only: 'cli',
    }),
    option('expires', 'duration', 'how long the URL is good for, in seconds or with a unit such as 15m or 7d', {
      unit: 's',
      range: [1000],
      default: '1h',
      commands: ['presign'],
    }),
    option('region', '<region>', 'region of the new bucket', {
      defaultText: 'that of the configuration',
      commands: ['mb'],
    }),
    option(
      'deep',
      'switch',
      'ask the server of the location what it does where servers differ: some 80 requests and 10 MiB below a random prefix, which is removed; keep the answers for later copies',
      { commands: ['doctor'] },
    ),
    option('forget', 'switch', 'forget what --deep has kept of the server of the location', { commands: ['doctor'] }),
    option('summarize', 'switch', 'print only the total, which many lists at once add up', {
      short: '-s',
      commands: ['du'],
      only: 'cli',
    }),
    option('read', 'switch', 'read both objects, even if checksums of the stores could answer; with -r: of each pair', {
      commands: ['verify'],
    }),
    ...each({ commands: ['verify'] }, [
      option(
        'manifest',
        'file',
        'compare DEST, or else the destination that it names, with this manifest, which --manifest-out wrote',
        {
          only: 'cli',
        },
      ),
      option('publicKey', 'file', 'with --manifest: refuse it unless the key to this public one signed it (PEM)', {
        libraryHelp: 'refuse the manifest unless the key to this public one signed it (PEM)',
      }),
      option('sample', 'count', 'with --manifest: only so many of its objects, drawn at random; nothing is listed', {
        range: [1, 1e15],
        libraryHelp: 'only so many objects, drawn at random; nothing is listed',
      }),
      option('at', '<location>', 'what to compare, in place of the destination that the manifest names', {
        only: 'library',
      }),
    ]),
    option(
      'range',
      '<bytes>',
      'only these bytes, from 0: 0-999, or 1000- for all from there, or -500 for the last 500',
      { commands: ['cat'] },
    ),
    option('yes', 'switch', 'abort the uploads that are listed', { commands: ['clean'] }),
    option('yes', 'switch', 'do not ask; needed with -r where there is no terminal', {
      commands: ['rm'],
      only: 'cli',
    }),
    option('versionId', '<id>', 'delete this version of the object for good', { commands: ['rm'] }),
    option('olderThan', 'duration', 'only uploads that began so long ago; with a unit: 90s, 30m, 24h, 7d', {
      default: '24h',
      commands: ['clean'],
    }),
  ]),
  option('chunk', 'size', 'size of a range to read, in MiB or with a unit such as 8M', {
    mostBare: 5120 * 1024 ** 2,
    defaultText: '8 MiB',
    group: 'performance',
    commands: ['cat'],
  }),
  option(
    'maxDelete',
    'count',
    'delete nothing if more objects than this would be deleted; needed with --yes to empty a whole bucket',
    {
      range: [0, 1e15],
      defaultText: 'no limit',
      libraryHelp: 'delete nothing if more objects than this would be deleted',
      group: 'selection',
      commands: ['rm'],
    },
  ),
  ...each({ group: 'output', only: 'library' }, [
    option(
      'onPrefix',
      'function',
      'called with each prefix of one level when it is added up; a promise is waited for',
      { shape: '(prefix: PrefixUsage) => unknown', commands: ['du'] },
    ),
    option('confirm', 'function', 'asked before anything below a prefix is deleted; false: delete nothing', {
      shape: '(found: FoundObjects) => boolean | Promise<boolean>',
      group: 'common',
      commands: ['rm'],
    }),
    option('onObject', 'function', 'called with each object once its outcome is known', {
      shape: '(object: RemovedObject) => void',
      commands: ['rm'],
    }),
    option('onUpload', 'function', 'called with each upload once its outcome is known', {
      shape: '(upload: CleanedUpload) => void',
      commands: ['clean'],
    }),
    option('onCheck', 'function', 'called with each check once it is done, and with what failed', {
      shape: '(checked: Checked, error?: XferError) => void',
      commands: ['doctor'],
    }),
  ]),
  option(
    'probe',
    'file',
    'take the size of a part, and how many at once, from this report of xfer probe, where no option says them',
    { group: 'performance', commands: COPIES },
  ),
  ...each({ group: 'common', commands: ['probe'] }, [
    option('maxBytes', 'size', 'write at most so much at each place', { range: [1024 ** 2], default: '2GiB' }),
    option(
      'within',
      '<prefix>',
      'write below this prefix of the location; each probe makes a random one of its own below it',
      { flag: '--prefix', libraryDefault: 'none' },
    ),
    option('bytes', 'size', 'with two places: how much the copy moves whose time is predicted', {
      default: '1TiB',
    }),
    option('stepTime', 'duration', 'how long a step may take whose rate does not settle; with a unit: 500ms, 3s, 60s', {
      flag: '--for',
      range: [100],
      default: '3s',
    }),
    option('concurrency', 'count', 'the most requests at once that are tried', { range: [1, 1024], default: '64' }),
    option(
      'expect',
      'list',
      "fail unless it is so, such as 'put.p99<200ms' or 'get.rate>100MB/s'; may be given several times",
      { value: 'what' },
    ),
    option(
      'from',
      '<where>',
      'whose requests are measured: of this machine, or of the functions of the configured platform',
      { choices: ['here', 'functions'], default: 'here' },
    ),
    option('size', 'size', 'measure objects of this size alone', { range: [1000], defaultText: '100 kB to 100 MB' }),
    option(
      'users',
      '<counts>',
      'in place of all else: how response times grow with so many users at once, such as 1,3,30',
    ),
    option('mix', '<kinds>', 'with --users: the requests of each user, in turn, of put, get and head', {
      defaultText: 'put,get',
    }),
    option(
      'requests',
      'count',
      'with --users: so many of each kind for each number of users, by all of them together',
      { range: [1, 100_000], default: '100' },
    ),
    option(
      'rounds',
      'count',
      'compare the locations: write and read an object at each, in random order in each of so many rounds',
      { range: [20, 10_000], defaultText: '20 with three locations or more, else none' },
    ),
    option('clean', 'switch', 'only delete what probes left that were killed'),
    option('yes', 'switch', 'do not ask; needed where there is no terminal', { only: 'cli' }),
    option('out', 'file', 'write the report to this file, as JSON', { only: 'cli' }),
    option('confirm', 'function', 'asked before anything is written; false: write nothing', {
      only: 'library',
      shape: '(plan: { locations: string[]; mostBytes: number }) => boolean | Promise<boolean>',
    }),
  ]),
  // The command line alone has `xfer report` and `xfer serve`.
  option('output', 'file', 'write the page to this file', {
    short: '-o',
    defaultText: 'standard output',
    group: 'common',
    commands: ['report'],
    only: 'cli',
  }),
  ...each({ commands: ['serve'], only: 'cli' }, [
    ...each({ group: 'common' }, [
      option('port', 'count', 'port to listen on; 0: any that is free', {
        range: [0, 65_535],
        defaultText: 'PORT, else 8080',
      }),
      option('host', '<address>', 'address to listen on', { defaultText: '0.0.0.0 with a token, else 127.0.0.1' }),
      option('tlsCert', 'file', 'file with the certificate of the worker and of its authorities (PEM), for https'),
      option('tlsKey', 'file', 'file with the key of the certificate (PEM)'),
      option('places', 'count', 'invocations at once; each needs some megabytes', {
        range: [1, 1_000],
        default: '32',
      }),
    ]),
    ...each({ group: 'failures', unit: 's' }, [
      option('timeout', 'duration', 'how long an invocation may run', { range: [5_000, DAY_MS], default: '300s' }),
      option('heartbeat', 'duration', 'how often a running invocation sends a blank, so that no balancer cuts it', {
        range: [1_000, 60_000],
        default: '10s',
      }),
      option('drain', 'duration', 'how long what runs may go on after SIGTERM', { range: [0, DAY_MS], default: '25s' }),
    ]),
    ...each({ group: 'deployment' }, [
      option('caBundle', 'file', 'file of certificates (PEM) to trust in addition to the usual ones, for stores', {
        defaultText: 'AWS_CA_BUNDLE',
      }),
      option(
        'allowHosts',
        'hosts',
        'hosts that the worker may connect to: names, *.names, addresses and ranges, joined by commas',
        { defaultText: '*' },
      ),
      option('allowMetadata', 'switch', 'let the worker connect to link-local and metadata addresses'),
    ]),
  ]),
]

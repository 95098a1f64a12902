'use strict'

/** Options for the transfer: speed, the engine, retries, time limits, and the attributes of what is written. */

const { ENGINES, engineNames } = require('../../engines')
const { COPIES, EVERYDAY, MOVES, TRANSFERS, WRITES, each, ofAll, option } = require('./commands')

const MiB = 1024 ** 2
const DAY_MS = 86_400_000

/** What each engine is, for the help. */
const ENGINE_WORDS = ENGINES.map(({ name, words }) => `${name}: ${words.engine}`).join('; ')

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  option(
    'chunk',
    'size',
    "size of a part, in MiB or with a unit such as 8M or 1.5GiB; match: the size of the source's parts; auto: xfer chooses a size",
    {
      mostBare: 5120 * MiB,
      words: ['match', 'auto'],
      default: '100',
      defaultText: '100 MiB',
      helpOf: {
        sync: 'size of a part, in MiB or with a unit such as 8M; smaller objects are copied in one request',
        verify: 'size of a range to read, in MiB or with a unit such as 8M',
      },
      group: 'common',
      commands: [...COPIES, 'verify'],
      kept: true,
    },
  ),
  ...each({ name: 'concurrency', type: 'count', range: [1, 10_000], group: 'common' }, [
    {
      default: '1000',
      help: 'maximum number of invocations at a time; the engine may allow fewer',
      commands: MOVES,
      kept: true,
    },
    {
      defaultText: '16, if the memory allows',
      help: 'maximum number of ranges that are read at a time',
      commands: ['cat'],
    },
  ]),
  option('bandwidth', 'rate', 'maximum rate, in MiB a second or with a unit such as 500K or 10MB/s; none: no limit', {
    mostBare: 100_000 * MiB,
    default: 'none',
    group: 'performance',
    commands: TRANSFERS,
    kept: true,
  }),
  ...each({ group: 'failures', commands: [...TRANSFERS, ...EVERYDAY], kept: true }, [
    option('retries', 'count', 'how often a failed part is tried again', {
      range: [0, 100],
      default: '3',
      helpOf: ofAll(EVERYDAY, 'how often a failed request is tried again'),
    }),
    option(
      'outageTimeout',
      'duration',
      'how long to wait for a store or a platform that stops answering, in seconds or with a unit such as 1h30m',
      { unit: 's', mostBare: DAY_MS, default: '10m' },
    ),
  ]),
  option(
    'engine',
    '<name>',
    `what moves the bytes: ${ENGINES.map(({ name }) => name).join(', ')}; auto: the platform that is configured, else this machine`,
    {
      choices: engineNames(),
      default: 'auto',
      helpOf: {
        deploy: `engine whose platform gets the function; auto: the one that is configured (${ENGINE_WORDS})`,
        doctor: `engine whose platform is checked; auto: the one that is configured (${ENGINE_WORDS})`,
      },
      group: 'common',
      commands: [...TRANSFERS, 'deploy', 'doctor'],
      kept: true,
    },
  ),
  ...each({ group: 'failures', commands: WRITES }, [
    option(
      'route',
      '<how>',
      'server: the store copies by itself, or, if it can, reads the source from a URL that it is given; engine: the engine reads and writes; auto: server within one store, else engine',
      { choices: ['auto', 'server', 'engine'], default: 'auto', group: 'engine', kept: true },
    ),
    option(
      'onFailure',
      '<what>',
      'what to do with the parts of a copy that ends early: keep them for xfer resume, or abort the upload',
      {
        choices: ['keep', 'abort'],
        default: 'keep',
        kept: true,
      },
    ),
    // Not kept: a resumed job would stop after this time again.
    option(
      'timeout',
      'duration',
      'stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed',
      { unit: 's', mostBare: 3 * DAY_MS, defaultText: 'no limit' },
    ),
  ]),
  // The attributes of the copy. The options have the AWS CLI's names if it has them.
  ...each({ group: 'attributes', commands: COPIES, kept: true }, [
    option(
      'metadata',
      '<how>',
      "copy: the source's content headers and user metadata, except those that other options set; replace: only what options set",
      { choices: ['copy', 'replace'], default: 'copy' },
    ),
    option('contentType', '<type>', "override the source's Content-Type, such as text/csv"),
    option(
      'headers',
      'pairs',
      "override one of the source's Cache-Control, Content-Encoding, Content-Language, Content-Disposition and Expires; repeatable",
      {
        flag: '--header',
        libraryHelp: "override the source's headers, such as { 'Cache-Control': 'max-age=60', Expires: '2027-01-31' }",
      },
    ),
    option('metadataSet', 'pairs', 'set one entry of user metadata; repeatable', {
      libraryHelp: "entries of user metadata to set, such as { color: 'blue' }",
    }),
    option('tags', '<how>', "copy: the source's tags; none: no tags", { choices: ['copy', 'none'], default: 'copy' }),
    option('storageClass', '<name>', "copy: the source's, if the destination has it; or the name of a class", {
      default: 'copy',
    }),
  ]),
]

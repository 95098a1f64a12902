'use strict'

/** Options for the transfer: speed, the engine, retries and time limits. */

const { ENGINES, engineNames } = require('../../engines')
const { COPIES, EVERYDAY, MOVES, TRANSFERS, WRITES, each, ofAll } = require('./commands')

const MiB = 1024 ** 2
const DAY_MS = 86_400_000

/** What each engine is, for the help. */
const ENGINE_WORDS = ENGINES.map(({ name, words }) => `${name}: ${words.engine}`).join('; ')

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  {
    name: 'chunk',
    type: 'size',
    mostBare: 5120 * MiB,
    words: ['match', 'auto'],
    default: '100',
    defaultText: '100 MiB',
    help: "size of a part, in MiB or with a unit such as 8M or 1.5GiB; match: the size of the source's parts; auto: xfer chooses a size",
    helpOf: {
      sync: 'size of a part, in MiB or with a unit such as 8M; smaller objects are copied in one request',
      verify: 'size of a range to read, in MiB or with a unit such as 8M',
    },
    group: 'common',
    commands: [...COPIES, 'verify'],
    kept: true,
  },
  ...each({ name: 'concurrency', type: 'count', least: 1, most: 10_000, group: 'common' }, [
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
  {
    name: 'bandwidth',
    type: 'rate',
    mostBare: 100_000 * MiB,
    default: 'none',
    help: 'maximum rate, in MiB a second or with a unit such as 500K or 10MB/s; none: no limit',
    group: 'performance',
    commands: TRANSFERS,
    kept: true,
  },
  ...each({ group: 'failures', commands: [...TRANSFERS, ...EVERYDAY], kept: true }, [
    {
      name: 'retries',
      type: 'count',
      least: 0,
      most: 100,
      default: '3',
      help: 'how often a failed part is tried again',
      helpOf: ofAll(EVERYDAY, 'how often a failed request is tried again'),
    },
    {
      name: 'outageTimeout',
      type: 'duration',
      unit: 's',
      mostBare: DAY_MS,
      default: '10m',
      help: 'how long to wait for a store or a platform that stops answering, in seconds or with a unit such as 1h30m',
    },
  ]),
  {
    name: 'engine',
    value: 'name',
    choices: engineNames(),
    default: 'auto',
    help: `what moves the bytes: ${ENGINES.map(({ name }) => name).join(', ')}; auto: the platform that is configured, else this machine`,
    helpOf: {
      deploy: `engine whose platform gets the function; auto: the one that is configured (${ENGINE_WORDS})`,
      doctor: `engine whose platform is checked; auto: the one that is configured (${ENGINE_WORDS})`,
    },
    group: 'common',
    commands: [...TRANSFERS, 'deploy', 'doctor'],
    kept: true,
  },
  ...each({ group: 'failures', commands: WRITES }, [
    {
      name: 'route',
      value: 'how',
      choices: ['auto', 'server', 'engine'],
      default: 'auto',
      help: 'server: the store copies by itself, or, if it can, reads the source from a URL that it is given; engine: the engine reads and writes; auto: server within one store, else engine',
      group: 'engine',
      kept: true,
    },
    {
      name: 'onFailure',
      value: 'what',
      choices: ['keep', 'abort'],
      default: 'keep',
      help: 'what to do with the parts of a copy that ends early: keep them for xfer resume, or abort the upload',
      libraryHelp: 'what to do with the parts of a copy that ends early: keep them for resume, or abort the upload',
      kept: true,
    },
    {
      // Not kept: a resumed job would stop after this time again.
      name: 'timeout',
      type: 'duration',
      unit: 's',
      mostBare: 3 * DAY_MS,
      defaultText: 'no limit',
      help: 'stop after so long, in seconds or with a unit such as 45m or 1h30m; the copy can be resumed',
    },
  ]),
]

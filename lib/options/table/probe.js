'use strict'

/** Options of `xfer probe`. */

const { COPIES, each } = require('./commands')

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  {
    name: 'probe',
    type: 'file',
    help: 'take the size of a part, and how many at once, from this report of xfer probe, where no option says them',
    group: 'performance',
    commands: COPIES,
  },
  ...each({ group: 'common', commands: ['probe'] }, [
    {
      name: 'maxBytes',
      type: 'size',
      least: 1024 ** 2,
      default: '2GiB',
      help: 'write at most so much at each place',
    },
    {
      name: 'within',
      flag: '--prefix',
      value: 'prefix',
      help: 'write below this prefix of the location; each probe makes a random one of its own below it',
      libraryDefault: 'none',
    },
    {
      name: 'bytes',
      type: 'size',
      least: 1,
      default: '1TiB',
      help: 'with two places: how much the copy moves whose time is predicted',
    },
    {
      name: 'stepTime',
      flag: '--for',
      type: 'duration',
      least: 100,
      default: '3s',
      help: 'how long a step may take whose rate does not settle; with a unit: 500ms, 3s, 60s',
    },
    {
      name: 'concurrency',
      type: 'count',
      least: 1,
      most: 1024,
      default: '64',
      help: 'the most requests at once that are tried',
    },
    {
      name: 'expect',
      type: 'list',
      value: 'what',
      help: "fail unless it is so, such as 'put.p99<200ms' or 'get.rate>100MB/s'; may be given several times",
    },
    {
      name: 'from',
      value: 'where',
      choices: ['here', 'functions'],
      default: 'here',
      help: 'whose requests are measured: of this machine, or of the functions of the configured platform',
    },
    {
      name: 'size',
      type: 'size',
      least: 1000,
      help: 'measure objects of this size alone',
      defaultText: '100 kB to 100 MB',
    },
    {
      name: 'users',
      value: 'counts',
      help: 'in place of all else: how response times grow with so many users at once, such as 1,3,30',
    },
    {
      name: 'mix',
      value: 'kinds',
      defaultText: 'put,get',
      help: 'with --users: the requests of each user, in turn, of put, get and head',
    },
    {
      name: 'requests',
      type: 'count',
      least: 1,
      most: 100_000,
      default: '100',
      help: 'with --users: so many of each kind for each number of users, by all of them together',
    },
    {
      name: 'rounds',
      type: 'count',
      least: 20,
      most: 10_000,
      help: 'compare the locations: write and read an object at each, in random order in each of so many rounds',
      defaultText: '20 with three locations or more, else none',
    },
    {
      name: 'clean',
      help: 'only delete what probes left that were killed',
    },
    {
      name: 'yes',
      help: 'do not ask; needed where there is no terminal',
      cliOnly: true,
    },
    {
      name: 'out',
      type: 'file',
      help: 'write the report to this file, as JSON',
      cliOnly: true,
    },
    {
      name: 'confirm',
      flag: false,
      type: 'function',
      shape: '(plan: { locations: string[]; mostBytes: number }) => boolean | Promise<boolean>',
      help: 'asked before anything is written; false: write nothing',
    },
  ]),
]

'use strict'

/** What `npm test` runs: everything but what is slow, and of the end-to-end tests one file for each command or promise. */

const { availableParallelism } = require('node:os')
const everything = require('../jest.config')

const END_TO_END = [
  // Commands; those that only read are in test/cli and test/golden.
  'conditions',
  'files',
  'jobs',
  'mv',
  'prefix',
  'rm',
  'serve',
  'stdin',
  'stdout',
  'verify',
  // Promises: no request too many, no part twice, no secret, no address, no wrong copy, no deletion without a list.
  'requests',
  'resume',
  'web-redaction',
  'access',
  'read-back',
  'prefix-guards',
]

/** Not end to end, yet slow: they start many processes, wait for what is slow on purpose, or run other suites once more. */
const SLOW = [
  'action/node-http',
  'bench/bench',
  'flips/flips',
  'cli/clean',
  'cli/doctor',
  'docs/walks',
  'lib/stream/upload',
  'package/consumers',
  'random/random',
]

/** @param {string} name */
const patternOf = name => `<rootDir>/test/${name}.test.js`

module.exports = {
  ...everything,
  rootDir: '..',
  // Many of them wait for sockets and processes: one worker more than the machine has cores.
  maxWorkers: availableParallelism() + 1,
  testMatch: [
    '<rootDir>/test/*.test.js',
    '<rootDir>/test/!(e2e)/**/*.test.js',
    ...END_TO_END.map(name => patternOf(`e2e/${name}`)),
  ],
  testPathIgnorePatterns: ['/node_modules/', ...SLOW.map(patternOf)],
}

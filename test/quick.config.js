'use strict'

/** What `npm test` runs: everything but what is slow, and of the end-to-end tests one file for each command or promise. */

const { availableParallelism } = require('node:os')
const everything = require('../jest.config')

const END_TO_END = [
  // Commands; those that only read are in test/cli, and the others in test/golden as well.
  'files',
  'jobs',
  'serve',
  'streams',
  // Promises: one of each, at its plainest. That no request is too many the goldens show.
  'quick',
  'manifest',
]

/** Not end to end, yet slow: they start many processes, wait for what is slow on purpose, or run other suites once more. */
const SLOW = [
  'action/limits',
  'action/process',
  'action/wire/stress',
  'bench/bench',
  'cli/doctor',
  'cli/hangs',
  'cli/clean',
  'cli/short-forms',
  'docs/walks',
  'examples/upload-service',
  'lib/commands/own-settings',
  'lib/engines/openwhisk/deploy/deploy',
  'lib/journal/lock',
  'lib/stores/https/copy',
  'lib/stores/s3/answer-bounds',
  'lib/stream/download',
  'lib/stream/upload',
  'package/consumers',
  'random/random',
  'sandbox/commands',
  'sandbox/platform/processes',
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

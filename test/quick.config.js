'use strict'

/** What `npm test` runs: everything but the end-to-end tests, with a few of these, and but for what is slow. */

const { availableParallelism } = require('node:os')
const everything = require('../jest.config')

/** End to end, a few seconds each, by real processes. */
const SMOKES = ['e2e/notices', 'e2e/plan', 'e2e/smoke']

/** Not end to end, yet slow: they start many processes, wait for what is slow on purpose, or run other suites once more. */
const SLOW = [
  'action/node-http',
  'bench/bench',
  'cli/bad-input',
  'cli/clean',
  'cli/coming-from',
  'cli/doctor',
  'cli/random-arguments',
  'docs/walks',
  'lib/listing/servers',
  'lib/schedule/adapting',
  'lib/schedule/sandbox-store',
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
  testMatch: ['<rootDir>/test/*.test.js', '<rootDir>/test/!(e2e)/**/*.test.js', ...SMOKES.map(patternOf)],
  testPathIgnorePatterns: ['/node_modules/', ...SLOW.map(patternOf)],
}

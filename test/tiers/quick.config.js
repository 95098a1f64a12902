'use strict'

/** What `npm test` runs. */

const { availableParallelism } = require('node:os')
const everything = require('../../jest.config')
const { reportersOf, slow, smokes } = require('./tiers')

module.exports = {
  ...everything,
  rootDir: '../..',
  reporters: reportersOf('quick'),
  // Many of them wait for sockets and processes: one worker more than the machine has cores.
  maxWorkers: availableParallelism() + 1,
  testMatch: ['<rootDir>/test/*.test.js', '<rootDir>/test/!(e2e)/**/*.test.js', ...smokes],
  testPathIgnorePatterns: ['/node_modules/', ...slow],
}

'use strict'

/** What `npm test` runs. */

const everything = require('../../jest.config')
const { reporters, slow, smokes } = require('./tiers')

module.exports = {
  ...everything,
  rootDir: '../..',
  reporters,
  testMatch: ['<rootDir>/test/*.test.js', '<rootDir>/test/!(e2e)/**/*.test.js', ...smokes],
  testPathIgnorePatterns: ['/node_modules/', ...slow],
}

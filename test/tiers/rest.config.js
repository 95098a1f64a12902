'use strict'

/** What `npm test` leaves out: with it, all that there is. */

const everything = require('../../jest.config')
const { reporters, slow, smokes } = require('./tiers')

module.exports = {
  ...everything,
  rootDir: '../..',
  reporters,
  testMatch: ['<rootDir>/test/e2e/**/*.test.js', ...slow],
  testPathIgnorePatterns: ['/node_modules/', ...smokes],
}

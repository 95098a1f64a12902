'use strict'

/** What `npm test` leaves out: with it, all that there is. */

const everything = require('../../jest.config')
const { reportersOf, slow, smokes } = require('./tiers')

module.exports = {
  ...everything,
  rootDir: '../..',
  reporters: reportersOf('rest'),
  testMatch: ['<rootDir>/test/e2e/**/*.test.js', ...slow],
  testPathIgnorePatterns: ['/node_modules/', ...smokes],
}

'use strict'

/** What `npm test` leaves out: `npm run test:slow` runs it, and then what is drawn at random. */

const quick = require('./quick.config')

const [modules, ...slow] = quick.testPathIgnorePatterns

module.exports = {
  ...quick,
  testMatch: ['<rootDir>/test/e2e/*.test.js', ...slow],
  testPathIgnorePatterns: [modules, ...quick.testMatch.filter(pattern => pattern.startsWith('<rootDir>/test/e2e/'))],
}

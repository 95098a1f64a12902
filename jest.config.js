'use strict'

/** Every test there is. `npm test` runs the quick ones of them: test/tiers/quick.config.js. */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  testTimeout: 60_000,
  maxWorkers: 2,
}

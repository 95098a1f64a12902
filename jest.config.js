'use strict'

module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  testTimeout: 60_000,
  maxWorkers: 2,
}

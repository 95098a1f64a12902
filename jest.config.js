'use strict'

// The AWS SDK warns of older versions of Node.js in every process that loads it. Jest's workers inherit this.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

// No zone of whole hours: what is told or read in local time by mistake shows.
process.env.TZ = 'Asia/Kathmandu'

/** Every test there is. `npm test` runs the quick ones of them: test/quick.config.js. */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  dependencyExtractor: '<rootDir>/test/support/dependencies.js',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  // For what hangs; a busy machine takes its time.
  testTimeout: 240_000,
  maxWorkers: 2,
  // Babel would take a third of the time of a first run. It would only move jest.mock above require: write it there.
  transform: {},
  // In jest's contexts globals are slow to look up; what calculates much takes half of the time with this.
  sandboxInjectedGlobals: ['Math'],
  // On a busy machine a worker needs more than half a second to exit, and jest would take it for a leak.
  workerGracefulExitTimeout: 20_000,
  // Where watchman is installed, jest would use it, and print what it warns of.
  watchman: false,
}

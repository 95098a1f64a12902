'use strict'

/**
 * Mutation tests: `npm run test:mutants -- lib/many/select/decide.js` changes one place of a file at a time, and tells which changes the
 * quick tests of its room do not notice. What they start as a process of its own is not changed.
 *
 * https://stryker-mutator.io/docs/stryker-js/configuration/
 */

const quick = require('./quick.config')

const [home, room] = (process.argv.at(-1) ?? '').split('/')
const tests = home === 'lib' ? `lib/${room}` : 'action'

module.exports = {
  testRunner: 'jest',
  jest: {
    // The working folder is the copy with the changes.
    config: { ...quick, rootDir: '.', testMatch: [`<rootDir>/test/${tests}/**/*.test.js`] },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // Tables that are read when a file is loaded: every test would run for each of their entries.
  ignoreStatic: true,
  // TypeScript 7 has no API by which a tsconfig could be read.
  tsconfigFile: 'none',
  concurrency: 2,
  tempDirName: 'coverage/mutants',
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}

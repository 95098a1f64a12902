'use strict'

/**
 * Mutation tests: `npm run test:mutants -- lib/many/select/decide.js` changes one place of a file at a time, and tells which changes the
 * quick tests of its room do not notice. What they start as a process of its own is not changed.
 *
 * https://stryker-mutator.io/docs/stryker-js/configuration/
 */

const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')
const quick = require('./quick.config')

const folder = dirname(process.argv.at(-1) ?? '')
const [home, room] = folder.split('/')
// Of a folder within a room, if it has tests of its own, only those.
const nearest = existsSync(join(__dirname, folder)) ? folder : `lib/${room}`
const tests = home === 'lib' ? nearest : 'action'

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

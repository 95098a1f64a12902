'use strict'

/** A reporter of jest's for the tiers, in few lines: each tenth of the files, and at once each file that fails. */

const { relative } = require('node:path')

const LINES = 10

/** Jest calls it with `new`. https://jestjs.io/docs/configuration#custom-reporters */
module.exports = function createProgress() {
  let told = 0
  return {
    /** @param {any} test @param {any} result of its file @param {any} all so far */
    onTestResult({ path, context }, { failureMessage }, all) {
      if (failureMessage) process.stderr.write(`FAIL ${relative(context.config.rootDir, path)}\n`)
      const done = all.numPassedTestSuites + all.numFailedTestSuites + all.numPendingTestSuites
      const tenths = Math.floor((LINES * done) / all.numTotalTestSuites)
      if (tenths === told) return
      told = tenths
      process.stderr.write(`${done} of ${all.numTotalTestSuites} files of tests\n`)
    },
  }
}

'use strict'

/** Which tests `npm test` runs: all but those below `test/e2e` that are no smokes, and but for the slow ones. */

/** End to end, a few seconds each, by real processes. */
const SMOKES = ['e2e/few-files', 'e2e/interrupt', 'e2e/notices', 'e2e/plan', 'e2e/smoke']

/** Not end to end, yet slow: they start many processes. */
const SLOW = ['bench/bench', 'bench/flips', 'cli/bad-input', 'cli/clean', 'cli/doctor', 'cli/random-arguments']

/** @param {string} name */
const patternOf = name => `<rootDir>/test/${name}.test.js`

module.exports = { smokes: SMOKES.map(patternOf), slow: SLOW.map(patternOf) }

'use strict'

/** Which tests `npm test` runs: all but those below `test/e2e` that are no smokes, and but for the slow ones. */

/** End to end, a few seconds each, by real processes. */
const SMOKES = ['e2e/notices', 'e2e/plan', 'e2e/smoke']

/** Not end to end, yet slow: they start many processes, wait for what is slow on purpose, or run other suites once more. */
const SLOW = [
  'action/node-http',
  'bench/bench',
  'flips/flips',
  'cli/bad-input',
  'cli/clean',
  'cli/coming-from',
  'cli/doctor',
  'cli/random-arguments',
  'docs/walks',
  'lib/listing/servers',
  'lib/schedule/adapting',
  'lib/schedule/sandbox-store',
  'lib/stream/upload',
  'package/consumers',
]

/** @param {string} name */
const patternOf = name => `<rootDir>/test/${name}.test.js`

/** How long each tier takes, on a machine that does nothing else. */
const TAKES = { quick: 'about 3 minutes on two cores', rest: 'about 20 minutes on two cores' }

/** How far it is, and in the end how many passed and what failed. @param {keyof TAKES} tier */
const reportersOf = tier => [['<rootDir>/test/tiers/progress.js', { takes: TAKES[tier] }], 'summary']

module.exports = { TAKES, reportersOf, smokes: SMOKES.map(patternOf), slow: SLOW.map(patternOf) }

'use strict'

/** Foreign options about lists and single objects. */

/** @type {import('./index').Row[]} */
module.exports = [
  { typed: ['--human-readable', '--si'], hints: ['Use --human, which prints sizes with a unit.'] },
  {
    typed: ['--summarize', '--total', '-s'],
    hints: [{ of: ['ls'], hint: 'Use xfer du, which adds up bytes and objects.' }],
  },
  {
    typed: ['-l', '--long', '-a', '--all', '-e', '--etag'],
    hints: [
      { of: ['ls'], hint: 'Leave it out: xfer ls prints time, size and name, and with --json all that is listed.' },
    ],
  },
  {
    typed: ['-d', '--max-depth', '--depth'],
    hints: [{ of: ['du', 'ls'], hint: 'Leave it out: one level is taken, of which LOCATION is the beginning.' }],
  },
  { typed: ['--expires-in', '--expire', '-e', '--expiry', '-d'], hints: ['Use --expires DURATION, such as 15m.'] },
  {
    typed: ['--create-bucket-configuration', '--location', '-l', '-b'],
    hints: [{ of: ['mb'], hint: 'Use --region REGION.' }],
  },
]

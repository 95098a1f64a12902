'use strict'

/** The first line of `npm test`: what it does, and how long that takes. */

const { TAKES } = require('./tiers')

process.stdout.write(`Checks format, lint and types, then runs the quick tests: ${TAKES.quick}.\n`)

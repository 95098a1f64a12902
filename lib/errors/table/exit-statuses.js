'use strict'

/** The exit statuses of the commands. */
const EXIT = Object.freeze({
  OK: 0,
  FAILED: 1,
  USAGE: 2,
  NOT_FOUND: 3,
  ACCESS: 4,
  ENGINE: 5,
  SOURCE_CHANGED: 6,
  EXISTS: 7,
  INTEGRITY: 8,
  /** As `EX_TEMPFAIL` of sysexits.h has it: to be tried again. */
  TRY_AGAIN: 75,
  /** As `timeout` of the GNU coreutils has it. */
  TIMED_OUT: 124,
  INTERRUPTED: 130,
})

module.exports = { EXIT }

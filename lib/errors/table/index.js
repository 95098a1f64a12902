'use strict'

/**
 * All errors of xfer: one class, one table.
 *
 * A row has the message (what happened), the hint (what to do), the exit status, and how the scheduler handles the error:
 *
 * - `retryable`: retry after a back-off. So is what is throttled, uncertain or shared.
 * - `throttled`: retry with a lower concurrency; the failure does not count as an attempt.
 * - `uncertain`: the invocation may have run; ask the destination before repeating it.
 * - `smaller`: an invocation with fewer parts may succeed; the larger one does not count as an attempt.
 * - `blameless`: the parts of the invocation did not cause it; the first few failures do not count as attempts.
 * - `shared`: all requests to the same store or platform may fail alike. A probe finds out whether this is an outage, which
 *   does not count as an attempt, or a failure of this request.
 * - `final`: what was copied so far is useless; the job is not kept.
 *
 * An error without a row gets the code `INTERNAL`, which is a defect of xfer. Facts (side, bucket, expected, found, …) are
 * fields of the error; no code reads a message.
 */

const { EXIT } = require('./exit-statuses')
const { resumeHint, why } = require('./phrases')
const { ACCESS, NOT_FOUND, RUN, USAGE } = require('./run')
const { INTEGRITY, STORE } = require('./store')

/**
 * @typedef {Record<string, any>} ErrorFacts
 * @typedef {object} ErrorRow
 * @property {number} exit
 * @property {(facts: ErrorFacts) => string} message
 * @property {(facts: ErrorFacts) => string} hint
 * @property {boolean} [retryable]
 * @property {boolean} [throttled]
 * @property {boolean} [uncertain]
 * @property {boolean} [smaller]
 * @property {boolean} [blameless]
 * @property {boolean} [shared]
 * @property {boolean} [final]
 * @typedef {Omit<ErrorRow, 'exit'> & Partial<Pick<ErrorRow, 'exit'>>} RowOfFile one without an exit status has that of its file
 */

/** @param {number} exit of the rows that name no other @param {Record<string, RowOfFile>} rows @returns {Record<string, ErrorRow>} */
function withExit(exit, rows) {
  const entries = Object.entries(rows).map(([code, row]) => {
    const retryable = row.throttled || row.uncertain || row.shared
    return [code, { exit, ...(retryable && { retryable }), ...row }]
  })
  return Object.fromEntries(entries)
}

/** @type {Record<string, ErrorRow>} */
const TABLE = {
  ...withExit(EXIT.USAGE, USAGE),
  ...withExit(EXIT.NOT_FOUND, NOT_FOUND),
  ...withExit(EXIT.ACCESS, ACCESS),
  ...withExit(EXIT.ENGINE, require('./engine')),
  ...withExit(EXIT.FAILED, STORE),
  ...withExit(EXIT.INTEGRITY, INTEGRITY),
  ...withExit(EXIT.FAILED, RUN),
}

module.exports = { EXIT, TABLE, resumeHint, why }

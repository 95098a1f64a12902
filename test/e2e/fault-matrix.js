'use strict'

/**
 * Every fault that the sandbox's store and platform know, at 5 % and at 30 % of the requests that it means something to, and
 * once at the worst moment, with each engine: the copy is right, or it stops with a code that says what happened, nothing
 * wrong is visible and no upload is left.
 *
 * `npm run faults` runs the whole, `npm test` a slice of it; `node test/e2e/fault-matrix.js --print` runs the whole and prints
 * what came of each, as a Markdown table.
 *
 * @typedef {Record<string, number>} Stops error codes with which a copy may stop, and the exit status of each
 *
 * @typedef {object} Row
 * @property {'store' | 'platform'} of
 * @property {string} it what happens
 * @property {string} fault the field that says so in a rule of the store or the platform
 * @property {Record<string, unknown>} rule
 * @property {string[]} [meets] operations of the store, or the platform's targets; all operations when absent
 * @property {string[]} [flags] of the command
 * @property {boolean} [replaced] the source is replaced by another object while it is copied
 * @property {boolean} [unsummed] the source keeps no checksum
 * @property {boolean} [onlyOnce] never at a share of the requests
 * @property {number} [reads] no more of its source are made; all when absent
 * @property {number} [actionTimeoutMs] of the deployed action
 * @property {Stops | ((cell: Cell) => Stops)} [once] what the copy comes to that meets it once; empty, as when absent: it is copied
 * @property {Stops} [many] what it may come to, beside being copied, when it meets it often
 * @property {Stops} [always] what it comes to in any case
 * @property {number} [boundMs] it may take so long
 * @property {boolean} [slow] too slow for every day
 *
 * @typedef {object} Cell one copy
 * @property {Row} row
 * @property {'local' | 'openwhisk'} engine
 * @property {'multipart' | 'put'} route
 * @property {string} moment
 * @property {Record<string, unknown>[]} rules for the store or the platform
 * @property {Stops} stops
 * @property {boolean} mayCopy
 * @property {string} name
 */

const { cellsOf, sliceOf } = require('./fault-matrix/cells')

/** @type {Row[]} */
const ROWS = [
  ...require('./fault-matrix/store-rows').map(row => ({ ...row, of: /** @type {const} */ ('store') })),
  ...require('./fault-matrix/platform-rows').map(row => ({ ...row, of: /** @type {const} */ ('platform') })),
]

const CELLS = ROWS.flatMap(cellsOf)

module.exports = { ROWS, CELLS, SLICE: sliceOf(ROWS, CELLS) }

if (require.main === module) require('./fault-matrix/print').print(CELLS)

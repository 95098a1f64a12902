'use strict'

/** The table of cases, in the order of the report. */

const { CORES } = require('./cores')
const { FILES } = require('./files')
const { FAR, MANY_OBJECTS, PREFIX } = require('./many-objects')
const { REAL } = require('./real-stores')
const { UPLOADS } = require('./small-uploads')
const { START_UP } = require('./start-up')
const { SYNTHETIC } = require('./synthetic')
const { WATCHING } = require('./watching')

/**
 * @typedef {object} Context
 * @property {number} runs
 * @property {number | undefined} bytes the value of `--size`
 * @property {boolean} quick small sizes, to check that the case works
 * @property {string} home a folder for the case, in memory; it is removed when the case has ended
 * @property {AbortSignal} signal
 * @property {(line: string) => void} say
 *
 * @typedef {{ rows: import('../rounds').Row[], leftOut?: string[], facts?: Record<string, any> }} Found
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {string} about what is measured, for the report
 * @property {string[]} programs that take part if they are installed
 * @property {string[]} [needs] programs without which there is nothing to measure
 * @property {(context: Context) => Promise<Found>} run
 * @property {(findings: import('../results').Findings) => import('../report').Section} tell pure
 */

/** @type {Case[]} */
const CASES = [...REAL, MANY_OBJECTS, ...FAR, PREFIX, ...FILES, ...SYNTHETIC, CORES, UPLOADS, START_UP, WATCHING]

module.exports = { CASES }

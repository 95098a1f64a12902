'use strict'

/** What a stream can show: a block that is redrawn, colours, characters beyond ASCII. Pure: the environment is an argument. */

const RED = 31
const GREEN = 32
const YELLOW = 33

/**
 * @typedef {object} Style
 * @property {boolean} live whether lines can be redrawn in place
 * @property {(text: string) => string} red for errors and failures
 * @property {(text: string) => string} yellow for notes
 * @property {(text: string) => string} green for proofs
 * @property {{ to: string, both: string, full: string, empty: string, good: string, bad: string, none: string }} signs
 */

const SIGNS = { to: '→', both: '↔', full: '█', empty: '░', good: '✓', bad: '✗', none: '–' }
const ASCII_SIGNS = { to: '->', both: '<->', full: '#', empty: '.', good: 'ok', bad: 'X', none: '-' }

/**
 * @param {NodeJS.WritableStream} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Style}
 */
function styleOf(stream, env = {}) {
  const { isTTY = false } = /** @type {{ isTTY?: boolean }} */ (stream)
  const colors = hasColors(isTTY, env)
  const paint = (/** @type {number} */ color) => (/** @type {string} */ text) =>
    colors ? `\x1b[${color}m${text}\x1b[39m` : text
  return {
    live: isTTY && env.TERM !== 'dumb',
    red: paint(RED),
    yellow: paint(YELLOW),
    green: paint(GREEN),
    signs: isUtf8(env) ? SIGNS : ASCII_SIGNS,
  }
}

/**
 * https://no-color.org, https://force-color.org, https://bixense.com/clicolors/
 *
 * @param {boolean} isTTY
 * @param {NodeJS.ProcessEnv} env
 */
function hasColors(isTTY, { NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM }) {
  if (NO_COLOR) return false
  if (FORCE_COLOR === '0' || CLICOLOR === '0') return false
  if (FORCE_COLOR || (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0')) return true
  return isTTY && TERM !== 'dumb'
}

/**
 * Only a locale that names another character set is believed: many containers have none, and terminals that show UTF-8.
 * https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
 *
 * @param {NodeJS.ProcessEnv} env
 */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }) {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

module.exports = { styleOf }

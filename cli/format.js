'use strict'

/**
 * How texts are shown to people: numbers in words, lines cut and wrapped to a width, colours and signs that a stream can show.
 * The environment is an argument.
 */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** @param {number} bytes @returns {string} three significant digits at least: `1.00 GiB`, `100 MiB`, `512 B` */
function formatBytes(bytes) {
  let value = bytes
  let unit = 0
  // From 1023.5 on, rounding would give 1,024 of the smaller unit.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}

/** @param {number} bytesPerSecond */
function formatRate(bytesPerSecond) {
  return `${formatBytes(bytesPerSecond)}/s`
}

/** @param {number} perSecond */
function formatPace(perSecond) {
  return `${formatCount(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))} objects/s`
}

/** A number and its unit, which are read as one. */
const MEASURE =
  /\d[\d,.]* (?:(?:[KMGTP]iB|B|objects)(?:\/s)?|ms|min \d\d s|h \d\d min|d \d+ h|min|[shd]|%)(?![\p{L}\p{N}/])/gu

/** @param {string} text @returns {string[]} its pieces: each second one is a number with its unit, which no line may break */
function measures(text) {
  const found = [...text.matchAll(MEASURE)]
  const ends = [0, ...found.map(({ 0: one, index }) => index + one.length)]
  return [...found.flatMap(({ 0: one, index }, at) => [text.slice(ends[at], index), one]), text.slice(ends.at(-1))]
}

/** @param {number} ms @returns {string} `850 ms`, `4.2 s`, `1 min 05 s`, `2 h 10 min`, `3 d 4 h` */
function formatDuration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const s = Math.round(ms / 1000)
  if (s < 3600) return `${Math.floor(s / 60)} min ${pad(s % 60)} s`
  const min = Math.round(s / 60)
  if (min < 48 * 60) return `${Math.floor(min / 60)} h ${pad(min % 60)} min`
  const h = Math.round(min / 60)
  return `${Math.floor(h / 24)} d ${h % 24} h`
}

/**
 * The longer, the coarser, because it is an estimate: in seconds, then in tens of seconds, in minutes, in tens of minutes.
 *
 * @param {number} ms
 */
function formatEta(ms) {
  const s = Math.ceil(ms / 1000)
  if (s < 60) return `${s} s`
  const step = s < 600 ? 10 : s < 3600 ? 60 : s < 48 * 3600 ? 600 : 3600
  const rounded = Math.ceil(s / step) * step
  return rounded >= 600 && rounded < 3600 ? `${rounded / 60} min` : formatDuration(rounded * 1000)
}

/** In whole seconds. @param {number} ms */
function formatElapsed(ms) {
  const s = Math.floor(ms / 1000)
  return s < 60 ? `${s} s` : formatDuration(s * 1000)
}

/** @param {number} n */
function pad(n) {
  return String(n).padStart(2, '0')
}

/** @param {number} n */
function formatCount(n) {
  return n.toLocaleString('en-US')
}

/** @param {number} count @param {string} noun */
function plural(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** @param {Record<string, number>} numbers by what is counted @returns {string[]} such as `3 skipped`; nothing of what there is none of */
function counted(numbers) {
  return Object.entries(numbers).flatMap(([what, many]) => (many > 0 ? [`${formatCount(many)} ${what}`] : []))
}

/** Control characters, and those that change the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Escapes what could control a terminal: keys, and what stores answer, may hold any character. @param {string} text */
function printable(text) {
  return text.replace(UNPRINTABLE, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** @param {object} event @returns {string} JSON on one line; characters that could control a terminal are escaped */
function jsonLine(event) {
  return printable(JSON.stringify(event))
}

/** Characters that take no column: marks that combine with the one before, and those of formatting. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u
/** Characters that take two: those that East Asia writes wide, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const PLAIN = /^[\x20-\x7e]*$/

/** @param {string} char one code point */
function widthOfChar(char) {
  if (ZERO.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

/** @param {string} text without control characters @returns {number} columns */
function widthOf(text) {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += widthOfChar(char)
  return width
}

/** @param {string} text @param {number} columns @returns {string} its beginning, of at most so many columns */
function cut(text, columns) {
  let width = 0
  let kept = ''
  for (const char of text) {
    width += widthOfChar(char)
    if (width > columns) break
    kept += char
  }
  return kept
}

/**
 * @param {string[]} items
 * @param {number} columns
 * @returns {string[]} lines of items, two spaces between them; only an item that is longer than a line is cut
 */
function wrap(items, columns) {
  /** @type {string[]} */
  const lines = []
  for (const item of items) {
    const longer = `${lines.at(-1)}  ${item}`
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(cut(item, columns))
  }
  return lines
}

/** What a message begins with; its further lines are indented as far. */
const LABEL = /^ *(?:(?:xfer|Failed|Note|Proof): )?/
/** Narrower texts are left to the terminal. */
const LEAST_TEXT = 20

/**
 * @param {string} line a message
 * @param {number} columns
 * @returns {string[]} lines of whole words; a word that is longer than a line is left as it is, so that it can be copied
 */
function wrapWords(line, columns) {
  const [label] = /** @type {RegExpMatchArray} */ (line.match(LABEL))
  if (widthOf(line) <= columns || columns - label.length < LEAST_TEXT) return [line]
  const [first, ...words] = line.slice(label.length).split(' ')
  const lines = [label + first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(' '.repeat(label.length) + word)
  }
  return lines
}

/** @param {string[]} lines @param {number} columns of the terminal @returns {number} how many rows they take */
function rowsOf(lines, columns) {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
}

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
    red: paint(31),
    yellow: paint(33),
    green: paint(32),
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

module.exports = {
  counted,
  cut,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatEta,
  formatPace,
  formatRate,
  jsonLine,
  measures,
  plural,
  printable,
  rowsOf,
  styleOf,
  widthOf,
  wrap,
  wrapWords,
}

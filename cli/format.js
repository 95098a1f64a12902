'use strict'

/** Formats numbers for people: sizes and rates in binary units, durations in words. */

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

module.exports = {
  counted,
  formatBytes,
  formatRate,
  formatDuration,
  formatElapsed,
  formatEta,
  formatCount,
  jsonLine,
  plural,
  printable,
}

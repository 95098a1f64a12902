'use strict'

/** Generates names by their number, in the order in which stores list them. Any number of names, and none is stored. */

/** @param {number} n @param {number} width */
const digits = (n, width) => String(n).padStart(width, '0')

/** Mixes the bits of a number. @param {number} n */
const mixed = n => (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')

const DAYS = 3_650
const HOURS = 24
/** In the order of code points, which is not that of UTF-16. */
const WORDS = ['Zürich', 'Ärzte', 'дом', 'ไทย', '日本', '\ufb01sh', '😀', '\u{1f9d1}']

/** @type {Record<string, (n: number, count: number) => string>} */
const SHAPES = {
  numbers: n => digits(n, 9),
  days(n, count) {
    const perHour = Math.ceil(count / (DAYS * HOURS))
    const hour = Math.floor(n / perHour)
    const day = Math.floor(hour / HOURS)
    const [year, month] = [2016 + Math.floor(day / 365), 1 + Math.floor((day % 365) / 31)]
    const folder = [year, digits(month, 2), digits(1 + ((day % 365) % 31), 2), digits(hour % HOURS, 2)].join('/')
    return `${folder}/part-${digits(n % perHour, 6)}-${mixed(n)}.parquet`
  },
  hashes(n, count) {
    return `${digits(0, 12)}${Math.floor((n * 2 ** 48) / count).toString(16)}`.slice(-12) + mixed(n)
  },
  deep: n => `customers/europe/germany/berlin/archive/originals/scan-${digits(n, 9)}.tiff`,
  words(n, count) {
    const each = Math.ceil(count / WORDS.length)
    return `${WORDS[Math.floor(n / each)]}/${digits(n % each, 9)}`
  },
}

module.exports = { SHAPES }

'use strict'

/**
 * The grammar of sizes, rates and durations, for all options and commands: a number, which may have a fraction, and a unit.
 * A number without a unit has the unit of its option. docs/reference/options.md lists the units from these tables.
 *
 * - Bytes: `K`, `Ki` and `KiB` are binary, `kB` is decimal. The case of the letter does not matter, that of `B` does: `b`
 *   means bits to many, so it is refused.
 * - Durations: one or several numbers with units, the longest first, such as `1h30m`. Case does not matter, except for `M`,
 *   which means months to some, so it is refused.
 */

const LETTERS = 'KMGTP'

/** By unit, in bytes. @type {ReadonlyMap<string, number>} */
const BYTES = new Map([
  ['B', 1],
  ...[...LETTERS].flatMap(
    (letter, i) =>
      /** @type {Array<[string, number]>} */ ([
        [letter, 1024 ** (i + 1)],
        [`${letter}i`, 1024 ** (i + 1)],
        [`${letter}iB`, 1024 ** (i + 1)],
        [`${letter}B`, 1000 ** (i + 1)],
      ]),
  ),
])

/** By unit, in milliseconds; the longest first. @type {ReadonlyMap<string, number>} */
const MILLISECONDS = new Map([
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
])

const NUMBER = '(?:\\d+(?:\\.\\d+)?|\\.\\d+)'
const AMOUNT = new RegExp(`^(${NUMBER})\\s*([A-Za-z]*)$`)
const PIECE = new RegExp(`(${NUMBER})\\s*([A-Za-z]+)\\s*`, 'y')
const BITS = new RegExp(`^(${NUMBER})\\s*([kmgtpKMGTP]?)i?(b|[bB]its?|bps)$`)
/** Digits, something that separates thousands or begins a fraction in some countries, and digits again. */
const SEPARATED = /\d[,_'’\s]\d/

/** What a text says: how many (bytes or milliseconds), or what is wrong with it. `advice` is absent if nothing better is known than the option's own. */
/** @typedef {{ amount: number, bare: boolean } | { amount?: undefined, says?: string, advice?: string }} Reading */

/**
 * @param {string} text without blanks at its ends
 * @param {number} [perUnit] bytes of the unit that a bare number has
 * @returns {Reading} bytes, not rounded
 */
function readBytes(text, perUnit = 1) {
  const [, number, unit] = AMOUNT.exec(text) ?? []
  if (number === undefined) return separated(text)
  if (unit === '') return { amount: Number(number) * perUnit, bare: true }
  const bytes = BYTES.get(
    unit.replace(/^[kmgtp]I?/i, letters => letters[0].toUpperCase() + letters.slice(1).toLowerCase()),
  )
  return bytes === undefined ? readBits(text) : { amount: Number(number) * bytes, bare: false }
}

/** What to write instead of a `b` that may mean bits or bytes. @param {string} text @returns {Reading} */
function readBits(text) {
  const [, number, letter, bit] = BITS.exec(text) ?? []
  if (number === undefined) return {}
  const upper = letter.toUpperCase()
  const bits = `${trimmed(Number(number) / 8)}${upper}B`
  if (bit !== 'b')
    return { says: 'is in bits, and xfer counts bytes', advice: `Give ${bits}, which is the same in bytes.` }
  const binary = upper === '' ? '' : ` (or ${number}${upper}iB, with powers of 1024)`
  return {
    says: 'is ambiguous: b means bits to some and bytes to others',
    advice: `Give ${number}${upper}B for bytes${binary}, or ${bits} if you mean bits.`,
  }
}

/** @param {string} text without blanks at its ends @param {number} [perUnit] milliseconds of the unit that a bare number has @returns {Reading} milliseconds, not rounded */
function readMilliseconds(text, perUnit) {
  if (new RegExp(`^${NUMBER}$`).test(text)) {
    if (perUnit !== undefined) return { amount: Number(text) * perUnit, bare: true }
    if (Number(text) === 0) return { amount: 0, bare: true }
    return { says: 'lacks a unit', advice: `Say which one you mean: ${text}s, ${text}m, ${text}h or ${text}d.` }
  }
  if (text === '') return {}
  let amount = 0
  let last = Number.POSITIVE_INFINITY
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at
    const [, number, unit] = PIECE.exec(text) ?? []
    if (number === undefined) return separated(text)
    if (unit === 'M') {
      const advice = `Give ${number}m for minutes, or months in days, such as 30d.`
      return { says: 'is ambiguous: M means minutes to some and months to others', advice }
    }
    const ms = MILLISECONDS.get(unit.toLowerCase())
    if (ms === undefined || ms >= last) return {}
    amount += Number(number) * ms
    last = ms
  }
  return { amount, bare: false }
}

/** @param {string} text that has no number and unit @returns {Reading} */
function separated(text) {
  if (!SEPARATED.test(text)) return {}
  const advice = 'Write a number with digits alone, and its fraction after a point: 1500, 1.5.'
  return { says: 'has a separator between its digits', advice }
}

/** @param {number} number @returns {string} with three digits after the point at most */
function trimmed(number) {
  return String(Number(number.toFixed(3)))
}

module.exports = { BYTES, MILLISECONDS, readBytes, readMilliseconds }

'use strict'

/**
 * Guesses the headers of the next object below a prefix from the last ones: neighbouring objects were mostly written by
 * one program, and names with the same ending have one content type. Pure.
 */

/** Number of last guesses that count. */
const REMEMBERED = 20
/** If a smaller share of the guesses is right, guessing costs more than a HEAD. */
const WORTH_IT = 0.5
/** Up to this size a read costs no more than a HEAD. */
const CHEAP_BYTES = 256 * 1024
/** Endings of names that are remembered, each with the headers that it was last found with. */
const MOST_ENDINGS = 256
const ENDING = /\.([^./]{1,16})$/

/** @typedef {Record<string, string>} Headers the headers that describe an object, names in lower case */

function createGuess() {
  /** The last headers of any object; at first the usual default of stores. @type {Headers} */
  let last = { 'content-type': 'binary/octet-stream' }
  /** @type {Map<string, Headers>} */
  const byEnding = new Map()
  /** @type {boolean[]} */
  let right = []

  return {
    /** @param {string} name @returns {Headers} */
    headers: name => byEnding.get(endingOf(name)) ?? last,

    /** Whether to read with a guess, instead of a HEAD first. @param {number} bytes of the object */
    worthIt: bytes =>
      bytes <= CHEAP_BYTES || right.length === 0 || right.filter(Boolean).length / right.length >= WORTH_IT,

    /** @param {string} name @param {Headers} found */
    learn(name, found) {
      last = found
      const ending = endingOf(name)
      if (byEnding.has(ending) || byEnding.size < MOST_ENDINGS) byEnding.set(ending, found)
    },

    /** Records whether a guess was right, or would have been. @param {boolean} asGuessed */
    was(asGuessed) {
      right = [...right.slice(1 - REMEMBERED), asGuessed]
    },
  }
}

/** @param {string} name @returns {string} in lower case; '' if it has none */
function endingOf(name) {
  return ENDING.exec(name)?.[1].toLowerCase() ?? ''
}

module.exports = { createGuess }

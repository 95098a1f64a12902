'use strict'

/**
 * What the next object below a prefix is like, as far as the last ones tell: what stands together was mostly written by one
 * program, and what ends alike has one content type. Pure.
 */

/** Of the last so many. */
const REMEMBERED = 20
/** A guess that is right so seldom costs more than asking. */
const WORTH_IT = 0.5
/** Of what is no larger the read is as cheap as asking is. */
const CHEAP_BYTES = 256 * 1024
/** Endings of names, each with what it was found with last. */
const MOST_ENDINGS = 256
const ENDING = /\.([^./]{1,16})$/

/** @typedef {Record<string, string>} Headers describing ones, names in lower case */

function createGuess() {
  /** Of all: what stores give an object of which nothing was said, to begin with. @type {Headers} */
  let last = { 'content-type': 'binary/octet-stream' }
  /** @type {Map<string, Headers>} */
  const byEnding = new Map()
  /** @type {boolean[]} */
  let right = []

  return {
    /** @param {string} name @returns {Headers} */
    headers: name => byEnding.get(endingOf(name)) ?? last,

    /** Whether to read by it, or to ask first. @param {number} bytes of the object */
    worthIt: bytes =>
      bytes <= CHEAP_BYTES || right.length === 0 || right.filter(Boolean).length / right.length >= WORTH_IT,

    /** @param {string} name @param {Headers} found */
    learn(name, found) {
      last = found
      const ending = endingOf(name)
      if (byEnding.has(ending) || byEnding.size < MOST_ENDINGS) byEnding.set(ending, found)
    },

    /** Whether a guess was right, or would have been. @param {boolean} asGuessed */
    was(asGuessed) {
      right = [...right.slice(1 - REMEMBERED), asGuessed]
    },
  }
}

/** @param {string} name @returns {string} in lower case; '' where it has none */
function endingOf(name) {
  return ENDING.exec(name)?.[1].toLowerCase() ?? ''
}

module.exports = { createGuess }

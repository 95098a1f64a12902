'use strict'

/** What a generated page begins with, so that nobody edits it. */
const NOTE = '<!-- Made by `npm run docs` from the tables in the code; do not edit. -->'

/** Of generated types that nobody reads line by line. */
const UNFORMATTED = '// biome-ignore-all format: a program made it\n'

/** Words in lines of 118 characters at most. @param {string[]} words which stay whole @returns {string} */
function inLines(words) {
  const text = words.map(word => word.replaceAll(' ', '\0')).join(' ')
  return text.replace(/(.{1,115}\S)(?: |$)/g, '  $1\n').replaceAll('\0', ' ')
}

module.exports = { NOTE, UNFORMATTED, inLines }

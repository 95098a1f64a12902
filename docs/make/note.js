'use strict'

/** The second line of every page that is made. */
const NOTE = '<!-- Made by `npm run docs` from the tables in the code; do not edit. -->'

module.exports = { NOTE }

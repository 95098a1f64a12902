'use strict'

/** Measures a store before a migration: numbers.js says what the samples mean, measure.js is the story. */

module.exports = {
  ...require('./compare'),
  ...require('./measure'),
  ...require('./numbers'),
  ...require('./place'),
}

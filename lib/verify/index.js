'use strict'

/** Proofs by reading: of a copy, and of two objects that are compared. */

module.exports = {
  ...require('./compare'),
  ...require('./read'),
  ...require('./read-back'),
}

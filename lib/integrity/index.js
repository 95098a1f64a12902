'use strict'

/**
 * Checksums, ETags, and what proves that a copy is right: arithmetic and judgement, without any request.
 * docs/integrity.md says what each proof is worth.
 */

module.exports = {
  ...require('./evidence'),
  ...require('./source'),
  ...require('./sums'),
}

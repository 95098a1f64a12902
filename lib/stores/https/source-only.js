'use strict'

/** The members of a store that a source does not need: each throws. A destination is refused before, by place.js. */

/**
 * @param {Record<string, any>} facts
 * @returns {Pick<import('../contract').Store, 'put' | 'upload' | 'remove' | 'removeAll'>}
 */
function sourceOnly({ protocol }) {
  const never = async () => {
    throw new TypeError(`${protocol} is a source only.`)
  }
  const upload = { create: never, part: never, parts: never, complete: never, abort: never, pending: never }
  return { put: never, upload, remove: never, removeAll: never }
}

module.exports = { sourceOnly }

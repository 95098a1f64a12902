'use strict'

const { XferError } = require('../errors')

/**
 * A key is any text: `./`, `../`, `//` and `\\` have no special meaning. But there are servers that write another object than the one
 * named, without an error: of those that are known to, the store refuses such keys before anything is written.
 *
 * @param {Pick<import('../job/contract').Side, 'store' | 'key'>} destination whose server has told its name
 * @throws {XferError} KEY_INVALID
 */
function checkKey({ store, key }) {
  const reason = store.keyFault?.(key)
  if (reason !== undefined) throw new XferError('KEY_INVALID', { ...store.facts, key, reason })
}

module.exports = { checkKey }

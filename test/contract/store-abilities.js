'use strict'

/** Of the store contract: what its suites ask of a store's abilities. */

const { createSums } = require('../../actions/copy-range/sums')

const NO_METADATA = { headers: {}, user: {} }

/** Whether it keeps the CRC-32 that an object is written with. @param {import('../../lib/types').Store} store */
const hasSums = ({ can }) => can.sums.stored.includes('crc32')

/**
 * The checksums in the answer to a write, of those that the store declares.
 *
 * @param {import('../../lib/types').Store} store
 * @param {Record<string, string>} headers of the answer, as a function reports them
 */
function answersOf(store, headers) {
  const { answered = {} } = store.readWritten(headers)
  return Object.fromEntries(store.can.sums.answered.map(sum => [sum, answered[sum]]))
}

/** What these have to be. @param {import('../../lib/types').Store} store @param {Buffer} bytes */
function expectedAnswers({ can }, bytes) {
  const sums = createSums([...can.sums.answered])
  sums.update(bytes)
  return sums.digest()
}

module.exports = { NO_METADATA, answersOf, expectedAnswers, hasSums }

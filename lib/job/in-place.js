'use strict'

const { XferError } = require('../errors')
const { notice } = require('../notices')

/**
 * For a destination whose writes change an object from the first byte on: says so, and refuses what it cannot keep.
 *
 * @param {Pick<import('./open').Side, 'store' | 'text'>} destination
 * @param {import('../types').WriteCondition} condition
 * @param {(event: import('../types').Notice) => void} emit
 * @throws {XferError} USAGE if a condition was given
 */
function beginInPlace({ store, text }, { ifNoneMatch, ifMatch }, emit) {
  if (!store.can.inPlace) return
  if (ifNoneMatch || ifMatch !== undefined) {
    throw new XferError('USAGE', {
      text: '--inplace goes neither with --no-clobber nor with --ignore-existing or --if-match: it writes into what is there, and what it leaves half written would count as there.',
      advice: 'Leave one of the two out.',
    })
  }
  emit(notice('WRITES_IN_PLACE', { location: text }))
}

module.exports = { beginInPlace }

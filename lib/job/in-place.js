'use strict'

const { XferError } = require('../errors')
const { notice } = require('../notices')

/**
 * For a destination whose writes change an object from the first byte on: says so, and refuses what it cannot keep.
 *
 * @param {Pick<import('./open').Side, 'store' | 'text'>} destination
 * @param {{ condition: import('../types').WriteCondition, sizeOnly?: boolean }} how
 * @param {(event: import('../types').Notice) => void} emit
 * @throws {XferError} USAGE if a condition was given, or sizes alone are compared
 */
function beginInPlace({ store, text }, { condition: { ifNoneMatch, ifMatch }, sizeOnly }, emit) {
  if (!store.can.inPlace) return
  if (ifNoneMatch || ifMatch !== undefined) {
    throw new XferError('USAGE', {
      text: '--inplace goes neither with --no-clobber nor with --ignore-existing or --if-match: it writes into what is there, and what it leaves half written would count as there.',
      advice: 'Leave one of the two out.',
    })
  }
  if (sizeOnly) {
    throw new XferError('USAGE', {
      text: '--inplace does not go with --size-only: what it leaves half written has its final size already, and would be skipped.',
      advice: 'Leave one of the two out.',
    })
  }
  emit(notice('WRITES_IN_PLACE', { location: text }))
}

module.exports = { beginInPlace }

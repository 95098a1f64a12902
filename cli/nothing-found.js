'use strict'

const lib = require('../lib')

/**
 * Nothing begins with a location. An empty container is no error.
 *
 * @param {string} location as it was typed
 * @throws {import('../lib/types').XferError} NOTHING_FOUND
 */
function checkFound(location) {
  const { parsePlace, placeText } = require('../lib/stores')
  const place = parsePlace(location, 'source', { containerAlone: true, accountAlone: true })
  if (place.key === '') return
  const path = place.scheme === 'file' && { path: true }
  throw new lib.XferError('NOTHING_FOUND', { location: placeText(place), pattern: /[*?]/.test(place.key), ...path })
}

module.exports = { checkFound }

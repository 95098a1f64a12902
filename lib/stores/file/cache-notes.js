'use strict'

/** Remembers whether what was read of the destination came from the disk. */

const { notice } = require('../../notices')

/** @param {import('./paths').Paths} paths @returns {Required<Pick<import('../contract').Store, 'noteRead' | 'notices'>>} */
function createCacheNotes({ root }) {
  let cached = false
  return {
    noteRead(headers) {
      if (headers['x-cache'] === 'used') cached = true
    },
    notices: () => (cached ? [notice('READ_FROM_CACHE', { location: root })] : []),
  }
}

module.exports = { createCacheNotes }

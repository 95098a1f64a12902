'use strict'

/**
 * Normalizes an ETag for comparison: some stores return weak ones, some leave out the quotes.
 * @param {string} etag
 */
function bareEtag(etag) {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
}

module.exports = { bareEtag }

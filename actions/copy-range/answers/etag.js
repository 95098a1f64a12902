'use strict'

/**
 * An ETag in the form in which ETags are compared: some stores answer weak ones, some leave the quotes out.
 * @param {string} etag
 */
function bareEtag(etag) {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
}

module.exports = { bareEtag }

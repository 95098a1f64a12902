'use strict'

/**
 * What metadata a blob can have.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#metadata-names
 */

/** Names of metadata are identifiers of C#, of which headers can hold those of ASCII. */
const IDENTIFIER = /^[a-z_][a-z0-9_]*$/i

/** Of the headers that describe content, `expires` is none. */
const CONTENT_HEADERS = ['content-type', 'cache-control', 'content-encoding', 'content-language', 'content-disposition']

/** @type {NonNullable<import('../contract').Store['metadataFault']>} */
function metadataFault(name) {
  return IDENTIFIER.test(name) ? undefined : 'is no identifier (letters, digits and _, no digit first)'
}

module.exports = { CONTENT_HEADERS, IDENTIFIER, metadataFault }

'use strict'

/** What proves a copy that the store made by itself: what it keeps of both objects. Pure. */

const { md5EtagOf, sameEtag } = require('../../integrity')

/** @typedef {import('../../types').Proof} Proof */

/**
 * No byte was seen, so nothing is known that the store does not tell: a checksum that it computed of the copy and one that
 * it keeps of the source, or two ETags. Without them there is its word, and the size.
 *
 * @param {object} copied
 * @param {import('../../types').ObjectHead} copied.source
 * @param {string} copied.etag
 * @param {string} [copied.storedCrc32] base64, of the whole object
 * @param {Proof[]} [copied.proofs] what was found out by reading
 * @returns {Proof[]} at least one
 */
function proofsOfCopied({ source, etag, storedCrc32, proofs: found = [] }) {
  /** @type {Proof[]} */
  const proofs = []
  if (source.checksum?.type === 'FULL_OBJECT' && source.checksum.crc32 === storedCrc32) proofs.push('stored-crc32')
  if (md5EtagOf(source) && sameEtag(source.etag, etag)) proofs.push('source-etag')
  proofs.push(...found)
  return proofs.length > 0 ? proofs : ['store']
}

module.exports = { proofsOfCopied }

'use strict'

/**
 * `--checksum`: compares the stored checksums and ETags of both objects if their listings do not show whether they are
 * equal. A CRC counts only if its store is known to check it; otherwise it may be an echo of what was sent. An MD5 counts as an
 * ETag does, also where it is what the writer said: other programs take it for the object's, too.
 */

const { compareContents, only, trustedHead } = require('../../integrity')
const { acceptGone, look } = require('../../destination')

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {string} name
 * @returns {Promise<'gone' | 'equal' | 'different' | 'unknown'>} gone: deleted from the source since it was listed;
 *   unknown: the stores report nothing that can be compared
 * @throws {import('../../types').XferError} the stores' errors
 */
async function compareStored({ source, destination, run: { cancel: signal } }, name) {
  const [from, to] = await Promise.all([
    source.store.head(source.key + name, { signal }).catch(acceptGone),
    look({ store: destination.store, key: destination.key + name }, signal),
  ])
  if (!from) return 'gone'
  if (!to.object) return 'unknown'
  return compareContents(comparable(from, source.store), comparable(to.object, destination.store))
}

/** @param {import('../../types').ObjectHead} head @param {import('../../types').Store} store @returns {import('../../types').ObjectHead} */
function comparable(head, { can }) {
  const trusted = trustedHead(head, can)
  return { ...trusted, sums: { ...trusted.sums, ...only(head.sums, ['md5']) } }
}

module.exports = { compareStored }

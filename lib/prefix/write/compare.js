'use strict'

/**
 * `--checksum`: compares the stored checksums and ETags of both objects if their listings do not show whether they are
 * equal. A checksum counts only if its store is known to check it; otherwise it may be an echo of what was sent.
 */

const { compareContents, trustedHead } = require('../../integrity')
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
  const [one, other] = [trustedHead(from, source.store.can), trustedHead(to.object, destination.store.can)]
  return compareContents(one, other)
}

module.exports = { compareStored }

'use strict'

/**
 * `--checksum`: both objects are asked for what they keep of their bytes, where their lists do not tell whether they are alike. A
 * checksum counts only where its store is known to check it: elsewhere it may be an echo.
 */

const { checksCrc32, isSameObject, trustedHead } = require('../../integrity')
const { acceptGone, look } = require('../../destination')

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {string} name
 * @returns {Promise<'alike' | 'gone' | 'unlike'>} gone: from the source, since it was listed; unlike: or nothing tells that
 *   they are alike
 * @throws {import('../../types').XferError} what the stores say
 */
async function compareStored({ source, destination, run: { cancel: signal } }, name) {
  const [from, to] = await Promise.all([
    source.store.head(source.key + name, { signal }).catch(acceptGone),
    look({ store: destination.store, key: destination.key + name }, signal),
  ])
  if (!from) return 'gone'
  if (!to.object) return 'unlike'
  const [one, other] = [
    trustedHead(from, checksCrc32(source.store)),
    trustedHead(to.object, checksCrc32(destination.store)),
  ]
  return isSameObject(one, other) ? 'alike' : 'unlike'
}

module.exports = { compareStored }

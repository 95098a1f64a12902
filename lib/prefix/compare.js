'use strict'

/** `--checksum`: both objects are asked for what they keep of their bytes, where their lists do not tell whether they are alike. */

const { isSameObject } = require('../integrity')
const { acceptGone, look } = require('../settle')

/**
 * @param {Pick<import('../job').Job, 'source' | 'destination' | 'stopping'>} job of the prefix
 * @param {string} name
 * @returns {Promise<'alike' | 'gone' | 'unlike'>} gone: from the source, since it was listed; unlike: or nothing tells that
 *   they are alike
 * @throws {import('../types').XferError} what the stores say
 */
async function compareStored({ source, destination, stopping: signal }, name) {
  const [from, to] = await Promise.all([
    source.store.head(source.key + name, { signal }).catch(acceptGone),
    look({ store: destination.store, key: destination.key + name }, signal),
  ])
  if (!from) return 'gone'
  return to.object && isSameObject(from, to.object) ? 'alike' : 'unlike'
}

module.exports = { compareStored }

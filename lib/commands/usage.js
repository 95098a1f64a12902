'use strict'

/** `xfer du`: how many bytes and objects are below a location, in all and by prefix of one level. */

const { askHandler } = require('../async')
const { ask } = require('../job')
const { objectsOf, walk } = require('../listing')
const { placeText } = require('../stores')

/** @typedef {import('../types').Usage} Usage */
/** @typedef {import('../types').PrefixUsage} PrefixUsage */

const DELIMITER = '/'

/**
 * Adds up the objects whose keys begin with that of the location. If the prefixes are told, the list is read in its order, so
 * that each is told once, when it is complete; else many ranges of it are read at once.
 *
 * @param {string} location `s3://bucket/prefix`; the key is the beginning of keys, and may be empty
 * @param {import('../types').UsageOptions} [options]
 * @returns {Promise<Usage>}
 * @throws {import('../types').XferError}
 */
async function usage(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'usage', text: location, side: 'source', as: 'beginning' })
  return await ask(asked, options, async ({ place, end, run }) => {
    const total = { bytes: 0, objects: 0 }
    const { onPrefix } = options
    const groups = onPrefix && createGroups(end.key, key => ({ location: placeText({ ...place, key }), key }))
    const lists = groups ? 1 : undefined
    for await (const step of walk({ source: end, lists, signal: run.cancel })) {
      for (const { key, bytes } of objectsOf(step)) {
        total.bytes += bytes
        total.objects++
        const complete = groups?.add(key, bytes)
        // It is waited for, so that a slow reader slows the count.
        if (onPrefix && complete) await askHandler('onPrefix', onPrefix, complete)
      }
    }
    const last = groups?.last()
    if (onPrefix && last) await askHandler('onPrefix', onPrefix, last)
    return { location: end.text, ...total }
  })
}

/**
 * Adds up the prefixes of one level, one at a time: keys come in order.
 *
 * @param {string} prefix the beginning of the keys
 * @param {(key: string) => { location: string, key: string }} placed
 */
function createGroups(prefix, placed) {
  const level = prefix.lastIndexOf(DELIMITER) + 1
  /** @type {PrefixUsage | undefined} */
  let open
  return {
    /** @param {string} key @param {number} bytes @returns {PrefixUsage | undefined} the prefix before, which is complete now */
    add(key, bytes) {
      const at = key.indexOf(DELIMITER, prefix.length)
      const below = at < 0 ? undefined : key.slice(0, at + 1)
      if (open && below === open.key) {
        open.bytes += bytes
        open.objects++
        return undefined
      }
      const complete = open
      open = below === undefined ? undefined : { ...placed(below), name: below.slice(level), bytes, objects: 1 }
      return complete
    },
    last: () => open,
  }
}

module.exports = { usage }

'use strict'

/** `xfer presign`: a URL with which anybody may read an object for some time. */

const { usage } = require('../errors')
const { ask, headObject } = require('../job')
const { readerOf } = require('../options')

/**
 * The object is asked for first: so the URL is signed for the right region, by the store's clock, and with credentials that may
 * read it.
 *
 * @param {string} location `s3://bucket/key`
 * @param {import('../types').PresignOptions} [options]
 * @returns {Promise<import('../types').Presigned>}
 * @throws {XferError} NO_SUCH_KEY, ACCESS_DENIED; USAGE if the store or the credentials cannot sign such a URL
 */
async function presign(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'presign', text: location, side: 'source' })
  return await ask(asked, options, async ({ end, run: { cancel: signal } }) => {
    const lifeMs = readerOf('presign', options)('expires')
    const { store, key, versionId, text } = end
    if (!store.presign) {
      const advice = 'Give an object of a store that signs requests.'
      throw usage(`There are no signed URLs of ${text}.`, advice)
    }
    await headObject(end, signal, { below: 'list' })
    return { location: text, ...(await store.presign({ key, versionId, lifeMs })) }
  })
}

module.exports = { presign }

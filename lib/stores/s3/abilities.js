'use strict'

/** What a store that speaks S3 can do: known by its host, or learnt from the name that its answers give. */

const { isLoopback } = require('../../http')
const { isKnownToCheck } = require('./checking')
const { isAws } = require('./conditions')
const { isKnownToKeep } = require('./keeping')

/**
 * @param {object} of
 * @param {string} of.host
 * @param {boolean} of.listsUploadsByPrefix no endpoint was named: AWS's own
 * @param {boolean} of.keyed its requests carry a customer's own key
 * @param {() => string | undefined} of.server as its answers name it; undefined before the first
 * @returns {import('../contract').Abilities} read anew each time, for the store may have answered meanwhile
 */
function abilities({ host, keyed, listsUploadsByPrefix, server }) {
  return {
    reach: isLoopback(host) ? 'local' : 'network',
    keyed,
    listsUploadsByPrefix,
    sumAt: 'trailer',
    partTag: 'md5',
    sums: {
      stored: ['crc32'],
      get checked() {
        return isKnownToCheck({ host, server: server() }) ? /** @type {const} */ (['crc32']) : []
      },
    },
    serverCopy: {
      conditional: isAws(host),
      get keepsExpires() {
        return server() !== 'MinIO'
      },
    },
    get keepsMetadata() {
      return isKnownToKeep({ host, server: server() })
    },
    get hidesBelow() {
      return server() === 'MinIO'
    },
  }
}

module.exports = { abilities }

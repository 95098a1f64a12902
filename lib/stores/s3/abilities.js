'use strict'

/** The abilities of a store that speaks S3: what its profile says of its server. */

const { isLoopback } = require('../../http')

/**
 * @param {object} of
 * @param {string} of.host
 * @param {boolean} of.listsUploadsByPrefix true for AWS without a custom endpoint
 * @param {boolean} of.keyed its requests carry a customer key (SSE-C)
 * @param {() => import('./profiles').Facts} of.profile
 * @param {Pick<import('./dialect').Dialect, 'abilities'>} of.dialect
 * @returns {import('../contract').Abilities} read it anew each time: abilities are learned from answers
 */
function abilities({ host, keyed, listsUploadsByPrefix, profile, dialect }) {
  /** @type {import('../contract').Abilities} */
  const usual = {
    reach: isLoopback(host) ? 'local' : 'network',
    ...(keyed && {
      secret: { name: "customer's own key (SSE-C)", advice: 'Copy with --engine local, on this machine.' },
    }),
    listsUploadsByPrefix,
    get sumAt() {
      return profile().sums === 'refused' ? 'none' : 'trailer'
    },
    partTag: 'md5',
    get classes() {
      return profile().classes
    },
    get ignoresConditions() {
      return profile().conditions === 'ignored'
    },
    sums: {
      stored: ['crc32', 'crc32c', 'crc64nvme'],
      // A checksum in an answer may be an echo of the request's. That of the bytes is the ETag.
      answered: [],
      get checked() {
        return profile().sums === 'checked' ? /** @type {const} */ (['crc32', 'crc32c', 'crc64nvme']) : []
      },
    },
    get keepsMetadata() {
      return profile().keepsMetadata === true
    },
    get hidesBelow() {
      return profile().hidesBelow === true
    },
  }
  // As properties, because some are read anew each time.
  return Object.defineProperties(usual, Object.getOwnPropertyDescriptors(dialect.abilities ?? {}))
}

module.exports = { abilities }

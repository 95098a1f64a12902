'use strict'

/** What stores share: options, words, where modification times are, errors, and deletions. The help loads options alone. */

const options = require('./options')

/**
 * A door whose members are loaded when they are first asked for.
 *
 * @template {object} Own
 * @template {Record<string, () => any>} Later
 * @param {Own} own loaded already
 * @param {Later} later by the name of a member, what loads the module that has it
 * @returns {Own & { readonly [N in keyof Later]: N extends keyof ReturnType<Later[N]> ? ReturnType<Later[N]>[N] : never }}
 */
function lazily(own, later) {
  const members = Object.entries(later).map(([name, load]) => [name, { enumerable: true, get: () => load()[name] }])
  return /** @type {any} */ (Object.defineProperties({ ...own }, Object.fromEntries(members)))
}

module.exports = lazily(
  { ...options, lazily },
  {
    brief: () => require('./words'),
    classifyStatus: () => require('./errors'),
    codeOf: () => require('./errors'),
    connectionError: () => require('./errors'),
    createClient: () => require('./client'),
    factsOf: () => require('./client'),
    firstSentence: () => require('./errors'),
    meaningIn: () => require('./errors'),
    mtime: () => ({ mtime: require('./mtime') }),
    orPublic: () => require('./words'),
    quoted: () => require('./words'),
    removeEach: () => require('./removal'),
    retryAfterIn: () => require('./errors'),
    termsOfSide: () => require('./words'),
  },
)

'use strict'

/** What stores share: options, words, where modification times are, errors, and deletions. The help loads options alone. */

const options = require('./options')

/**
 * @typedef {typeof options & { lazily: typeof lazily, mtime: typeof import('./mtime') } & typeof import('./client') &
 *   typeof import('./errors') & typeof import('./removal') & typeof import('./settings') & typeof import('./words')} Door
 */

/**
 * A door whose members are loaded when they are first asked for.
 *
 * @param {object} own members that are loaded already
 * @param {Array<[load: () => Record<string, any>, names: string[]]>} later
 * @returns {unknown}
 */
function lazily(own, later) {
  const door = { ...own }
  for (const [load, names] of later)
    for (const name of names) Object.defineProperty(door, name, { enumerable: true, get: () => load()[name] })
  return door
}

module.exports = /** @type {Door} */ (
  lazily({ ...options, lazily }, [
    [() => require('./client'), ['createClient', 'factsOf']],
    [() => require('./errors'), ['classifyStatus', 'codeOf', 'connectionError', 'factsIn', 'firstSentence']],
    [() => require('./errors'), ['meaningIn', 'retryAfterIn', 'usage']],
    [() => ({ mtime: require('./mtime') }), ['mtime']],
    [() => require('./removal'), ['removeEach']],
    [() => require('./settings'), ['checkPrivate', 'endpointOf', 'firstEndpoint']],
    [
      () => require('./words'),
      [
        'brief',
        'conditionHeaders',
        'encode',
        'encodeKey',
        'orPublic',
        'quoted',
        'readCount',
        'readTime',
        'termsOfSide',
      ],
    ],
  ])
)

'use strict'

/** What stores share: options, words, attributes, modification times, errors, and deletions. The help loads options alone. */

const { lazily } = require('../../lazily')
const options = require('./options')

/**
 * @typedef {typeof options & { mtime: typeof import('./mtime'), inProcess: typeof import('./in-process') } & typeof import('./client') &
 *   typeof import('./attributes') & typeof import('./errors') & typeof import('./words')} Door
 */

module.exports = /** @type {Door} */ (
  lazily(options, [
    [() => require('./client'), ['checkPrivate', 'createClient', 'endpointOf', 'factsOf', 'firstEndpoint']],
    [() => require('./attributes'), ['CONTENT_HEADERS', 'metadataIn', 'tagQuery', 'userHeaders']],
    [() => require('./attributes'), ['containersOf', 'foldersOf', 'removeEach']],
    [() => require('./errors'), ['classify', 'codeOf', 'connectionError', 'copyError', 'factsIn', 'firstSentence']],
    [() => require('./errors'), ['explainByStatus', 'meaningIn', 'retryAfterIn', 'usage']],
    [() => ({ mtime: require('./mtime') }), ['mtime']],
    [() => ({ inProcess: require('./in-process') }), ['inProcess']],
    [() => require('./words'), ['brief', 'nameAdvice', 'nameFaults', 'nameFaultsText', 'quoted', 'termsOfSide']],
    [() => require('./words'), ['conditionHeaders', 'encode', 'encodeKey', 'readCount', 'readTime']],
  ])
)

'use strict'

/**
 * The words of refusals, and their statuses: the first word of an error of Redis, which is its code, and words of our scripts and
 * sessions. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors Pure.
 */

/** @type {Array<[status: number, ...words: string[]]>} */
const STATUSES = [
  [400, 'LENGTH'],
  [401, 'NOAUTH', 'WRONGPASS'],
  [403, 'NOPERM'],
  [404, 'GONE', 'NODB', 'NONE'],
  [409, 'WRONGTYPE', 'MOVED', 'READONLY'],
  [412, 'CHANGED', 'EXISTS'],
  [416, 'RANGE'],
  [503, 'BUSY', 'CLUSTERDOWN', 'LOADING', 'MASTERDOWN', 'TRYAGAIN'],
  [507, 'OOM'],
]

/** @param {string} word */
function statusOf(word) {
  return STATUSES.find(([, ...words]) => words.includes(word))?.[0] ?? 400
}

/** @param {unknown} error @returns {string | undefined} the word of a refusal; undefined: the connection broke */
function wordOf(error) {
  return /** @type {{ word?: string }} */ (Object(error)).word
}

/**
 * @param {any[]} answer of a script
 * @returns {any[]} what follows its word
 * @throws a refusal, unless that is OK
 */
function checked([word, ...rest]) {
  if (word === 'OK') return rest
  throw Object.assign(new Error(`Redis answered ${word}`), { word })
}

module.exports = { checked, statusOf, wordOf }

'use strict'

/** What others wrote, made fit to be printed in an error that ends up in a log. */

/**
 * What the user typed without what may be a secret, which is all before an `@`, a query, a fragment.
 *
 * @param {string} text a URL, or what was meant to be one
 * @returns {string}
 */
function shown(text) {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''
  return (
    scheme +
    text
      .slice(scheme.length)
      .replace(/[?#].*$/s, '')
      .replace(/^.*@/s, '')
  )
}

/** @type {Array<[secret: RegExp, instead: string]>} */
const SECRETS = [
  // What a credential process was called with is its owner's.
  [/(Command failed: \S+)[^\n]*/g, '$1 …'],
  [/\b(?:AWS4-HMAC-SHA256|Basic|Bearer)\b\s.*/gs, '…'],
  [/(\b[a-z][a-z0-9+.-]{0,19}:\/\/)[^\s/@]*@/gi, '$1'],
  [/(\b[a-z][a-z0-9+.-]{0,19}:\/\/[^\s?"']*)\?[^\s"']*/gi, '$1'],
  // As long as a secret key, a signature or a token, and no word: those have no digits.
  [/(?<![\w+/%=-])(?=[\w+/%=-]*\d)(?=[\w+/%=-]*[A-Z])(?=[\w+/%=-]*[a-z])[\w+/%=-]{32,}/g, '…'],
  [/(?<![\w+%=-])(?=[\w+%=-]*\d)[\w+%=-]{32,}/g, '…'],
]

/** More than anybody reads; and what is searched for would be searched for long in what a platform repeats. */
const MOST = 4_000

/**
 * What a store, a platform or a library says, without what looks like a secret: some repeat the request that they refuse.
 *
 * @param {string} text
 * @param {readonly string[]} [known] secrets, whatever they look like
 * @returns {string}
 */
function withoutSecrets(text, known = []) {
  const unknown = known.flatMap(formsOf).reduce((safe, secret) => safe.replaceAll(secret, '…'), text)
  return withoutLookalikes(unknown)
}

/** Shorter ones are words as well, and no store gives them out. */
const SHORTEST = 8

/** How a secret is written in places of its own. @param {string} text */
function formsOf(text) {
  if (text.length < SHORTEST) return []
  const json = JSON.stringify(text).slice(1, -1)
  return [...new Set([text, encodeURIComponent(text), json, json.replaceAll('/', '\\/')])]
}

/** @param {string} text */
function withoutLookalikes(text) {
  // Not in the middle of a word, for that may be the beginning of a secret.
  const brief = text.length > MOST ? `${text.slice(0, MOST).replace(/\S{0,500}$/, '')}…` : text
  return SECRETS.reduce((safe, [secret, instead]) => safe.replace(secret, instead), brief)
}

module.exports = { shown, withoutSecrets }

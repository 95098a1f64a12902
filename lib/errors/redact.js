'use strict'

/** Removes secrets from text that xfer did not write, so that errors and logs can print it. */

/** The whole query of a shared access signature: what it allows is nobody's business either. */
const SAS = /(?<![^\s?"'<>;])[^\s?"'<>;]*?(?<![a-z])sig=[^\s"'<>;]*/gi
/** What is secret of a connection string. */
const PAIR = /\b(AccountKey|SharedAccessSignature)=[^;\s"'<>]*/gi

/**
 * Removes the parts of what the user typed that may hold a secret: everything before an `@`, the query and the fragment.
 *
 * @param {string} text a URL, or a misspelt one
 * @returns {string}
 */
function redact(text) {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''
  return (
    scheme +
    text
      .slice(scheme.length)
      .replace(/[?#].*$/s, '')
      .replace(PAIR, '$1=…')
      .replace(SAS, '…')
      .replace(/^.*@/s, '')
  )
}

/** @type {Array<[secret: RegExp, instead: string]>} */
const SECRETS = [
  // The command line of a credential process may hold a password.
  [/(Command failed: \S+)[^\n]*/g, '$1 …'],
  [/\b(?:[A-Z]+\d*-HMAC-SHA256|Basic|Bearer)\b\s.*/gs, '…'],
  [/\b(SharedKey(?:Lite)?)\s+\S+/g, '$1 …'],
  [PAIR, '$1=…'],
  [SAS, '…'],
  [/(\b[a-z][a-z0-9+.-]{0,19}:\/\/)[^\s/@]*@/gi, '$1'],
  [/(\b[a-z][a-z0-9+.-]{0,19}:\/\/[^\s?"']*)\?[^\s"']*/gi, '$1'],
  // At least as long as a secret key, a signature or a token. It must have a digit: long words have none.
  [/(?<![\w+/%=-])(?=[\w+/%=-]*\d)(?=[\w+/%=-]*[A-Z])(?=[\w+/%=-]*[a-z])[\w+/%=-]{32,}/g, '…'],
  [/(?<![\w+%=-])(?=[\w+%=-]*\d)[\w+%=-]{32,}/g, '…'],
]

/** Longer text is cut: nobody reads more, and the expressions above would take long on a large answer. */
const MOST = 4_000

/**
 * Removes what looks like a secret from the text of a store, a platform or a library. Some of them repeat the request
 * that they refuse.
 *
 * @param {string} text
 * @param {readonly string[]} [known] secrets to remove in any case
 * @returns {string}
 */
function withoutSecrets(text, known = []) {
  const unknown = known.flatMap(formsOf).reduce((safe, secret) => safe.replaceAll(secret, '…'), text)
  return withoutLookalikes(unknown)
}

/** A shorter secret could be an ordinary word; no store issues secrets that short. */
const SHORTEST = 8

/** The forms a secret may appear in: as it is, in a URL and in JSON. @param {string} text */
function formsOf(text) {
  if (text.length < SHORTEST) return []
  const json = JSON.stringify(text).slice(1, -1)
  return [...new Set([text, encodeURIComponent(text), json, json.replaceAll('/', '\\/')])]
}

/** @param {string} text */
function withoutLookalikes(text) {
  // Do not cut within a word: the rest of a cut secret may be too short to be recognised.
  const brief = text.length > MOST ? `${text.slice(0, MOST).replace(/\S{0,500}$/, '')}…` : text
  return SECRETS.reduce((safe, [secret, instead]) => safe.replace(secret, instead), brief)
}

module.exports = { redact, withoutSecrets }

'use strict'

/** Removes secrets from text that xfer did not write, before a function, an error or a log tells it. Pure. */

/** The whole query of a shared access signature: what it allows is nobody's business either. */
const SAS = /(?<![^\s?"'<>;])[^\s?"'<>;]*?(?<![a-z])sig=[^\s"'<>;]*/gi
/** What is secret of a connection string. */
const PAIR = /\b(AccountKey|SharedAccessSignature)=[^;\s"'<>]*/gi

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

/** Longer than the longest message of a policy that denies something; who reads more than that? */
const MOST_WORDS = 500

/** Lines that some stores put behind the message. They are for the store's operator. */
const TRACES = /[\r\n]+(?:RequestId|Time):.*$/s

/**
 * What a store says of its refusal, as a clause: on one line, without secrets, and of bounded length.
 *
 * @param {string} message
 * @param {readonly string[]} [known] secrets that it may repeat
 * @returns {string | undefined} undefined if it says nothing
 */
function wordsOfRefusal(message, known) {
  const line = withoutSecrets(message.replace(TRACES, ''), known)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const brief = line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS).replace(/\s\S*$/, '')}…` : line
  return brief.replace(/\.$/, '') || undefined
}

module.exports = { PAIR, SAS, withoutSecrets, wordsOfRefusal }

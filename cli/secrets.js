'use strict'

/** Secrets that were typed on the command line: an address may have a password or a signature. */

const { redact } = require('../lib/errors')

/** @param {string} word of the command line @returns {string} without what an address in it has of a password or a signature */
function withoutSecret(word) {
  const [option] = /^--[a-z][a-z-]*=/.exec(word) ?? ['']
  const text = word.slice(option.length)
  // A connection string, or a SAS without an address.
  if (/(?:^|[;&?])(?:AccountKey|SharedAccessSignature)=/i.test(text) || /(?:^|&)sig=/i.test(text)) {
    return `${option}${redact(text)}`
  }
  const [, scheme, authority] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)/i.exec(text) ?? []
  const query =
    scheme === undefined
      ? /[?&](?:X-Amz-|Signature=|sig=)/i.test(text)
      : !/^(?:s3|az|gs)$/i.test(scheme) || /[?&]sig=/i.test(text)
  const secret = /:.*@/.test(authority) || (query && /[?#]/.test(text))
  return option + (secret ? redact(text) : text)
}

/**
 * Some errors quote what was typed, and it may be an address in the wrong place.
 *
 * @param {string[]} words of the command line
 * @returns {(text: string) => string} removes from a text what those words have of secrets
 */
function discreetAbout(words) {
  const typed = [...new Set(words.flatMap(word => [word, word.replace(/^--[a-z][a-z-]*=/, '')]))]
  const pairs = typed.map(word => [word, withoutSecret(word)]).filter(([word, safe]) => word !== safe)
  return text => pairs.reduce((rest, [word, safe]) => rest.replaceAll(word, safe), text)
}

module.exports = { discreetAbout, withoutSecret }

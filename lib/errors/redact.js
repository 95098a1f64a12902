'use strict'

/** Removes secrets from text, so that errors and logs can print it. */

const { PAIR, SAS } = require('../../actions/copy-range/redact')

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

module.exports = { redact }

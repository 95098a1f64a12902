'use strict'

/** Removes secrets from text, so that errors and logs can print it. */

const { PAIR, SAS } = require('../../actions/copy-range/redact')

/** The name of a profile before an `@`, also where a slash of the scheme is missing. */
const PROFILE = /^(?:(?:s3|gs):\/?)?[\w.-]{1,20}@$/i

/**
 * Removes the parts of what the user typed that may hold a secret: the query, the fragment, and everything before an `@` but
 * for the name of a profile.
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
      .replace(/^.*@/s, before => (isWeb(scheme) || !PROFILE.test(before) ? '' : before))
  )
}

/** Of the web a name alone may be a token. @param {string} scheme */
const isWeb = scheme => !/^(?:(?:s3|gs):\/\/)?$/i.test(scheme)

module.exports = { redact }

'use strict'

/**
 * What the user typed, fit to be printed in an error that ends up in a log: without what may be a secret, which is all
 * before an `@`, a query, a fragment.
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

module.exports = { shown }

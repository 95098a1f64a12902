'use strict'

/**
 * @param {import('../transport').Answer['headers']} headers
 * @param {string} name in lower case
 * @returns {string | undefined}
 */
function headerIn(headers, name) {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

module.exports = { headerIn }

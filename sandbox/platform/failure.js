'use strict'

/**
 * A refused request: the status and the text of `{ error, code }`. Any code may throw it; the server answers with it.
 * Upstream: http/ErrorResponse.scala.
 */
class ApiFailure extends Error {
  /**
   * @param {number} status
   * @param {string} text
   * @param {Record<string, string>} [headers]
   */
  constructor(status, text, headers = {}) {
    super(text)
    this.name = 'ApiFailure'
    this.status = status
    this.headers = headers
  }
}

module.exports = { ApiFailure }

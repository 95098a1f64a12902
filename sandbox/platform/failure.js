'use strict'

/**
 * A request that is refused: the status and the text of `{ error, code }`. Thrown by whatever finds out, answered by the server.
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

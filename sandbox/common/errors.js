'use strict'

/**
 * An error answer of a store, with the status and the message of a table by code. Its details become elements of the XML,
 * after Code and Message.
 */
class ServiceError extends Error {
  /**
   * @param {Record<string, [status: number, message: string]>} table
   * @param {string} code one of the table; another one needs `status`
   * @param {ErrorFacts} facts
   * @typedef {{ message?: string, status?: number, headers?: Record<string, string>, cause?: unknown, [detail: string]: unknown }} ErrorFacts
   *   all but message, status, headers and cause are elements of the XML
   */
  constructor(table, code, { message, status, headers, cause, ...details }) {
    const [tableStatus, tableMessage] = table[code] ?? [status ?? 500, code]
    super(message ?? tableMessage, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? tableStatus
    this.headers = headers ?? {}
    this.details = details
  }
}

module.exports = { ServiceError }

'use strict'

/**
 * Many deletions in one request: each is an HTTP request of its own, in a body of the type multipart/mixed.
 * https://learn.microsoft.com/rest/api/storageservices/blob-batch
 */

const { codeOf } = require('./explain')

/** The most requests in one batch. */
const MOST = 256

/**
 * @param {Array<{ target: string, headers: Record<string, string> }>} deletions
 * @param {string} boundary
 */
function writeBatch(deletions, boundary) {
  const parts = deletions.map(({ target, headers }, i) =>
    [
      `--${boundary}`,
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      `Content-ID: ${i}`,
      '',
      `DELETE ${target} HTTP/1.1`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  )
  return Buffer.from(`${parts.join('\r\n')}\r\n--${boundary}--\r\n`, 'latin1')
}

/**
 * Reads the answers in the answer to a batch.
 *
 * @param {Buffer} body
 * @param {string} type Content-Type, with the boundary
 * @returns {Map<number, { status: number, storeCode?: string }>} by the number of the deletion; one that is answered twice, or
 *   not readably, is left out
 */
function readBatch(body, type) {
  /** @type {Map<number, { status: number, storeCode?: string }>} */
  const answers = new Map()
  const [, quoted, plain] = /\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return answers
  const twice = new Set()
  for (const part of body.toString('latin1').split(`--${boundary}`)) {
    const id = Number(/^Content-ID:\s*(\d{1,4})\s*$/im.exec(part)?.[1] ?? Number.NaN)
    const status = Number(/^HTTP\/1\.1 (\d{3})\b/m.exec(part)?.[1] ?? Number.NaN)
    if (Number.isNaN(id) || Number.isNaN(status)) continue
    if (answers.has(id)) twice.add(id)
    answers.set(id, { status, storeCode: codeOf(/^x-ms-error-code:\s*(\S+)\s*$/im.exec(part)?.[1]) })
  }
  for (const id of twice) answers.delete(id)
  return answers
}

module.exports = { MOST, readBatch, writeBatch }

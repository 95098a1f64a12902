'use strict'

const { headerIn } = require('./header')

/** What a checksum looks like as text. */
const FORMS = {
  crc32: { base64: /^[A-Za-z0-9+/]{6}==$/, hex: /^[0-9a-f]{8}$/i },
  md5: { base64: /^[A-Za-z0-9+/]{22}==$/, hex: /^[0-9a-f]{32}$/i },
}

/**
 * The checksum of the whole object, if the answer to a read has it.
 *
 * @param {import('../transport').Answer['headers']} headers
 * @param {import('../../../lib/types').AnswerRule['checksum']} rule
 * @returns {{ crc32?: number, md5?: string }} as in a task's `expect`; empty if there is none
 */
function checksumIn(headers, rule) {
  if (!rule) return {}
  const { sum, header, encoding, only } = rule
  const kind = only && headerIn(headers, only.header)
  if (only && kind && kind !== only.value) return {}
  const text = headerIn(headers, header) ?? ''
  if (!FORMS[sum][encoding].test(text)) return {}
  const bytes = Buffer.from(text, encoding)
  return sum === 'crc32' ? { crc32: bytes.readUInt32BE(0) } : { md5: bytes.toString('hex') }
}

module.exports = { checksumIn }

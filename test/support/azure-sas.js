'use strict'

/** A SAS of a container, signed here and not by the code under test. */

const { createHmac } = require('node:crypto')

const VERSION = '2021-12-02'
/** @param {number} ms */
const timeOf = ms => `${new Date(ms).toISOString().slice(0, 19)}Z`

/**
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 *
 * @param {{ account: string, key: string }} server key: base64
 * @param {string} container
 * @param {{ permissions: string, untilMs: number }} what
 * @returns {string} without a question mark
 */
function containerSas({ account, key }, container, { permissions, untilMs }) {
  const fields = { sp: permissions, se: timeOf(untilMs), sv: VERSION, sr: 'c' }
  const resource = `/blob/${account}/${container}`
  // sp, st, se, resource, si, sip, spr, sv, sr, snapshot, encryption scope, and five headers of the answer.
  const lines = [fields.sp, '', fields.se, resource, '', '', '', fields.sv, fields.sr, '', '', '', '', '', '', '']
  const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(lines.join('\n')).digest('base64')
  return new URLSearchParams({ ...fields, sig }).toString()
}

module.exports = { containerSas }

'use strict'

/**
 * What a shared access signature says of itself. Pure.
 * https://learn.microsoft.com/en-us/rest/api/storageservices/delegate-access-with-shared-access-signature
 */

/**
 * @typedef {object} Sas
 * @property {boolean} signed whether it has a signature
 * @property {string} [permissions] `sp`; absent if a stored access policy says it
 * @property {number} [startsMs] epoch milliseconds
 * @property {number} [expiresMs] epoch milliseconds; absent if a stored access policy says it
 * @property {string} [services] `ss`, of the SAS of an account
 * @property {string} [types] `srt`, of the SAS of an account
 * @property {string} [resource] `sr`, of the SAS of a service: `b` a blob, `c` a container, `d` a folder
 * @property {string} [ip] `sip`
 */

/** @param {string} token without a question mark @returns {Sas} */
function readSas(token) {
  const query = new URLSearchParams(token)
  const text = (/** @type {string} */ name) => query.get(name) || undefined
  return {
    signed: text('sig') !== undefined,
    permissions: text('sp'),
    startsMs: timeOf(text('st')),
    expiresMs: timeOf(text('se')),
    services: text('ss'),
    types: text('srt'),
    resource: text('sr'),
    ip: text('sip'),
  }
}

/** @param {string | undefined} text a day, or a time in UTC @returns {number | undefined} epoch milliseconds */
function timeOf(text) {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/**
 * Why a copy cannot work with this SAS, as far as its own parameters tell.
 *
 * @param {Sas} sas
 * @param {string} needs letters of `sp`
 * @returns {string | undefined} a verb phrase; undefined if nothing speaks against it
 */
function lackOf({ permissions, services, types }, needs) {
  if (services !== undefined && !services.includes('b')) return `is not for blobs (ss=${services})`
  if (types !== undefined && !types.includes('o')) return `is not for objects (srt=${types})`
  const missing = permissions === undefined ? [] : [...needs].filter(letter => !permissions.includes(letter))
  return missing.length > 0
    ? `does not allow ${missing.map(letter => WORDS[letter]).join(', ')} (sp=${permissions})`
    : undefined
}

/** @type {Record<string, string>} */
const WORDS = { r: 'reading', w: 'writing', l: 'listing', d: 'deleting', t: 'tags' }

module.exports = { lackOf, readSas }

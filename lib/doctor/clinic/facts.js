'use strict'

/** What the clinic has found of a server, as a row like those of stores/profiles.js. Pure. */

/**
 * What questions found; null: it could not be found out.
 *
 * @typedef {object} Found
 * @property {boolean | null} sumsOfPut
 * @property {boolean | null} sumsBehind
 * @property {boolean | null} sumsEncoded
 * @property {boolean} sumsOfParts
 * @property {boolean} refusesSums
 * @property {boolean} keepsFraming
 * @property {boolean} conditionsOfPut
 * @property {boolean} conditionsOfUpload
 * @property {boolean} keepsMetadata
 * @property {boolean} tags
 * @property {boolean} equalParts
 * @property {boolean} hidesBelow
 * @property {string[]} badKeys kinds of keys
 */

/** Of kinds of keys that a pattern tells. @type {Record<string, string>} */
const PATTERNS = {
  'a backslash': '\\\\',
  './': '(?:^|/)\\.(?:/|$)',
  '../../': '(?:^|/)\\.\\.(?:/|$)',
  '//': '//',
  'a closing slash': '/$',
  'a blank at the end': ' $',
}

/** @param {Partial<Found>} found @returns {Record<string, any>} as a row of stores/profiles.js, in JSON */
function factsOf(found) {
  const checked = found.sumsOfPut && found.sumsBehind && found.sumsEncoded && found.sumsOfParts
  const patterns = (found.badKeys ?? []).flatMap(kind => PATTERNS[kind] ?? [])
  return {
    ...(found.refusesSums ? { sums: 'refused' } : checked ? { sums: 'checked' } : {}),
    ...(found.keepsFraming && { namesFraming: false }),
    ...((found.conditionsOfPut === false || found.conditionsOfUpload === false) && { conditions: 'ignored' }),
    ...(found.keepsMetadata && { keepsMetadata: true }),
    ...(found.tags === false && { tags: false }),
    ...(found.equalParts && { limits: { equalParts: true } }),
    ...(found.hidesBelow && { hidesBelow: true }),
    ...(patterns.length > 0 && {
      keys: {
        pattern: patterns.join('|'),
        reason: 'is one that its server does not keep, as xfer doctor --deep has found',
      },
    }),
  }
}

module.exports = { factsOf }

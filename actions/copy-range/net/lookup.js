'use strict'

const dns = require('node:dns')

/** @typedef {import('node:net').LookupFunction} LookupFunction */

/** The error code of a connection to a forbidden address, which is never opened. */
const REFUSED = 'ADDRESS_REFUSED'

/**
 * Looks names up as Node.js does, and gives only allowed addresses. So the address that is connected to is the one that was
 * judged, even if the name server says something else a moment later.
 * @param {import('../access').AccessRules} rules
 * @returns {LookupFunction}
 */
function lookupWithin(rules) {
  return (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = found.filter(({ address }) => rules.judge(host, address) === undefined)
      if (allowed.length === 0) return done(refusal(rules.judge(host, found[0].address)), '', 0)
      if (options.all) done(null, allowed)
      else done(null, allowed[0].address, allowed[0].family)
    })
  }
}

/** @param {string} [reason] */
function refusal(reason) {
  return Object.assign(new Error(reason), { code: REFUSED })
}

module.exports = { REFUSED, lookupWithin, refusal }

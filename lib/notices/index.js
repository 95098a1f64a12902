'use strict'

/**
 * Notices: what a user should know of a job that goes on. Each has a code, which programs may read, and a sentence, which
 * is for people alone. A notice is itself the event that is emitted.
 */

const { TABLE } = require('./table')

/** @typedef {import('../types').Notice} Notice */

/**
 * @param {string} code a key of the table
 * @param {import('./table').Facts} [facts] what the sentence speaks of; never a secret or a signed URL. `location` is the object
 *   that it is about: what is true of many objects is told of the first (lib/prefix/report/notify-once.js)
 * @returns {Notice}
 */
function notice(code, facts = {}) {
  return { type: 'notice', code, message: TABLE[code](facts), facts }
}

/**
 * What makes two notices the same one.
 *
 * @param {Pick<Notice, 'code' | 'facts'>} notice
 * @param {{ anywhere?: boolean }} [how] anywhere: whichever object they are about
 * @returns {string}
 */
function identityOf({ code, facts }, { anywhere = false } = {}) {
  const { location, ...others } = facts
  return JSON.stringify([code, others, anywhere ? undefined : location])
}

module.exports = { NOTICES: TABLE, identityOf, notice }

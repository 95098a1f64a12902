'use strict'

/**
 * Notices: what a user should know about a job that continues. Each has a code for programs and a sentence for people. A
 * notice is itself the event that is emitted.
 */

/** @typedef {import('../types').Notice} Notice */

/**
 * @param {import('../types').Notice['code']} code
 * @param {import('./table').NoticeFacts} [facts] the values in the sentence; never a secret or a signed URL. `location` is the object
 *   that it is about: of notices that differ only in it, the first is emitted (lib/many/report.js)
 * @returns {Notice}
 */
function notice(code, facts = {}) {
  const { TABLE } = require('./table')
  return { type: 'notice', code, message: TABLE[code](facts), facts }
}

/**
 * Two notices with equal identities are the same notice.
 *
 * @param {Pick<Notice, 'code' | 'facts'>} notice
 * @param {{ anywhere?: boolean }} [how] anywhere: ignore which object they are about
 * @returns {string}
 */
function identityOf({ code, facts }, { anywhere = false } = {}) {
  const { location, ...others } = facts
  return JSON.stringify([code, others, anywhere ? undefined : location])
}

/** The event that users see: the facts are for the library alone. @param {Notice} notice */
function publicNotice({ type, code, message }) {
  return { type, code, message }
}

module.exports = {
  get NOTICES() {
    return require('./table').TABLE
  },
  identityOf,
  notice,
  publicNotice,
}

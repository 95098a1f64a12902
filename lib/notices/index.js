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

/** What a job tells while it runs, kept for whoever looks later. */

/** @typedef {import('../types').ToldByJob} ToldByJob */

/** Of each as many are kept. That a run goes on with a job is of no use later. */
const MOST_KEPT = 100

/**
 * @param {ToldByJob} told changed
 * @param {any} event as users get it
 */
function remember({ notices, failures }, event) {
  if (event.type === 'failure') add(failures, { name: event.name, code: event.code, message: event.message })
  else if (event.type === 'notice') add(notices, { code: event.code, message: event.message })
  else if (event.type === 'plan')
    for (const [i, message] of (event.notices ?? []).entries()) add(notices, { code: event.noticeCodes[i], message })
}

/** @template {{ code: string }} T @param {T[]} list changed @param {T} one */
function add(list, one) {
  if (list.length < MOST_KEPT && one.code !== 'JOB_RESUMED') list.push(one)
}

/**
 * @param {Array<ToldByJob | undefined>} all of several runs, or ranges, the newest last
 * @returns {ToldByJob} each sentence once, and each object with its last failure
 */
function joinTold(all) {
  const known = all.flatMap(one => one ?? [])
  const notices = new Map(known.flatMap(told => told.notices.map(one => [one.message, one])))
  const failures = new Map(known.flatMap(told => told.failures.map(one => [one.name, one])))
  return {
    notices: [...notices.values()].slice(0, MOST_KEPT),
    failures: [...failures.values()].slice(0, MOST_KEPT),
  }
}

module.exports = {
  get NOTICES() {
    return require('./table').TABLE
  },
  identityOf,
  joinTold,
  notice,
  publicNotice,
  remember,
}

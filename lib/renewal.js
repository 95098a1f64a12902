'use strict'

/**
 * Credentials that expire while functions are at work: what they hold was signed with the old ones. A part that a store
 * refuses for that is signed again, once there are new ones, and it costs no attempt.
 */

const { classifyAnswer } = require('./stores/s3/errors')
const { untilAborted } = require('./until-aborted')

/** @typedef {import('./types').Task} Task */
/** @typedef {import('./types').Outcome} Outcome */
/** @typedef {import('./types').Store} Store */

/**
 * The same engine, which says of a part that was refused for old credentials whether there are new ones.
 *
 * @param {import('./types').Engine} engine
 * @param {{ source: Store, destination: Store }} stores
 * @returns {import('./types').Engine}
 */
function withRenewal(engine, { source, destination }) {
  /** @param {Task} task @param {Outcome} outcome @returns {Promise<Outcome>} */
  async function judge(task, outcome) {
    if (!('error' in outcome) || !saysExpired(outcome.error)) return outcome
    // A copy that is read back is read of the destination; a store knows its own signatures.
    const renewed =
      outcome.error.side === 'read'
        ? (await source.renew(task.read)) || (await destination.renew(task.read))
        : task.write !== undefined && (await destination.renew(task.write))
    return { ...outcome, error: { ...outcome.error, renewed } }
  }

  return {
    ...engine,
    async run(tasks, options) {
      const outcomes = await engine.run(tasks, options)
      if (!outcomes.some(outcome => 'error' in outcome && saysExpired(outcome.error))) return outcomes
      const judged = Promise.all(outcomes.map((outcome, i) => judge(tasks[i], outcome)))
      return await untilAborted(judged, options?.signal)
    },
  }
}

/** @param {import('./types').TaskError} error */
function saysExpired({ code, status, storeCode }) {
  return code === 'HTTP_STATUS' && classifyAnswer({ status, storeCode }) === 'CREDENTIALS_EXPIRED'
}

module.exports = { withRenewal }

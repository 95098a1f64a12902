'use strict'

/**
 * What functions hold was signed a while ago: credentials expire meanwhile, and clocks are set, this machine's or the store's.
 * A part that a store refuses for that is signed again, with other credentials or by the store's clock, and it costs no
 * attempt.
 */

const { untilAborted } = require('../async')

/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').Store} Store */

/**
 * The same engine, which says of a part that was refused for old credentials whether there are new ones.
 *
 * @param {import('../types').Engine} engine
 * @param {{ source: Store, destination: Store }} stores
 * @returns {import('../types').Engine}
 */
function withRenewal(engine, { source, destination }) {
  /** @param {Task} task @param {Outcome} outcome @returns {Promise<Outcome>} */
  async function judge(task, outcome) {
    if (!isAnswered(outcome)) return outcome
    const { error } = outcome
    const request = error.side === 'read' ? task.read : task.write
    // A copy that is read back is read of the destination; a store knows its own signatures.
    const stores = error.side === 'read' ? [source, destination] : [destination]
    for (const store of request ? stores : []) {
      const renewed = await signsAnew(store, /** @type {import('../types').DataRequest} */ (request), error)
      if (renewed) return { ...outcome, error: { ...error, signedAnew: renewed } }
    }
    return outcome
  }

  return {
    ...engine,
    async run(tasks, options) {
      const outcomes = await engine.run(tasks, options)
      if (!outcomes.some(isAnswered)) return outcomes
      const judged = Promise.all(outcomes.map((outcome, i) => judge(tasks[i], outcome)))
      return await untilAborted(judged, options?.signal)
    },
  }
}

/** Whether a store has refused it. @param {Outcome} outcome @returns {outcome is import('../types').TaskFailure} */
function isAnswered(outcome) {
  return 'error' in outcome && outcome.error.code === 'HTTP_STATUS'
}

/**
 * @param {Store} store
 * @param {import('../types').DataRequest} request
 * @param {import('../types').TaskError} error
 * @returns {Promise<boolean>} whether the same, signed again, may pass
 */
async function signsAnew(store, request, { side, status, storeCode, dateMs }) {
  const { code } = store.explain({ of: side === 'write' ? 'write' : 'read', status, storeCode })
  if (code === 'CREDENTIALS_EXPIRED') return await store.renew(request)
  // Some stores have no code of their own for a signature that is too old.
  const denied = status === 403 || status === 401 || status === 400
  if (code !== 'SIGNATURE_TOO_OLD' && !(denied && dateMs !== undefined)) return false
  // An action that is older does not say what time it is there: any answer does.
  if (dateMs === undefined) await store.ping().catch(() => {})
  return store.signsAnew(request, dateMs)
}

module.exports = { withRenewal }

'use strict'

/**
 * Renews signatures. The requests of a task are signed some time before a function sends them. Meanwhile credentials may
 * expire, and this machine's clock or the store's may be set. If a store refuses a part for that reason, it is signed again,
 * with new credentials or by the store's clock. This does not count as an attempt.
 */

const { untilAborted } = require('../async')
const { asXferError } = require('../errors')

/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').Store} Store */

/**
 * Wraps an engine: marks a part that the store refused for an old signature as `signedAnew` if a new signature may help. If
 * the renewal of the credentials fails, that is the error of the part.
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
    // A verification read reads the destination. Each store recognizes the requests that it signed.
    const stores = error.side === 'read' ? [source, destination] : [destination]
    for (const store of request ? stores : []) {
      try {
        const renewed = await signsAnew(store, /** @type {import('../types').DataRequest} */ (request), error)
        if (renewed) return { ...outcome, error: { ...error, signedAnew: renewed } }
      } catch (failure) {
        return { ...outcome, error: { ...error, known: asXferError(failure) } }
      }
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

/** Whether a store answered with a refusal. @param {Outcome} outcome @returns {outcome is import('../types').TaskFailure} */
function isAnswered(outcome) {
  return 'error' in outcome && outcome.error.code === 'HTTP_STATUS'
}

/**
 * @param {Store} store
 * @param {import('../types').DataRequest} request
 * @param {import('../types').TaskError} error
 * @returns {Promise<boolean>} whether the same request, signed again, may succeed; rejects if there are no new credentials
 */
async function signsAnew(store, request, { side, status, storeCode, dateMs }) {
  const { code } = store.explain({ of: side === 'write' ? 'write' : 'read', status, storeCode })
  if (code === 'CREDENTIALS_EXPIRED') return (await store.renew?.(request)) ?? false
  // Some stores have no error code for a signature that is too old.
  const denied = status === 403 || status === 401 || status === 400
  if (code !== 'SIGNATURE_TOO_OLD' && !(denied && dateMs !== undefined)) return false
  // An older action does not report the store's time. Any answer to this machine shows it.
  if (dateMs === undefined) await store.ping().catch(() => {})
  return store.signsAnew?.(request, dateMs) ?? false
}

module.exports = { withRenewal }

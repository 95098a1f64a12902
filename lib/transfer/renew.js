'use strict'

/**
 * What functions hold was signed a while ago: credentials expire meanwhile, and clocks are set, this machine's or the store's.
 * A part that a store refuses for that is signed again, with other credentials or by the store's clock, and it costs no
 * attempt.
 */

const { classifyAnswer } = require('../stores/s3/errors')
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
    if (!('error' in outcome) || !mayBeSignedAnew(outcome.error)) return outcome
    const { error } = outcome
    const request = error.side === 'read' ? task.read : task.write
    // A copy that is read back is read of the destination; a store knows its own signatures.
    const stores = error.side === 'read' ? [source, destination] : [destination]
    for (const store of request ? stores : []) {
      const signedAnew = saysExpired(error)
        ? await store.renew(/** @type {import('../types').DataRequest} */ (request))
        : await signsAnew(store, /** @type {import('../types').DataRequest} */ (request), error)
      if (signedAnew) return { ...outcome, error: { ...error, signedAnew } }
    }
    return outcome
  }

  return {
    ...engine,
    async run(tasks, options) {
      const outcomes = await engine.run(tasks, options)
      if (!outcomes.some(outcome => 'error' in outcome && mayBeSignedAnew(outcome.error))) return outcomes
      const judged = Promise.all(outcomes.map((outcome, i) => judge(tasks[i], outcome)))
      return await untilAborted(judged, options?.signal)
    },
  }
}

/**
 * @param {Store} store
 * @param {import('../types').DataRequest} request
 * @param {import('../types').TaskError} error
 */
async function signsAnew(store, request, { dateMs }) {
  // An action that is older does not say what time it is there: any answer does.
  if (dateMs === undefined) await store.ping().catch(() => {})
  return store.signsAnew(request, dateMs)
}

/** @param {import('../types').TaskError} error */
function mayBeSignedAnew(error) {
  return saysExpired(error) || saysSkewed(error)
}

/** Some stores have no code of their own for a signature that is too old. @param {import('../types').TaskError} error */
function saysSkewed({ code, status, storeCode, dateMs }) {
  if (code !== 'HTTP_STATUS') return false
  const denied = status === 403 || status === 401 || status === 400
  return classifyAnswer({ status, storeCode }) === 'SIGNATURE_TOO_OLD' || (denied && dateMs !== undefined)
}

/** @param {import('../types').TaskError} error */
function saysExpired({ code, status, storeCode }) {
  return code === 'HTTP_STATUS' && classifyAnswer({ status, storeCode }) === 'CREDENTIALS_EXPIRED'
}

module.exports = { withRenewal }

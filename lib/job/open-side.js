'use strict'

/** One end of a job: its store, whose control calls are repeated, and whose outages are waited for. */

const { openStore, placeText, withRetry } = require('../stores')
const { refusingSide } = require('../schedule')

/** @typedef {import('./contract').Side} Side */

/**
 * @param {import('../types').Place} place
 * @param {import('../types').StoreSettings} settings of its store
 * @param {object} how
 * @param {string} how.id of the place, from `identify`
 * @param {boolean} [how.prefix] whether the place is a prefix: an object and a prefix may have the same name
 * @param {number} how.retries
 * @param {number} how.silenceMs how long the store may be silent
 * @param {import('../outage').Outages} how.outages
 * @param {import('../outage').Peer[]} how.peers the ends that fail together with this store; [] if another end watches it
 * @param {import('../schedule/limits/pressure').Pressure} how.pressure
 * @param {(event: import('../types').JobEvent) => void} how.emit
 * @returns {Side}
 */
function openSide(place, settings, { id, prefix = false, retries, silenceMs, outages, peers, pressure, emit }) {
  const { side } = settings
  const store = openStore(place, { ...settings, silenceMs })
  if (peers.length > 0) {
    outages.watch(peers, { where: store.facts.endpoint, probe: signal => store.ping({ signal }) })
  }
  const onRetry = (
    /** @type {import('../types').XferError} */ error,
    /** @type {string} */ call,
    /** @type {number} */ attempt,
  ) => {
    const { code, message } = error
    if (refusingSide(error)) pressure.refusedElsewhere(side, outages.now(), error.retryAfterMs)
    emit({ type: 'retry', call, side, attempt, code, message })
  }
  return {
    store: withRetry(store, { retries, outages, onRetry }),
    key: place.key,
    text: placeText(place),
    plain: placeText({ ...place, typed: undefined }),
    versionId: settings.versionId,
    place: id + (prefix ? '*' : ''),
    settings,
  }
}

module.exports = { openSide }

'use strict'

/** A drawn run, as it can happen between two ends: folders have no platform, no requests, and nothing to kill. Pure. */

const { forFiles } = require('./draw-tree')

/** @typedef {import('./draw').Script} Script */
/** @typedef {import('./draw').Kill} Kill */
/** @typedef {Pick<import('../support/ends').Started, 'files' | 'local' | 'checks'>} Traits of an end */

/**
 * @param {Script} script
 * @param {{ source: Traits, destination: Traits }} ends
 * @returns {Script}
 */
function forEnds(script, ends) {
  const { source, destination } = ends
  const kept = source.files || destination.files ? forFiles(script) : script
  const checked = { ...kept, checks: destination.checks }
  if (!source.local && !destination.local) return checked
  // Between two folders nothing tells the moment of a kill.
  const kills = source.local && destination.local ? [] : script.kills.map(kill => seenBy(kill, ends, script.tree))
  return { ...checked, engine: 'local', kills }
}

/** The kill at a moment that the end with requests shows. @param {Kill} kill @param {{ source: Traits, destination: Traits }} ends @param {Script['tree']} tree @returns {Kill} */
function seenBy({ victim, when, ...kill }, { source, destination }, tree) {
  const [of, operation] = source.local
    ? /** @type {const} */ (['destination', tree ? 'PutObject' : 'UploadPart'])
    : /** @type {const} */ (['source', 'GetObject'])
  const isThere = victim === (destination.local ? 'source' : 'destination')
  const isSeen = when.of === of
  return {
    ...kill,
    victim: isThere ? victim : 'cli',
    when: isSeen ? when : { of, event: when.event === 'request' ? 'request' : 'begin', operation, count: when.count },
  }
}

module.exports = { forEnds }

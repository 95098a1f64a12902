'use strict'

/** Fields that events of several commands have. */

/**
 * By field, what it means; `?` behind the name: not in every event of this type.
 *
 * @typedef {Record<string, string>} Fields
 * @typedef {{ when: string, fields: Fields }} Kind
 * @typedef {Record<string, Kind>} Kinds by type
 */

/** @type {Fields} */
const NOW = {
  phase:
    '`listing`, `copying`, `assembling` (every part is there, and the destination makes the object of them), `verifying` (what was copied is read again) or `deleting`',
  phaseMs: 'how long it has been in this phase',
  elapsedMs: 'how long the command has run',
  'partsAssembling?': 'of the phase `assembling`: how many parts',
}

/** @type {Fields} */
const COUNTS = {
  inFlight: 'invocations under way',
  retried: 'attempts that were repeated so far',
  throttled: 'refusals so far by the platform or a store that had too much to do',
  'slowed?': 'stores that ask for fewer requests: `store` and the `limit` of requests at once',
  'away?': 'what does not answer: `peer`, and since when (`forMs`)',
  'waiting?':
    'something waits for the platform, whose invocations of this minute are used up; `perMinute`: how many it allows, if known',
  bytesPerSecond: 'the rate of the last seconds',
  'etaMs?': 'how long it will probably take; absent until that means something',
}

/** @type {Fields} */
const WHERE = {
  engine: '`openwhisk`, `local`, or `server` if the store copies by itself',
  where: 'the platform, the store or this machine',
  runsOn:
    'who does the work: the functions of the `platform`, this `machine`, or the `store` by itself. Only the work of a machine ends with xfer',
  why: 'why this engine',
  concurrency: 'invocations at once, at most',
  'adapts?': 'true: the engine finds out how many help',
  'bandwidth?': 'bytes a second, at most',
}

/** @type {Fields} */
const TOTALS = {
  elapsedMs: 'how long it took',
  bytesPerSecond: 'the mean rate',
  invocations: 'how many there were',
  retried: 'attempts that were repeated',
  throttled: 'refusals by the platform or a store that had too much to do',
}

/** @type {Fields} */
const ENDS = { source: 'its location, as it was typed', destination: 'its location, as it was typed' }

/** @type {Fields} */
const PLANNED_ENDS = {
  ...ENDS,
  'endpoints?':
    'where both are, if both locations look alike and are in two stores: `source` and `destination`, each an address or `AWS`',
}

module.exports = { COUNTS, ENDS, NOW, PLANNED_ENDS, TOTALS, WHERE }

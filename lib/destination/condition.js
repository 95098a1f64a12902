'use strict'

/** The condition of a write (`--no-clobber`, `--if-match`): parses, checks, applies and reports it. */

const { XferError } = require('../errors')
const { parseEtag, sameEtag } = require('../integrity')
const { UNSEEN, look } = require('./look')

/** @typedef {import('../types').WriteCondition} WriteCondition */
/** @typedef {import('./look').Found} Found */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('../job/open').Job} Job */

/** How often to copy everything again because of concurrent writes of the key. */
const MOST_CONFLICTS = 2

/**
 * @param {{ clobber?: boolean, ifMatch?: string }} options
 * @returns {WriteCondition}
 * @throws {XferError} USAGE
 */
function readCondition({ clobber, ifMatch }) {
  if (ifMatch === undefined) return clobber === false ? { ifNoneMatch: true } : {}
  if (clobber === false) {
    throw new XferError('USAGE', {
      text: '--no-clobber wants no object at the destination, and --if-match wants one.',
      advice: 'Give one of them only.',
    })
  }
  const etag = parseEtag(ifMatch)
  if (etag === undefined) {
    throw new XferError('USAGE', {
      text: `--if-match "${ifMatch}" is not an ETag.`,
      advice: 'Give it as a store tells it, with or without its quotes.',
    })
  }
  return { ifMatch: etag }
}

/** @param {WriteCondition} condition */
function isConditional({ ifNoneMatch, ifMatch }) {
  return ifNoneMatch === true || ifMatch !== undefined
}

/**
 * @param {Found} found
 * @param {WriteCondition} condition
 * @param {Record<string, any>} facts of the destination
 * @throws {XferError} DESTINATION_EXISTS, DESTINATION_CHANGED
 */
function checkFound({ object, denied }, { ifNoneMatch, ifMatch }, facts) {
  if (denied) return
  if (ifNoneMatch && object) throw new XferError('DESTINATION_EXISTS', facts)
  if (ifMatch !== undefined && !(object && sameEtag(object.etag, ifMatch))) {
    throw new XferError('DESTINATION_CHANGED', { ...facts, expected: ifMatch, found: object?.etag })
  }
}

/**
 * Checks the condition before any byte is copied. A dry run always looks, because it does not learn anything by writing.
 *
 * @param {Pick<Job, 'destination' | 'settings' | 'run'>} job
 * @returns {Promise<Found | undefined>} undefined: it has not looked
 */
async function checkDestination({ destination, settings, run: { journal, cancel: signal } }) {
  const { condition, dryRun } = settings
  // The object there may be the one that this job wrote.
  if (journal.state.completing || !(isConditional(condition) || dryRun)) return undefined
  const found = await look(destination, signal)
  checkFound(found, condition, destination.store.facts)
  return found
}

/**
 * Reports the refusal of a write by the condition that was given.
 *
 * @param {Failure} error
 * @param {WriteCondition} condition
 * @returns {Failure}
 */
function asConditionError(error, { ifMatch }) {
  // If there is no object to compare with `ifMatch`, stores answer that the key does not exist.
  const refused = error.code === 'DESTINATION_EXISTS' || error.facts.noSuchKey
  if (ifMatch === undefined || !refused) return error
  return new XferError('DESTINATION_CHANGED', { ...error.facts, expected: ifMatch }, { cause: error })
}

/**
 * How the condition was enforced: atomically by the store, or only by a check before the write.
 *
 * @param {Pick<Job, 'destination' | 'settings' | 'run'>} job the job that wrote the object
 * @param {import('../types').Written} written
 * @param {{ upload: boolean }} how upload: it was written in parts
 * @returns {Promise<import('../types').Summary['condition']>} undefined without a condition
 */
async function judgeCondition({ destination, settings, run: { abort: signal } }, { unconditional }, { upload }) {
  const { condition } = settings
  if (!isConditional(condition)) return undefined
  const { store } = destination
  if (!unconditional && store.heeds?.({ upload })) return 'atomic'
  const { denied } = await look(destination, signal).catch(() => UNSEEN)
  return denied ? 'asked' : 'checked'
}

module.exports = {
  MOST_CONFLICTS,
  readCondition,
  isConditional,
  checkFound,
  checkDestination,
  asConditionError,
  judgeCondition,
}

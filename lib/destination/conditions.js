'use strict'

/**
 * Which object the destination holds, whether it is our copy (if the answer to a write was lost), and whether it is as the
 * condition of the write (`--no-clobber`, `--if-match`) wants it; and how a copy that is known to be wrong is removed again.
 */

const { pause, repeat } = require('../async')
const { XferError, asXferError, usage } = require('../errors')
const { compareSums, sameEtag, parseEtag } = require('../integrity')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('../types').WriteCondition} WriteCondition */
/** @typedef {import('../job/open').Job} Job */

/** @typedef {{ object?: ObjectHead, denied: boolean }} Looked denied: the credentials do not allow to read it */

/** @type {Looked} */
const UNSEEN = { denied: true }

/** Failures after which the request may have been carried out. */
const UNCERTAIN = new Set(['STORE_ERROR', 'STORE_THROTTLED', 'STORE_UNREACHABLE', 'BAD_ANSWER', 'NOT_A_STORE'])
/** Failures after which the request cannot have arrived. */
const NEVER_SENT = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL'.split(' '),
)

/** Timing of a part that was copied earlier. */
const UNKNOWN_TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }

/**
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Looked>} without the permission to list, a missing object is `denied` too
 */
async function look({ store, key }, signal) {
  try {
    return { object: await store.head(key, { signal }), denied: false }
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code !== 'NO_SUCH_KEY' && error.code !== 'ACCESS_DENIED') throw error
    return { denied: error.code === 'ACCESS_DENIED' }
  }
}

/**
 * A look at a store that has not answered this process yet: of many calls at once one asks, and the others wait for its answer.
 *
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Looked | undefined>} undefined: it has answered another call
 */
async function lookFirst(destination, signal) {
  const { introduce } = destination.store
  const ask = () => look(destination, signal)
  return introduce ? await introduce(ask) : await ask()
}

/** Some stores show a new object a moment after the write. */
const WAITS_MS = [100, 300, 900]

/**
 * Waits until the destination shows the written object; returns what it shows in the end.
 *
 * @param {Pick<import('../job/open').Side, 'store' | 'key'>} destination
 * @param {string} etag of the written object
 * @param {AbortSignal} [signal]
 * @returns {Promise<Looked & { error?: XferError }>} denied: also if the
 *   request fails, which `error` says
 */
async function lookUntilShown(destination, etag, signal) {
  for (let tries = 0; ; tries++) {
    const found = await look(destination, signal).catch(error => {
      if (signal?.aborted) throw error
      return { denied: true, error: asXferError(error) }
    })
    const shown = 'object' in found && found.object && sameEtag(found.object.etag, etag)
    if (found.denied || shown || tries === WAITS_MS.length) return found
    await pause(WAITS_MS[tries], signal)
  }
}

/** For `catch`: undefined if the object does not exist, else throws the error again. @param {unknown} cause @returns {undefined} */
function acceptGone(cause) {
  if (asXferError(cause).code !== 'NO_SUCH_KEY') throw cause
}

/**
 * Compares the object at the destination with what was sent. A different ETag proves nothing, because not all ETags are MD5s.
 *
 * @param {Looked} found
 * @param {Looked | undefined} before the object before anything was sent
 * @param {{ bytes: number, sums: import('../types').Sums, etag: string, summed?: boolean, kept?: readonly import('../types').Sum[] }} sent
 *   the whole object; sums: those that were computed; etag: the expected one, if the store makes ETags of MD5s; summed: the store
 *   keeps the checksum of what we sent, so an object without one is not ours; kept: the checksums that the store is known to
 *   check or to compute; others may only echo what was sent, and prove nothing
 * @returns {'ours' | 'other' | 'unknown'}
 */
function judge({ object, denied }, before, { bytes, sums, etag, summed = false, kept = [] }) {
  if (denied) return 'unknown'
  if (!object || object.bytes !== bytes) return 'other'
  const { equal, differs } = compareSums(object.sums, sums, kept)
  if (differs) return 'other'
  if (equal.length > 0) return 'ours'
  if (sameEtag(object.etag, etag)) return 'ours'
  return summed || isUnchanged(before, object) ? 'other' : 'unknown'
}

/** Whether the key still has the object from before. @param {Looked | undefined} before @param {ObjectHead} now */
function isUnchanged(before, now) {
  const { object } = before ?? {}
  return object !== undefined && sameEtag(object.etag, now.etag) && object.lastModifiedMs === now.lastModifiedMs
}

/** Whether a control call may have been carried out although it failed. @param {XferError} error */
function leavesOpen(error) {
  return UNCERTAIN.has(error.code) && !neverSent(error)
}

/** Whether the request cannot have reached the store. @param {XferError} error */
function neverSent({ facts }) {
  return NEVER_SENT.has(facts.reason)
}

/**
 * @param {import('../job/open').Side} destination
 * @param {string} reason the end of a sentence
 * @param {XferError} [cause] the last error
 */
function unknownOutcome({ store, text }, reason, cause) {
  return new XferError('OUTCOME_UNKNOWN', { ...store.facts, location: text, reason }, { cause })
}

/** Another object shows than was written. @param {import('../job/open').Side} destination @param {XferError} [cause] the last error */
function anotherObject({ store, text }, cause) {
  return new XferError('OUTCOME_UNKNOWN', { ...store.facts, location: text, another: true }, { cause })
}

/**
 * A copy by the store of which another object shows. No byte of it can be compared here, so the engine copies the object; but not
 * where a condition would take what is there for somebody else's.
 *
 * @param {import('../job/open').Side} destination
 * @param {WriteCondition} condition
 * @param {string} [shown] a clause
 */
function notTheCopy(destination, condition, shown = 'shows another one') {
  if (isConditional(condition)) return anotherObject(destination)
  const reason = `it answered that it had copied the object, and ${shown}`
  return new XferError('COPY_REFUSED', { ...destination.store.facts, reason })
}

/**
 * @param {{ clobber?: boolean, ifMatch?: string }} options
 * @returns {WriteCondition}
 * @throws {XferError} USAGE
 */
function readCondition({ clobber, ifMatch }) {
  if (ifMatch === undefined) return clobber === false ? { ifNoneMatch: true } : {}
  if (clobber === false) {
    throw usage('--no-clobber wants no object at the destination, and --if-match wants one.', 'Give one of them only.')
  }
  const etag = parseEtag(ifMatch)
  if (etag === undefined) {
    throw usage(`--if-match "${ifMatch}" is not an ETag.`, 'Give it as a store tells it, with or without its quotes.')
  }
  return { ifMatch: etag }
}

/** @param {WriteCondition} condition */
function isConditional({ ifNoneMatch, ifMatch }) {
  return ifNoneMatch === true || ifMatch !== undefined
}

/**
 * @param {Looked} found
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
 * Checks the condition before any byte is copied. A dry run always looks, because it does not learn anything by writing. Any other
 * copy only makes itself known to a store that is not known by its host: by its answer that tells its name, and so what it takes.
 *
 * @param {Pick<Job, 'destination' | 'settings' | 'trust' | 'run'>} job
 * @param {{ inParts?: boolean }} [how] inParts: nobody needs to know what is there
 * @returns {Promise<Looked | undefined>} undefined: it has not looked
 */
async function checkDestination({ destination, settings, trust, run }, { inParts = false } = {}) {
  const { condition, dryRun } = settings
  const { store, key } = destination
  const { journal, cancel: signal } = run
  // The object there may be the one that this job wrote.
  if (journal.state.completing || !(isConditional(condition) || dryRun)) {
    if (inParts) await trust.known({ prefix: key, signal })
    return (store.named?.() ?? true) ? undefined : await lookFirst(destination, signal)
  }
  const found = await look(destination, signal)
  checkFound(found, condition, store.facts)
  return found
}

/**
 * Reports the refusal of a write by the condition that was given.
 *
 * @param {XferError} error
 * @param {WriteCondition} condition
 * @returns {XferError}
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
async function judgeCondition(
  { destination, settings, run: { abort: signal } },
  { unconditional, stored },
  { upload },
) {
  const { condition } = settings
  if (!isConditional(condition)) return undefined
  const { store } = destination
  if (!unconditional && store.heeds?.({ upload })) return 'atomic'
  if (stored) return 'checked'
  const { denied } = await look(destination, signal).catch(() => UNSEEN)
  return denied ? 'asked' : 'checked'
}

/** How long the removal of a wrong copy may take, also after Ctrl-C. */
const REMOVAL_LIMIT_MS = 15_000
/** Whatever `--retries` says: an object that stays would be taken for right. */
const REMOVAL_RETRIES = 5
/** The version id of objects written while versioning is suspended: the next write replaces such an object. */
const NO_VERSION = 'null'
const REPLACED = 'somebody else has replaced it meanwhile, and that object was left alone'

/** @typedef {Pick<import('../job/open').Side, 'store' | 'key'>} LookedPlace */

/**
 * Removes an object that we wrote and know to be wrong, and no other object: by its version id if that is known, else on the
 * condition that it has our ETag. If the store does not support that condition, the ETag is checked first. Then an object that
 * somebody writes between the check and the removal is removed too (see docs/integrity.md).
 *
 * @param {LookedPlace} place
 * @param {{ etag: string, versionId?: string }} written from the answer to the write; etag: empty if the answer had none
 * @returns {Promise<string>} the state of the destination now, as half a sentence
 */
async function removeWrong(place, written) {
  const signal = AbortSignal.timeout(REMOVAL_LIMIT_MS)
  try {
    if (isVersion(written.versionId)) return await removeFound(place, written, signal)
    const { object, denied } = await repeat(() => look(place, signal), { retries: REMOVAL_RETRIES, signal })
    if (denied) return 'it was left there, for the destination does not let it be looked at'
    if (!object) return 'nothing is there now'
    return sameEtag(object.etag, written.etag) ? await removeFound(place, object, signal) : REPLACED
  } catch (cause) {
    return stillThere(cause)
  }
}

/**
 * @param {LookedPlace} place
 * @param {{ etag: string, versionId?: string }} wrong
 * @param {AbortSignal} signal
 */
async function removeFound({ store, key }, { etag, versionId }, signal) {
  const versioned = isVersion(versionId)
  let refused = false
  try {
    // Where the store does not support the condition, the ETag was checked a moment ago.
    const remove = () => removeIfSame(store, versioned ? { key, versionId } : { key, etag }, { signal })
    await repeat(remove, { retries: REMOVAL_RETRIES, signal })
  } catch (cause) {
    if (versioned) {
      return `${stillThere(cause)}; deleting its version ${versionId} brings back the version before it, if there is one`
    }
    // Azurite says so, too, of an object that an attempt before has removed, whose answer was lost.
    refused = asXferError(cause).code === 'DESTINATION_EXISTS'
    if (!refused) throw cause
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (refused && (!now || now.denied || now.object)) return REPLACED
  if (versioned && (!now || now.denied)) return 'its version was removed'
  if (!now?.object)
    return `it was removed, so that nothing is there now${versioned ? '' : ', nor what it may have replaced'}`
  const same = sameEtag(now.object.etag, etag) && (!versioned || now.object.versionId === versionId)
  if (same) return 'the wrong object is still there, though its store answered that it was removed'
  return versioned
    ? 'it was removed, and the version before it, or a newer one of somebody else, is there now'
    : 'it was removed, and somebody else has written another one since'
}

/**
 * Removes an object on the condition that it has this ETag; without a condition where the store takes none.
 *
 * @param {Pick<import('../types').Store, 'remove'>} store
 * @param {{ key: string, etag?: string, versionId?: string }} object
 * @param {Parameters<import('../types').Store['remove']>[1]} how
 * @throws {import('../types').XferError} DESTINATION_EXISTS if it has another one; the store's errors
 */
async function removeIfSame(store, object, how) {
  try {
    await store.remove(object, how)
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    if (object.etag === undefined || code !== 'STORE_REFUSED' || (facts.status !== 501 && facts.status !== 400))
      throw cause
    await store.remove({ key: object.key }, how)
  }
}

/** @param {string | undefined} versionId @returns {versionId is string} */
function isVersion(versionId) {
  return versionId !== undefined && versionId !== NO_VERSION
}

/** @param {unknown} cause */
function stillThere(cause) {
  const { code, message } = asXferError(cause)
  if (code === 'NO_SUCH_KEY') return 'nothing is there now'
  return `the wrong object is still there, for it could not be removed (${message.replace(/\.$/, '')})`
}

module.exports = {
  anotherObject,
  UNKNOWN_TIMING,
  UNSEEN,
  removeIfSame,
  removeWrong,
  acceptGone,
  look,
  judge,
  isUnchanged,
  leavesOpen,
  lookFirst,
  lookUntilShown,
  neverSent,
  notTheCopy,
  unknownOutcome,
  readCondition,
  isConditional,
  checkFound,
  checkDestination,
  asConditionError,
  judgeCondition,
}

'use strict'

/**
 * The writer of objects that need one request: through an engine or by the store itself, a single one or millions below a
 * prefix. Its steps: find the expected checksum → send → check the responses → read back what they do not prove → done,
 * write again, or remove.
 */

const { AGAIN } = require('../async')
const {
  anotherObject,
  checkFound,
  asConditionError,
  isConditional,
  isUnchanged,
  look,
  removeWrong,
  UNKNOWN_TIMING,
  unknownOutcome,
} = require('../destination')
const { asXferError, rootOf } = require('../errors')
const { hasCrc, isSamePinned, sameEtag } = require('../integrity')
const { hasAttributes, refusedWith } = require('./attributes')
const { notice } = require('../notices')
const { createProver, resultOf } = require('./prove')
const { expectedOf, readAgain, throughEngine } = require('./through-engine')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {Pick<import('../job/open').Side, 'store' | 'key' | 'text' | 'settings'> & { versionId?: string }} OrderEnd */
/**
 * The source as it is known now: from a list, from a HEAD, or from what a read said of it. headers: describing ones, of what was
 * asked for by its name; absent: to be guessed, or not of interest; tags: how many; absent: what the headers tell; undefined:
 * nobody could be asked yet
 *
 * @typedef {Pick<ObjectHead, 'bytes' | 'etag'> & Partial<Omit<ObjectHead, 'tags'>> & { headers?: Record<string, string>, tags?: number | undefined }} KnownSource
 *
 * What reads an object again, to compare it: reading registers the ranges, and returns the listener for their events.
 * @typedef {import('../verify/read').ReadWork & Pick<import('../types').WriteWork, 'reading'>} Reader
 *
 * Parts through the scheduler, which repeats them: here the one that is the whole object.
 * @typedef {(parts: import('../types').Part[], how: import('../schedule/queue').GroupHow) => Promise<TaskSuccess[]>} Schedule
 *
 * One object that is to be written in one request.
 * @typedef {object} Order
 * @property {OrderEnd} from
 * @property {OrderEnd} to
 * @property {KnownSource} source
 * @property {import('../destination/conditions').Looked} [before] what was at the destination beforehand; absent where nobody looked
 * @property {() => Promise<KnownSource | undefined>} [ask] asks for the source again; undefined when it is gone. Absent: a source that
 *   changed is an error
 * @property {(source: KnownSource, settings: import('../job/open').Context['settings']) => boolean} [inParts] whether it needs parts, as it is now
 * @property {(event: any) => void} emit is told of what happens to it, notices too
 * @property {() => void} restart what was moved so far was in vain
 * @property {boolean} [alone] others wait for it
 * @property {() => void} [written] nothing is left to do but the last look
 * @property {() => void} [unproved] it was written, and the job ends before it is proved
 *
 * An attempt. attributes: those that it was written with; checksum: whether its store was sent one; source: as the read told it;
 * told: by the answer to the write; notices: of what is not copied
 * @typedef {{ error?: undefined, attributes: ObjectAttributes, checksum: boolean, source: KnownSource, outcome: TaskSuccess, told: import('../integrity/evidence').Reported & { etag: string, versionId?: string }, notices: import('../types').Notice[] }} SentPut
 *
 * A failed one. open: whether one that was sent may have been written, whatever was said of the last
 * @typedef {{ attributes: ObjectAttributes, error: XferError, open: boolean }} FailedPut
 *
 * How bytes get there: through an engine, or by the store itself.
 * @typedef {object} Via
 * @property {(order: Order, source: KnownSource, how: { known: import('../types').Sums, condition: import('../types').WriteCondition }) => Promise<SentPut | FailedPut>} send
 *   known: what the bytes must be, where that is known: others are not written
 * @property {(order: Order, attempt: SentPut, how: { checked: boolean, stored?: ObjectHead, bytes?: number }) => Promise<import('../integrity/evidence').Weighed>} weigh
 *   what the answer, and what was found at the destination afterwards, prove of what is stored
 * @property {(attempt: SentPut) => boolean} asks whether a HEAD is needed to weigh it
 * @property {(order: Order, source: KnownSource, object: ObjectHead) => Promise<{ verdict: 'ours' | 'other' | 'unknown', proof: Proof[], outcome?: TaskSuccess }>} judge
 *   what is there, of an object of the right size whose write may have been carried out
 * @property {() => boolean} keepsConditions whether a write is sent its condition; else it is looked at just before
 * @property {Reader} [reader] absent: no byte passes an engine
 *
 * What was written. proof: all that is known; read: the source as it was read; unconditional: it was written without its
 * condition, which was looked at instead
 *
 * @typedef {ReturnType<typeof resultOf> & { read?: KnownSource, unconditional?: true }} PutResult
 */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('./through-engine').Expected} Expected */

/**
 * @typedef {PutResult | 'skipped' | { now: KnownSource }} PutDone skipped: the source is gone, or the destination's object is left
 *   alone; now: the source was replaced by one that does not fit one request
 *
 * The state of one object in flight.
 * @typedef {object} State
 * @property {Order} order
 * @property {KnownSource} source
 * @property {Expected} expected
 * @property {SentPut['told']} [ours] our last write, known to be wrong
 * @property {boolean} written whether a write happened, or may have happened
 * @property {number} changes of the source
 * @property {number} conflicts with others who write the key
 * @property {number} readings
 * @property {number} rewrites
 */

/** Errors which mean that the source may have been replaced or deleted. */
const CHANGES = new Set(['SOURCE_CHANGED', 'NO_SUCH_KEY', 'HEADERS_DIFFER'])
/** Errors which mean that the source's bytes were not the expected ones. */
const READ_OTHERWISE = new Set(['MD5_DIFFERS', 'READ_CORRUPTED'])

/**
 * @param {object} how
 * @param {import('../job/open').Context} how.job
 * @param {Via} how.via
 * @param {boolean} how.single whether there is only one object, so that more requests are affordable
 * @param {import('../types').WriteWork['looks']} [how.looks] of many objects: the last look, a thousand at a time
 * @param {boolean} [how.skipsExisting] an existing object is left alone without an error
 */
function createPut(how) {
  const { job, via, single, skipsExisting = false } = how
  const { reader } = via
  const { settings, trust } = job
  const { cancel } = job.run
  const { condition, proved } = settings
  const readings = { reader, settings, single }
  const conditional = isConditional(condition)
  /** Asked once. @type {Promise<void> | undefined} */
  let readable
  const prover = createProver(how)

  /**
   * @param {Order} order
   * @returns {Promise<PutDone>}
   * @throws {XferError} WRONG_COPY, NOT_PROVED, INTEGRITY, OUTCOME_UNKNOWN; the stores' errors
   */
  async function put(order) {
    /** @type {State} */
    const state = {
      order,
      source: order.source,
      expected: await expectedOf(order, order.source, readings),
      ours: undefined,
      written: false,
      changes: 0,
      conflicts: 0,
      readings: 0,
      rewrites: 0,
    }
    try {
      for (;;) {
        const done = await attemptOnce(state)
        if (done === undefined) order.restart()
        else if (typeof done !== 'string' && 'proof' in done)
          return done.read ? done : Object.assign(done, { read: state.source })
        else {
          if (state.ours) await removeWrong(order.to, state.ours)
          return done
        }
      }
    } catch (cause) {
      if (state.written) order.unproved?.()
      // The earlier wrong copy is still there.
      if (state.ours) throw await prover.wrong(order, state.ours, 'it is not what was sent', asXferError(cause))
      throw cause
    }
  }

  /**
   * Checks, before anything is written, whether the destination may be read, if the copy will have to be read back.
   *
   * @param {Order} order
   * @param {KnownSource} source
   * @throws {XferError} READ_BACK_REFUSED
   */
  async function mayReadBack({ to }, source) {
    const { checkReadable } = require('../verify')
    const { storageClass: wish } = settings.attributes
    const storageClass = 'name' in wish ? wish.name : source.storageClass
    const attributes = { metadata: { headers: {}, user: {} }, storageClass }
    const work = { job: { destination: to, run: job.run }, attributes }
    await checkReadable(work, { checked: true })
    if (trust.put()) return
    readable ??= checkReadable(work, { checked: false })
    await readable
  }

  /** @param {State} state @returns {Promise<PutDone | undefined>} undefined: once more */
  async function attemptOnce(state) {
    const { order, source, expected } = state
    const looks = conditional && !via.keepsConditions()
    if (order.inParts?.(source, settings)) return { now: source }
    if (proved && reader && prover.readsBack) await mayReadBack(order, source)
    if (looks && order.to.store.can.ignoresConditions)
      order.emit(notice('CONDITIONS_NOT_SUPPORTED', single ? {} : { each: true }))
    if (looks && !(await mayWrite(state))) return 'skipped'
    // The second write may replace only our own wrong copy.
    const wanted = state.ours ? { ifMatch: state.ours.etag } : condition
    const attempt = await via.send(order, source, { known: expected.known, condition: looks ? {} : wanted })
    state.written ||= 'outcome' in attempt || attempt.open
    if (!('outcome' in attempt)) return await afterFailure(state, attempt)
    state.ours = undefined
    for (const notice of attempt.notices) order.emit(notice)
    const lastTry = state.rewrites++ === AGAIN.WRONG_COPY
    const done = await prover.prove(order, attempt, { expected, lastTry })
    if ('proof' in done) {
      const put = /** @type {PutResult} */ (done)
      put.read = attempt.source
      if (looks) put.unconditional = true
      return put
    }
    state.ours = done.missing ? undefined : attempt.told
    state.expected = done.expected
    return undefined
  }

  /**
   * Decides what follows a failed or refused write.
   *
   * @param {State} state
   * @param {FailedPut} attempt
   * @returns {Promise<PutDone | undefined>} undefined: once more
   * @throws {XferError}
   */
  async function afterFailure(state, attempt) {
    const { order, source } = state
    const { error } = attempt
    const { code } = rootOf(error)
    const aboutSource = CHANGES.has(code) || READ_OTHERWISE.has(code)
    if (attempt.open && !aboutSource && !cancel?.aborted) {
      const found = await judgeFailedPut(order, source, attempt)
      if (found === 'other') {
        if (state.rewrites++ < AGAIN.WRONG_COPY && (!conditional || state.ours)) return undefined
        throw anotherObject(/** @type {any} */ (order.to), error)
      }
      if (found) {
        state.ours = undefined
        return found
      }
    }
    if (cancel?.aborted) throw error
    if (reader && READ_OTHERWISE.has(code) && !hasCrc(source.sums) && state.readings++ < AGAIN.DOUBTFUL_SOURCE) {
      order.emit(notice('READING_SOURCE', { again: true }))
      state.expected = await readAgain(order, source, { reader })
      return undefined
    }
    if (code === 'DESTINATION_EXISTS' && state.ours) {
      // Either somebody has replaced the wrong copy, or the store does not support this condition.
      await removeWrong(order.to, state.ours)
      state.ours = undefined
      return undefined
    }
    if (code === 'DESTINATION_EXISTS' && skipsExisting) return 'skipped'
    if (CHANGES.has(code) && order.ask && state.changes++ < AGAIN.CHANGED_SOURCE) {
      const now = await order.ask()
      if (!now) return 'skipped'
      const same = code === 'SOURCE_CHANGED' && isSamePinned(now, source)
      // In a server-side copy the store itself may keep seeing a different source, so a retry would not end.
      if (!reader && same) throw error
      // Where a HEAD shows the same ETag, that could not be compared.
      state.source = order.from.store.pin(now, same)
      state.expected = await expectedOf(order, state.source, readings)
      return undefined
    }
    if (code === 'UPLOAD_CONFLICT' && state.conflicts++ < AGAIN.CONFLICT) {
      // Somebody else is writing the key now: the next response shows the result.
      const { message } = error
      order.emit({ type: 'retry', call: 'write', side: 'destination', attempt: state.conflicts, code, message })
      return (await mayWrite(state)) ? undefined : 'skipped'
    }
    throw refusedWith(attempt.attributes, asConditionError(error, condition))
  }

  /** For a destination without conditional writes: checks the condition as late as possible. @param {State} state */
  async function mayWrite({ order: { to }, ours }) {
    if (!conditional) return true
    const found = await look(to, cancel)
    if (ours && found.object && sameEtag(found.object.etag, ours.etag)) return true
    if (skipsExisting) return found.object === undefined
    checkFound(found, condition, to.store.facts)
    return true
  }

  /**
   * After a lost response, or if the first attempt's own object made the second fail: compares the destination's object.
   *
   * @param {Order} order
   * @param {KnownSource} source
   * @param {FailedPut} attempt
   * @returns {Promise<PutResult | 'other' | undefined>} other: an object of the same size that is not the copy, but may be the
   *   result of an attempt; undefined: no object, or certainly another one
   * @throws {XferError} OUTCOME_UNKNOWN
   */
  async function judgeFailedPut(order, source, { error, attributes }) {
    const { to, before } = order
    const unknown = (/** @type {string} */ why) =>
      unknownOutcome(/** @type {any} */ (to), `an answer was lost, and ${why}`, error)
    const { object, denied } = await look(to, job.run.abort).catch(() => ({ object: undefined, denied: true }))
    if (denied) throw unknown('it cannot be looked at')
    if (object?.bytes !== source.bytes) return undefined
    if (!(await hasAttributes(to, attributes, { object, before }, job.run.abort))) return undefined
    const judged = await via.judge(order, source, object).catch(() => {
      throw unknown('what is there cannot be compared with the source')
    })
    if (isUnchanged(before, object) && judged.verdict !== 'ours') return undefined
    if (judged.verdict === 'unknown') throw unknown('nothing tells whether what is there is the copy')
    if (judged.verdict === 'other') return 'other'
    const { bytes, etag, versionId } = object
    const outcome = judged.outcome ?? { partNumber: 1, bytes, etag, sums: {}, timing: UNKNOWN_TIMING }
    order.emit({ type: 'part', partNumber: 1, bytes, sums: outcome.sums, attempt: 1, elapsedMs: 0 })
    const told = { etag, versionId, sums: object.sums }
    return resultOf({ outcome, told, attributes }, object, judged.proof)
  }

  return put
}

module.exports = {
  createPut,
  throughEngine,
  // Loaded on use.
  get byStore() {
    return require('./by-store').byStore
  },
}

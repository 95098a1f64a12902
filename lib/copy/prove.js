'use strict'

/**
 * Proves an object of one request once it is written: by the responses, by the last look, or by reading it back. Decides whether it
 * has to be written again, and removes a copy that is still wrong in the end.
 */

const { AGAIN } = require('../async')
const { isUnchanged, lookUntilShown, notTheCopy, removeWrong } = require('../destination')
const { XferError, asXferError, factsOfCause, rootOf } = require('../errors')
const { claimsOf, judgeSource, namesOf, sameCrcs, sameEtag, shownOf } = require('../integrity')
const { notice } = require('../notices')
const { damaged, readAgain, readWhole } = require('./through-engine')

/** @typedef {import('./small').OrderEnd} OrderEnd */
/** @typedef {import('./small').KnownSource} KnownSource */
/** @typedef {import('./small').Order} Order */
/** @typedef {import('./small').Reader} Reader */
/** @typedef {import('./small').SentPut} SentPut */
/** @typedef {import('./small').PutResult} PutResult */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('./through-engine').Expected} Expected */

/** Errors which may mean that the destination has another object than the written one. */
const OF_ANOTHER = new Set(['OBJECT_CHANGED', 'NO_SUCH_KEY', 'BAD_ANSWER'])

/**
 * @param {Pick<Parameters<typeof import('./small').createPut>[0], 'job' | 'via' | 'single' | 'looks'>} how as in `createPut`
 */
function createProver({ job, via, single, looks }) {
  const { settings, trust } = job
  const reader = /** @type {Reader} */ (via.reader)
  const readable = via.reader !== undefined
  const { cancel } = job.run
  const { proved } = settings
  const prover = {
    prove,
    wrong,
    /** Whether objects have to be read back: that was asked for, or the store's responses have left one without proof. */
    readsBack: settings.verify === 'full',
  }

  /**
   * Takes the proofs of the responses, first for the bytes that were read, then for those that are stored. Reads back what
   * they leave open.
   *
   * @param {Order} order
   * @param {SentPut} attempt
   * @param {{ expected: Expected, lastTry: boolean }} how
   * @returns {Promise<PutResult | { expected: Expected, missing?: boolean }>} expected: it has to be written again with this; missing: nothing
   *   is there
   */
  async function prove(order, attempt, { expected, lastTry }) {
    const read = await proveRead(order, attempt, expected)
    if ('again' in read) {
      if (!lastTry) return { expected: read.again }
      throw await wrong(order, attempt.told, 'it is not what the source has')
    }
    const { stored, bytes, missing = false, denied, other } = await lookAt(order, attempt)
    const weighed = await via.weigh(order, attempt, { checked: attempt.checksum && trust.put(), stored, bytes })
    const verdict = missing || other ? 'contradicted' : weighed.verdict
    const step = stepAfter(verdict, { missing, readable, proved, full: settings.verify === 'full' })
    if (step === 'not-the-copy') {
      const shown = other ? undefined : wordsOf(weighed, missing)
      throw notTheCopy(/** @type {any} */ (order.to), settings.condition, shown)
    }
    if (step === 'not-proved') throw notProved(order, 'its store tells nothing of it')
    if (step === 'done') {
      if (denied && settings.verify === 'size') throw notProved(order, 'its size could not be asked for', 'none')
      return resultOf(attempt, stored, claimsOf(attempt.source, stored ?? attempt.told, weighed.proofs, read.proofs))
    }
    if (verdict === 'unproved') tellReadBack(order)
    const words = () => (other && !proved ? wordsOfOther(order, other) : wordsOf(weighed, missing))
    const back = step === 'read-back' ? await readBack(order, attempt) : words()
    if (back === 'equal') {
      /** @type {Proof[]} */
      const stores = [...weighed.proofs, 'read-back']
      return resultOf(attempt, stored, claimsOf(attempt.source, stored ?? attempt.told, stores, read.proofs))
    }
    if (!lastTry) return { expected: { ...expected, known: { ...expected.known, ...attempt.outcome.sums } }, missing }
    throw await wrong(order, attempt.told, back)
  }

  /** If the responses do not prove one object, they will not prove the others. @param {Order} order */
  function tellReadBack({ to, emit }) {
    if (!prover.readsBack && !single) emit(notice('READ_BACK_NEEDED', { unknown: to.store.unknown?.() }))
    prover.readsBack = true
  }

  /**
   * The last look: the destination must show the object. A single one gets a HEAD; of many a list shows a thousand, and what it
   * does not show as it was written gets a HEAD. Two kinds are no more looked at: an object that a store is known to check and to
   * show at once, uploaded by a service, and a file below a prefix, which was synced and renamed.
   *
   * @param {Order} order
   * @param {SentPut} attempt
   * @returns {Promise<{ stored?: ObjectHead, bytes?: number, missing?: boolean, denied?: boolean, other?: ObjectHead }>} other:
   *   an object with another ETag than the answer to the write
   */
  async function lookAt(order, attempt) {
    const { to, source } = order
    const { etag } = attempt.told
    const { bytes } = attempt.outcome
    const mayMislead = to.key.endsWith('/') && source.bytes > 0
    // A hierarchical namespace lists no mark of a folder.
    const asks = mayMislead || source.marksFolder || (proved && via.asks(attempt))
    if (!single && !asks && (!looks || to.store.can.written)) return {}
    let listed
    if (looks && !asks) {
      order.written?.()
      listed = await looks.of(to.key, { bytes, etag }, order.alone)
    }
    if (listed === 'shown') return { bytes }
    const head = () => lookUntilShown(to, etag, job.run.abort)
    const { object, denied, error } =
      listed === 'denied'
        ? /** @type {Awaited<ReturnType<typeof head>>} */ ({ denied: true })
        : await (listed && looks ? looks.oneByOne(head) : head())
    if (denied) {
      if (!error) looks?.denied()
      order.emit(notice('COPY_NOT_LOOKED_AT', { location: to.text, reason: error?.message ?? 'it may not be read' }))
      return { denied }
    }
    if (!object) return { missing: true }
    looks?.headed()
    // An empty folder means that the store dropped the bytes. A store that copies by itself may tell an ETag of its own.
    const dropped = mayMislead && object.bytes === 0
    if (!sameEtag(object.etag, etag) && !dropped) {
      const before = isUnchanged(order.before, object)
      if (before || object.bytes !== bytes || (readable && proved)) return { other: object }
    }
    if (listed === 'unlisted') await looks?.mustList(to.key)
    return { stored: object, bytes: object.bytes }
  }

  /**
   * @param {Order} order
   * @param {SentPut} attempt
   * @param {Expected} expected
   * @returns {Promise<{ proofs: Proof[] } | { again: Expected }>} again: two readings differ; what a third must match
   * @throws {XferError} INTEGRITY if two readings are equal and do not match the source's stored checksum
   */
  async function proveRead(order, { source, outcome, told }, expected) {
    const object = /** @type {any} */ (source)
    const evidence = readable && proved ? judgeSource(object, [outcome], false) : undefined
    if (evidence?.verdict !== 'different') return { proofs: expected.proofs.concat(evidence?.proofs ?? []) }
    if (!expected.proofs.includes('source-read')) {
      order.unproved?.()
      order.emit(notice('READING_SOURCE', { again: true }))
      const again = await readAgain(order, source, { reader, sums: namesOf(outcome.sums) }).catch(async cause => {
        const error = asXferError(cause)
        if (error.code === 'INTEGRITY') throw await notTheSource(order, told, error)
        // An ETag may not be an MD5, but a checksum is certain: the written object is not what the source stores.
        if (evidence.by !== 'etag') throw await wrong(order, told, 'it is not what the source keeps', error)
        if (cancel?.aborted) throw error
        throw notProved(order, `the source could not be read a second time (${error.code})`)
      })
      if (!sameCrcs(again.known, outcome.sums)) return { again }
    }
    if (evidence.by === 'etag') {
      order.emit(notice('SOURCE_ETAG_DIFFERS'))
      return { proofs: ['source-read'] }
    }
    throw await notTheSource(order, told, damaged(source, evidence.by))
  }

  /**
   * Removes the copy: it is as wrong as the bytes that were read.
   *
   * @param {Order} order
   * @param {SentPut['told']} told
   * @param {XferError} cause
   * @returns {Promise<XferError>} INTEGRITY
   */
  async function notTheSource({ to }, told, cause) {
    return new XferError('INTEGRITY', { ...cause.facts, now: await removeWrong(to, told) }, { cause })
  }

  /**
   * @param {Order} order
   * @param {SentPut} attempt
   * @returns {Promise<'equal' | string>} `equal`, or a clause that says what is wrong
   * @throws {XferError} OBJECT_CHANGED, NOT_PROVED, NOT_READ_BACK
   */
  async function readBack(order, { outcome, told }) {
    const { to, source } = order
    if (single) order.emit(notice('READING_BACK'))
    let differs = false
    let { etag } = told
    /** Why the last reading failed. @type {XferError | undefined} */
    let refusal
    for (let reading = 0; reading <= AGAIN.DOUBTFUL_READING; reading++) {
      try {
        const object = { etag, bytes: outcome.bytes }
        const found = await readWhole(reader, to, object, 'OBJECT_CHANGED', namesOf(outcome.sums))
        if (sameCrcs(found, outcome.sums)) return 'equal'
        if (!sameEtag(etag, told.etag)) throw replaced(order)
        differs = true
      } catch (cause) {
        const error = rootOf(cause)
        if (cancel?.aborted) {
          order.unproved?.()
          throw error
        }
        if (!OF_ANOTHER.has(error.code)) throw unread(order, error)
        if (!sameEtag(etag, told.etag)) throw replaced(order, error)
        const { object, denied } = await lookUntilShown(to, told.etag, job.run.abort)
        if (denied) throw unread(order, error)
        if (!object) return 'nothing is there, though its store had taken it'
        if (!sameEtag(object.etag, told.etag)) {
          if (object.bytes !== source.bytes || isUnchanged(order.before, object)) return wordsOfOther(order, object)
          // There are stores whose answer to a write has another ETag than the object: its bytes tell.
          etag = object.etag
          continue
        }
        if (object.bytes !== source.bytes) return `it has ${object.bytes} bytes, and ${source.bytes} were sent`
        if (error.code === 'BAD_ANSWER') throw unread(order, error)
        refusal = error
      }
    }
    // A copy that could not be read is not known to be wrong.
    if (refusal && !differs) throw unread(order, refusal)
    return 'it is not what was sent'
  }

  /**
   * Removes a copy that is known to be wrong.
   *
   * @param {Order} order
   * @param {SentPut['told']} told
   * @param {string} reason a clause
   * @param {XferError} [cause] why it was not written again
   */
  async function wrong({ to, source }, told, reason, cause) {
    return await require('../verify').wrongCopy(to, told, { reason, bytes: source.bytes }, cause)
  }

  return prover
}

/**
 * @param {Pick<SentPut, 'outcome' | 'told' | 'attributes'>} attempt
 * @param {ObjectHead | undefined} stored
 * @param {Proof[]} proof
 * @returns {Pick<SentPut, 'outcome' | 'attributes'> & { bytes: number, etag: string, versionId?: string, sums: import('../types').Sums, stored?: ObjectHead, proof: Proof[] }}
 */
function resultOf({ outcome, told, attributes }, stored, proof) {
  const { bytes } = outcome
  const { etag, versionId = stored?.versionId } = told
  const sums = { ...(stored?.sums ?? told.sums), ...outcome.sums }
  return { bytes, etag, versionId, outcome, sums, attributes, stored, proof }
}

/**
 * What follows a write, by what its answer and the last look say of the object. Pure.
 *
 * | step | means |
 * | --- | --- |
 * | `done` | it is proved, or nobody asked for a proof and nothing speaks against it |
 * | `read-back` | it is read, which decides |
 * | `wrong` | it is written again, and in the end removed |
 * | `not-the-copy` | no byte passed an engine: an engine has to copy it |
 * | `not-proved` | the same, and nothing is known of it |
 *
 * @param {'proved' | 'unproved' | 'contradicted'} verdict
 * @param {{ missing: boolean, readable: boolean, proved: boolean, full: boolean }} of missing: the destination does not show it; readable:
 *   an engine reads; proved: the copy is to be proved; full: by reading it back, whatever else proves it
 */
function stepAfter(verdict, { missing, readable, proved, full }) {
  if (verdict === 'contradicted') {
    if (!readable) return 'not-the-copy'
    return proved && !missing ? 'read-back' : 'wrong'
  }
  if (!proved) return 'done'
  if (verdict === 'proved') return full && readable ? 'read-back' : 'done'
  return readable ? 'read-back' : 'not-proved'
}

/** What is wrong, as a clause. @param {import('../integrity/evidence').Weighed} weighed @param {boolean} [missing] */
function wordsOf(weighed, missing) {
  if (missing) return 'nothing is there, though its store had taken it'
  const { words, one, other } = shownOf(weighed) ?? {}
  return words
    ? `its ${words} is ${other}, and not ${one}`
    : `it has ${weighed.found} bytes, and not ${weighed.expected}`
}

/** @param {Order} order @param {string} reason a clause @param {'size|none' | 'none'} [instead] */
function notProved({ to }, reason, instead = 'size|none') {
  return new XferError('NOT_PROVED', { ...to.store.facts, location: to.text, reason, instead })
}

/** @param {Order} order @param {XferError} error */
function unread(order, error) {
  if (error.code === 'ACCESS_DENIED' || error.code === 'ARCHIVED') {
    return notProved(order, `it cannot be read back (${error.facts.storeCode ?? error.code})`)
  }
  return new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: order.to.text }, { cause: error })
}

/**
 * What an object with another ETag says of the copy.
 *
 * @param {Order} order
 * @param {ObjectHead} object
 * @returns {string} a clause
 * @throws {XferError} OBJECT_CHANGED: somebody else wrote it
 */
function wordsOfOther(order, object) {
  if (isUnchanged(order.before, object)) return 'what was there before is still there, though its store had taken it'
  throw replaced(order)
}

/** @param {Order} order @param {XferError} [cause] */
function replaced({ to }, cause) {
  const advice = 'Look at what is there now: somebody else wrote it after the copy was complete.'
  return new XferError('OBJECT_CHANGED', { ...to.store.facts, location: to.text, advice }, { cause })
}

module.exports = { createProver, resultOf, stepAfter }

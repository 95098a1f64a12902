'use strict'

/** What became of each object: counted, written into the journal, and told. */

const { XferError } = require('../../errors')

/** @typedef {import('../../types').JobEvent} JobEvent */
/** @typedef {import('./writers').Copied} Copied */

/**
 * The bytes of one object that were counted as they moved; `before`: those that an earlier run had moved.
 *
 * @typedef {import('../report/tally').Moved} Moved
 */

/** Failures that the journal has by name; a resumed run finds the other ones by listing again. */
const MOST_NAMED = 10_000
/** Errors that may leave a wrong copy of ours at the destination, so that its time proves nothing. */
const UNSURE = new Set('WRONG_COPY NOT_PROVED NOT_READ_BACK OUTCOME_UNKNOWN OBJECT_CHANGED INTEGRITY'.split(' '))

/** @param {Pick<import('./objects').How, 'job' | 'selection' | 'failures' | 'tally' | 'inOrder' | 'onCopied'>} how */
function createOutcomes({ job, selection, failures, tally, inOrder: { emit }, onCopied }) {
  /**
   * Makes NOT_A_STORE the error of one object if the store has listed or taken other objects.
   *
   * @param {import('../../types').XferError} error
   */
  function ofOne(error) {
    const { code, facts } = error
    const listed = selection.filesFrom === undefined && (facts.side === 'source' || selection.compares)
    if (code !== 'NOT_A_STORE' || !(listed || tally.counts.copied > 0)) return error
    return new XferError('BAD_ANSWER', facts, { cause: error })
  }

  /** Names that failed, in this run of the job or an earlier one. @returns {Set<string>} */
  const named = () => job.run.journal.state.prefix?.failed ?? new Set()

  /**
   * @param {string} name
   * @param {import('../../types').XferError} cause
   * @param {import('../report/tally').Moved} [moved]
   * @param {(event: import('../../types').JobEvent) => void} [tell]
   * @returns {boolean} false: a resumed run has to process it again
   */
  function fail(name, cause, moved = { seen: 0 }, tell = emit) {
    const error = ofOne(cause)
    if (!failures.note(name, error, moved)) return false
    const { code, message, hint } = error
    tell({ type: 'failure', name, code, message, hint })
    if (named().size >= MOST_NAMED && !named().has(name)) return false
    job.run.journal.note({ type: 'failed', name, ...(UNSURE.has(code) && { unsure: /** @type {const} */ (true) }) })
    return true
  }

  /** The failure of an earlier run is over. @param {string} name */
  function noteOver(name) {
    if (named().has(name)) job.run.journal.note({ type: 'over', name })
  }

  return {
    fail,

    /** @param {string} name @param {Copied} copied @param {Moved} moved */
    copied(name, copied, moved) {
      noteOver(name)
      onCopied(name, copied.etag)
      tally.copied(copied, moved, Date.now())
      const { bytes, etag, crc32, sums, versionId, proof } = copied
      /** @type {any} */
      const event = { type: 'object', action: job.settings.move ? 'move' : 'copy', name, bytes, etag }
      if (crc32 !== undefined) event.crc32 = crc32
      if (sums) event.sums = sums
      if (versionId !== undefined) event.versionId = versionId
      event.proof = proof
      emit(event)
    },

    /**
     * The destination's object was left alone: with --ignore-existing, or --no-clobber, its other name.
     *
     * @param {string} name
     * @param {Moved & { bytes: number }} sizes
     * @param {boolean} unsure whether it may be an unproved copy of an earlier run
     * @throws {XferError} NOT_PROVED
     */
    left(name, sizes, unsure) {
      if (unsure) {
        const { store, text } = job.destination
        const reason =
          'an earlier run of the job may have written it, and --ignore-existing or --no-clobber leaves it alone'
        const advice = 'Check the object; without that option it is copied again. Nothing was removed.'
        throw new XferError('NOT_PROVED', { ...store.facts, location: text + name, reason, advice })
      }
      noteOver(name)
      tally.notCopied('skipped', sizes)
    },

    /** It is no longer at the source. @param {string} name @param {Moved & { bytes: number }} sizes @param {(event: JobEvent) => void} [tell] */
    gone(name, sizes, tell = emit) {
      noteOver(name)
      tally.notCopied('gone', sizes)
      tell({ type: 'object', action: 'gone', name })
    },
  }
}

module.exports = { createOutcomes }

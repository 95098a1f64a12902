'use strict'

/**
 * Deletes objects of the destination that the source does not have (`xfer sync --delete`). It does so at the very end, and
 * only if both sides were listed completely and everything was copied, but for what has them in its way (held.js): an incomplete listing or
 * a failed store must not look like missing objects. Until then the names are in a temporary file, because there may be millions of them.
 */

const { eachAtOnce, inBatches } = require('../async')
const { walk } = require('../listing')
const { createSpool } = require('./select')
const { XferError, throwIfAborted } = require('../errors')
const { notice } = require('../notices')
const { createNotifyOnce } = require('./report')
const { foldersOf, hasObject, unreadable } = require('./keys')

/** Names that are judged together. */
const AT_ONCE = 64

/** @typedef {import('../job/open').Job} Job */

/**
 * @param {Job} job
 * @param {import('./selection').Selection} selection
 * @param {object} beside
 * @param {ReturnType<typeof import('./tally').createTally>} beside.tally
 * @param {Awaited<ReturnType<typeof import('./keys').createFolding>>} beside.folding
 */
function createDeletions(
  { source, destination, settings, run: { emit, journal, manifestOut } },
  selection,
  { tally, folding },
) {
  const spool = createSpool()
  let noted = 0
  /**
   * What both lists have shown so far. source: objects, before filters; chosen: objects of the destination that pass the
   * filters; lacks: fields that the source's list misses, without which it may be incomplete.
   *
   * @type {{ source: number, chosen: number, lacks?: string[] }}
   */
  let seen = { source: 0, chosen: 0 }
  const hidden = createHidden(source)
  const notifyOnce = createNotifyOnce(emit)

  /** @param {import('../types').Pair} pair @param {import('../types').Verdict} verdict */
  function saw(pair, verdict) {
    if (pair.source) seen.source++
    if (pair.destination && !verdict.filtered) seen.chosen++
  }

  /** @param {import('../types').EndStep} step */
  function ended({ unproved }) {
    seen.lacks = unproved?.source ?? seen.lacks
  }

  /** @param {string} name @param {{ code: import('../types').XferErrorCode, message: string, hint: string }} failure */
  function fail(name, { code, message, hint }) {
    tally.failed({ name, code, message }, { seen: 0 })
    emit({ type: 'failure', name, code, message, hint })
    manifestOut?.failed(name, code)
  }

  /** @param {string} name @param {{ bytes: number }} [there] the object */
  async function note(name, there) {
    noted++
    if (settings.dryRun) {
      if (await source.store.leavesOut?.(source.key + name)) return keep(name)
      tally.counts.deleted++
      emit({ type: 'object', action: 'delete', name, ...(there && { bytes: there.bytes }), why: 'extra' })
      return
    }
    await spool.add(name)
  }

  /**
   * Lists both sides again: since they were listed objects were copied, which may have taken hours.
   *
   * @param {AbortSignal} cancel
   */
  async function listAgain(cancel) {
    await forget()
    for await (const step of walk({ source, destination, skips: selection.skips, signal: cancel })) {
      if (step.type === 'end') ended(step)
      // It may be one of the objects that seem to be missing at the source.
      if (step.type === 'odd' && step.side === 'source') {
        const { name, object } = step
        if (!object.cause || !selection.judge({ name, source: object }).filtered) throw unreadable(source.store, object)
      }
      if (step.type !== 'pairs') continue
      for (const pair of step.pairs) {
        const verdict = selection.judge(pair)
        saw(pair, verdict)
        if (folding.foldsAtAll && pair.source && !verdict.filtered) folding.clashes(pair.name)
        if (verdict.action === 'delete') await note(pair.name, pair.destination)
      }
    }
  }

  /** @param {string} name of an object that the source has, but does not list */
  function keep(name) {
    const [why, { text }] = source.store.leavesOut ? ['left out', destination] : ['unlisted', source]
    notifyOnce(notice('OBJECT_KEPT', { why, location: text + name }))
  }

  /**
   * The names to delete. The source has no such object, not even one that its lists omit, and the destination does not treat the name as
   * that of an object of the source.
   *
   * @param {AbortSignal} cancel
   */
  async function* deletable(cancel) {
    for await (const batch of inBatches(spool.names(), AT_ONCE)) {
      const there = await hidden(batch, cancel)
      for (const name of batch) {
        if (there.has(name)) keep(name)
        else if (folding.spares(name))
          notifyOnce(notice('OBJECT_KEPT', { why: 'folded', location: destination.text + name }))
        else {
          manifestOut?.intend('delete', name)
          yield name
        }
      }
    }
  }

  /**
   * Keeps `--delete` from emptying a destination by mistake, such as a mistyped prefix: refuses an empty source, a list of
   * the source that may be incomplete, and too large a share of deletions.
   *
   * @throws {XferError} NOTHING_FOUND, LISTING_UNPROVED, TOO_MANY_DELETIONS
   */
  function check() {
    const { chosen, lacks } = seen
    const { of: mostOf, text: limit } = selection.mostDeleted
    const facts = { source: source.text, destination: destination.text, objects: tally.objects() }
    if (seen.source === 0) throw new XferError('NOTHING_FOUND', { ...facts, deletes: true })
    if (noted === 0) return
    if (lacks) throw new XferError('LISTING_UNPROVED', { ...facts, deletions: noted, lacks: lacks.join(', ') })
    if (noted > mostOf(chosen)) throw new XferError('TOO_MANY_DELETIONS', { ...facts, deletions: noted, chosen, limit })
  }

  async function forget() {
    noted = 0
    seen = { source: 0, chosen: 0 }
    await spool.close()
  }

  return {
    /** Call it for each listed pair. */
    saw,

    /** Call it at the end of each listed range. */
    ended,

    note,

    /** Call it for each object that the destination lists under a wrong key. */
    sawOdd() {
      notifyOnce(notice('OBJECT_KEPT', { why: 'unwritable' }))
    },

    /**
     * @throws {import('../types').XferError} NOTHING_FOUND, LISTING_UNPROVED, TOO_MANY_DELETIONS: before anything is deleted; the
     *   destination's errors
     * @param {AbortSignal} cancel
     */
    async run(cancel) {
      if (!selection.deletes) return
      check()
      if (noted === 0 || settings.dryRun) return
      if (tally.counts.copied > 0) {
        const judged = noted
        await listAgain(cancel)
        // The share is of what was there before this run, unless there is more to delete by now. This list has to be proved, too.
        if (noted > judged || seen.lacks) check()
        if (noted === 0) return
      }
      tally.deletes(noted)
      emit({ type: 'phase', phase: 'deleting', objects: noted })
      const one = { end: destination, run: { cancel, abort: cancel } }
      await removeNames(one, {
        names: deletable(cancel),
        fence: journal?.fence,
        done(name) {
          tally.counts.deleted++
          emit({ type: 'object', action: 'delete', name })
          manifestOut?.deleted(name)
        },
        fail: (name, failure) => fail(name, { ...failure, hint: 'The object stays at the destination.' }),
      })
    },

    /** Number of objects to delete. */
    noted: () => noted,

    /** Their names. */
    names: spool.names,

    close: forget,
  }
}

/**
 * Finds objects that a store has but does not list: if MinIO has an object `a`, no listing shows the objects below `a/`,
 * though they can be read. Their copies must not be deleted. A file system has links that its lists leave out.
 *
 * @param {Pick<import('../job/open').Side, 'store' | 'key'>} source of the prefix
 */
function createHidden(source) {
  const { store, key: prefix } = source
  /** Whether there is an object of that name. Names come in order, so those of one batch are enough. @type {Map<string, Promise<boolean>>} */
  const known = new Map()

  /** @param {string} name @param {AbortSignal} signal */
  async function isHidden(name, signal) {
    const below = foldersOf(name).map(folder => {
      const asked = known.get(folder) ?? hasObject(source, folder, signal)
      known.set(folder, asked)
      return asked
    })
    return (await Promise.all(below)).includes(true) && (await hasObject(source, name, signal))
  }

  /** @param {string[]} names that were not listed @param {AbortSignal} signal @returns {Promise<Set<string>>} those that exist */
  return async (names, signal) => {
    // Whether a store hides objects is learned from its answers.
    if (!store.leavesOut && !store.can.hidesBelow) return new Set()
    const isKept = (/** @type {string} */ name) => store.leavesOut?.(prefix + name) ?? isHidden(name, signal)
    const found = await Promise.all(names.map(isKept))
    known.clear()
    return new Set(names.filter((_, i) => found[i]))
  }
}

/** Removes the objects that are named, in batches. */

/** Keys in one request. */
const MOST_AT_ONCE = 1_000
/** Requests at the same time. */
const BATCHES = 4

/** @typedef {import('../job/open-one').One} One */
/** @typedef {{ code: import('../types').XferErrorCode, message: string }} RemovalFailure */

/**
 * @param {{ end: Pick<One['end'], 'store' | 'key'>, run: Pick<One['run'], 'cancel' | 'abort'> }} one the prefix
 * @param {object} how
 * @param {AsyncIterable<string>} how.names
 * @param {() => Promise<void>} [how.fence] called before each batch: whether they may still be deleted
 * @param {(name: string) => void} how.done the store has confirmed that the object is deleted
 * @param {(name: string, failure: RemovalFailure) => void} how.fail
 * @throws {import('../types').XferError} the store's errors; the reason of an abort: nothing more is deleted then
 */
async function removeNames({ end: { store, key: prefix }, run: { cancel, abort } }, { names, fence, done, fail }) {
  /** The first batch: the others wait for it, because it shows whether the store takes many in one request. @type {Promise<void> | undefined} */
  let first
  await eachAtOnce(inBatches(names, MOST_AT_ONCE), BATCHES, async batch => {
    await first
    throwIfAborted(cancel)
    const removed = removeBatch(batch)
    first ??= removed
    await removed
  })

  /** @param {string[]} batch */
  async function removeBatch(batch) {
    // A batch that has begun comes to its end, so that it is known what was deleted.
    const keys = batch.map(name => prefix + name)
    await fence?.()
    const refused = await store.removeAll(keys, { signal: abort })
    const left = new Map(refused.map(failure => [failure.key, failure]))
    for (const name of batch) {
      const failure = left.get(prefix + name)
      if (failure) fail(name, failure)
      else done(name)
    }
  }
}

module.exports = { createDeletions, removeNames }

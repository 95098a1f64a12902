'use strict'

/**
 * Deletes objects of the destination that the source does not have (`xfer sync --delete`). It does so at the very end, and
 * only if both sides were listed completely and everything was copied: an incomplete listing or a failed store must not
 * look like missing objects. Until then the names are in a temporary file, because there may be millions of them.
 */

const { mkdtemp, open, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { XferError } = require('../../errors')
const { walk } = require('../../listing')
const { lineOf, namesIn } = require('../../select')
const { checkDeletions } = require('./guards')
const { createHidden } = require('./hidden')
const { createNotifyOnce } = require('../report')
const { unreadable } = require('../keys')
const { notice } = require('../../notices')

/** Keys in one request. */
const MOST_AT_ONCE = 1_000
/** Characters that wait to be written to the file. */
const MOST_BUFFERED = 64 * 1024

/** @typedef {import('../../job/open').Job} Job */

/**
 * @param {Job} job
 * @param {import('../selection/selection').Selection} selection
 * @param {object} beside
 * @param {ReturnType<typeof import('../report/tally').createTally>} beside.tally
 * @param {ReturnType<typeof import('../keys/folding').createFolding>} beside.folding
 * @param {Pick<ReturnType<typeof import('../report').createInOrder<import('../../types').JobEvent>>, 'emit'>} beside.inOrder of a dry run
 */
function createDeletions({ source, destination, settings, run: { emit } }, selection, { tally, folding, inOrder }) {
  /** @type {{ folder: string, handle: import('node:fs/promises').FileHandle } | undefined} */
  let spool
  let buffered = ''
  let noted = 0
  /** The counts for `checkDeletions`, so far. @type {Omit<Parameters<typeof checkDeletions>[0], 'deletions'>} */
  let seen = { source: 0, chosen: 0 }
  const hidden = createHidden(source)
  const notifyOnce = createNotifyOnce(emit)

  async function write() {
    await writeBuffered().catch(cause => {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
      const advice =
        'Make room there, or name another folder with TMPDIR, then repeat the command; nothing was deleted.'
      const path = `The list of what to delete, in ${tmpdir()},`
      throw new XferError('FILE_UNWRITABLE', { path, reason: code ?? message, advice }, { cause })
    })
  }

  async function writeBuffered() {
    if (!spool) {
      const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
      spool = { folder, handle: await open(join(folder, 'deletions'), 'wx+', 0o600) }
      // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
    const text = buffered
    buffered = ''
    await spool.handle.appendFile(text)
  }

  /** @param {import('../../types').Pair} pair @param {import('../selection/selection').Verdict} verdict */
  function saw(pair, verdict) {
    if (pair.source) seen.source++
    if (pair.destination && !verdict.filtered) seen.chosen++
  }

  /** @param {import('../../types').EndStep} step */
  function ended({ unproved }) {
    if (unproved?.source) seen.lacks = unproved.source
  }

  /** @param {string} name @param {{ bytes: number }} [there] the object */
  async function note(name, there) {
    noted++
    if (settings.dryRun) {
      tally.deleted(1)
      inOrder.emit({ type: 'object', action: 'delete', name, ...(there && { bytes: there.bytes }), why: 'extra' })
      return
    }
    buffered += lineOf(name)
    if (buffered.length > MOST_BUFFERED) await write()
  }

  /**
   * Lists both sides again: this run has not seen all names, and those that an earlier run saw may have changed since.
   *
   * @param {AbortSignal} cancel
   */
  async function listAgain(cancel) {
    await forget()
    const sides = {
      source: { store: source.store, prefix: source.key },
      destination: { store: destination.store, prefix: destination.key },
    }
    for await (const step of walk({ ...sides, signal: cancel })) {
      if (step.type === 'end') ended(step)
      // It may be one of the objects that seem to be missing at the source.
      if (step.type === 'odd' && step.side === 'source') throw unreadable(source.store, step.object.key)
      if (step.type !== 'pairs') continue
      for (const pair of step.pairs) {
        const verdict = selection.judge(pair)
        saw(pair, verdict)
        if (pair.source && !verdict.filtered) folding.add(pair.name)
        if (verdict.action === 'delete') await note(pair.name, pair.destination)
      }
    }
  }

  /** @returns {AsyncIterable<Uint8Array>} */
  function spooled() {
    const { handle } = /** @type {NonNullable<typeof spool>} */ (spool)
    return handle.createReadStream({ start: 0, autoClose: false })
  }

  /** @param {string} name of an object that the source has, but does not list */
  function keep(name) {
    notifyOnce(notice('UNLISTED_OBJECT_KEPT', { location: source.text + name }))
  }

  async function forget() {
    noted = 0
    seen = { source: 0, chosen: 0 }
    buffered = ''
    const gone = spool
    spool = undefined
    if (!gone) return
    await gone.handle.close()
    await rm(gone.folder, { recursive: true, force: true })
  }

  return {
    /** Call it for each listed pair. */
    saw,

    /** Call it at the end of each listed range. */
    ended,

    note,

    /** Call it for each object that the destination lists under a wrong key. */
    sawOdd() {
      notifyOnce(notice('UNWRITABLE_KEYS_KEPT'))
    },

    /**
     * @throws {import('../../types').XferError} SOURCE_EMPTY, LISTING_UNPROVED, TOO_MANY_DELETIONS: before anything is deleted; the
     *   destination's errors
     * @param {{ ranges: boolean, cancel: AbortSignal }} how ranges: this run listed only some ranges of both sides
     */
    async run({ ranges, cancel }) {
      if (!selection.deletes) return
      if (ranges) await listAgain(cancel)
      checkDeletions(
        { ...seen, deletions: noted },
        { ...selection, objects: tally.objects(), places: { source: source.text, destination: destination.text } },
      )
      if (noted === 0 || settings.dryRun) return
      tally.deletes(noted)
      emit({ type: 'phase', phase: 'deleting', objects: noted })
      await write()
      /** @type {string[]} */
      let batch = []
      const send = async () => {
        const there = await hidden(batch, cancel)
        for (const name of there) keep(name)
        const names = []
        for (const name of batch) {
          if (there.has(name)) continue
          if (await folding.spares(name)) notifyOnce(notice('FOLDED_NAME_KEPT', { location: destination.text + name }))
          else names.push(name)
        }
        batch = []
        if (names.length === 0) return
        const keys = names.map(name => destination.key + name)
        const refused = await destination.store.removeAll(keys, { signal: cancel })
        tally.deleted(keys.length - refused.length)
        for (const { key, code, message } of refused) {
          const name = key.slice(destination.key.length)
          tally.failed({ name, code, message }, { seen: 0 })
          emit({ type: 'failure', name, code, message, hint: 'The object stays at the destination.' })
        }
        const left = new Set(refused.map(({ key }) => key))
        for (const name of names)
          if (!left.has(destination.key + name)) emit({ type: 'object', action: 'delete', name })
      }
      for await (const name of namesIn(spooled(), 'the names to delete')) {
        batch.push(name)
        if (batch.length === MOST_AT_ONCE) await send()
      }
      if (batch.length > 0) await send()
    },

    /** Number of objects to delete. */
    noted: () => noted,

    close: forget,
  }
}

module.exports = { createDeletions }

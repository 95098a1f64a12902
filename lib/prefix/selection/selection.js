'use strict'

/** Which objects of a prefix are copied, skipped and deleted: reads and checks the options, and judges each pair of objects. */

const { XferError } = require('../../errors')
const { readerOf } = require('../../options')
const { createFilter, decide } = require('../../select')
const { readMostDeleted } = require('../deletions')

/** @typedef {import('../../types').JobWish} JobWish */
/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {{ action: 'copy' | 'skip' | 'delete' | 'compare', why: string, filtered?: true, counted?: true, earlier?: true, unsure?: true }} Verdict counted: it was tried, and counted, before; earlier: an earlier run has copied it; unsure: the destination's object may be an unproved copy of an earlier run */
/** @typedef {ReturnType<typeof readSelection>} Selection */

/**
 * @param {JobWish} options
 * @param {{ now?: () => number, prefix?: string, keepsTimes?: boolean, notesTimes?: boolean }} [of] now: epoch milliseconds; prefix: the key of the
 *   source's; keepsTimes, notesTimes: as for `decide`
 * @throws {XferError} USAGE
 */
function readSelection(options, { now = Date.now, prefix, keepsTimes, notesTimes } = {}) {
  const { filters = [], filesFrom } = options
  const read = readerOf('sync', options, { now })
  const { ignoreExisting = false, sizeOnly = false, checksum = false, delete: deletes = false } = options
  const { failures, ifMatch, expectSha256, maxDelete } = options
  const mode = readerOf('copy', options)('recursive') ?? 'copy'
  refuse(mode === 'copy' && deletes, '--delete works only with xfer sync.', 'Use xfer sync, which compares both sides.')
  refuse(
    maxDelete !== undefined && !deletes,
    '--max-delete works only with xfer sync --delete; this command deletes nothing.',
    'Leave it out, or give --delete as well.',
  )
  refuse(
    ifMatch !== undefined,
    '--if-match works only with one object; this command is about a prefix.',
    'Leave it out; --no-clobber or --ignore-existing leaves alone what is there.',
  )
  refuse(
    expectSha256 !== undefined,
    '--expect-sha256 works only with one object; this command is about a prefix.',
    'Leave it out, or copy the object by itself.',
  )
  refuse(
    mode === 'copy' && (sizeOnly || checksum),
    '--size-only and --checksum work only with xfer sync.',
    'Use xfer sync, or --ignore-existing.',
  )
  refuse(sizeOnly && checksum, '--size-only and --checksum cannot be used together.', 'Give only one of them.')
  refuse(
    deletes && filesFrom !== undefined,
    '--delete and --files-from cannot be used together: --delete needs a complete listing.',
    'Give only one of them.',
  )
  const ages = { newerThanMs: read('newerThan'), olderThanMs: read('olderThan') }
  const sizes = { minBytes: read('minSize'), maxBytes: read('maxSize') }
  refuse(
    Number(ages.newerThanMs) >= Number(ages.olderThanMs),
    'No object can be modified after --newer-than and before --older-than, as they are given.',
    'Give --newer-than the earlier of both times, such as the greater age.',
  )
  refuse(
    Number(sizes.minBytes) > Number(sizes.maxBytes),
    'No object can be as large as --min-size and as small as --max-size, as they are given.',
    'Give --max-size the larger of both sizes.',
  )
  const keeps = createFilter({ rules: filters, prefix, ...ages, ...sizes })
  const compares = mode === 'sync' || ignoreExisting
  const { move: moves = false } = options
  const how = { mode, ignoreExisting, sizeOnly, checksum, deletes, keepsTimes, notesTimes }
  return {
    mode,
    ignoreExisting,
    deletes,
    /** The limit of deletions; see ../deletions/guards.js. */
    mostDeleted: readMostDeleted(read('maxDelete')),
    filesFrom,
    failures,
    /** Whether the destination has to be listed. */
    compares,
    /** Whether the first filter includes names: nothing was left out before, so it changes nothing. */
    includesFirst: filters.length > 0 && 'include' in filters[0],
    /** The filters that have matched no name so far. */
    unmatched: keeps.unmatched,

    /**
     * Objects that the filters exclude are ignored on both sides: they are neither copied nor deleted.
     *
     * @param {{ name: string, source?: ListedObject, destination?: ListedObject }} pair
     * @param {import('../../select/decide').Clocks} [clocks]
     * @returns {Verdict}
     */
    judge({ name, source, destination }, clocks) {
      const object = source ?? destination
      if (!object || !keeps(name, object)) return { action: 'skip', why: 'left out', filtered: true }
      // An equal object at the destination is moved already: the source alone is left to delete.
      if (moves && source && destination && source.bytes === destination.bytes) {
        return { action: 'compare', why: ignoreExisting ? 'exists' : 'all' }
      }
      // The destination was not listed.
      if (source && !compares) return { action: 'copy', why: 'all' }
      return decide({ source, destination }, how, clocks)
    },
  }
}

/** @param {boolean} wrong @param {string} text @param {string} advice */
function refuse(wrong, text, advice) {
  if (wrong) throw new XferError('USAGE', { text, advice })
}

module.exports = { readSelection }

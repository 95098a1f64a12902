'use strict'

/** Decides which parts of an unfinished upload to trust, by the journal and by the store's list of parts. */

/** @typedef {import('../types').TaskSuccess} TaskSuccess */

const { compareSums, hasCrc, sameEtag } = require('../integrity')

/** Timing of a part that was copied earlier. */
const UNKNOWN_TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }

/**
 * If the store is known to check checksums, a part is trusted when the store lists it with the planned size and the
 * journal's ETag. With another ETag, or without an entry in the journal, it is trusted only when the store lists its
 * checksum: the store compared it with the bytes when they arrived, the function computed it from the pinned source, and
 * nobody else knows the upload id. A part whose checksum differs from the journal's is never trusted.
 *
 * At any other store the listed checksum may only echo what was sent. There a part is trusted with the ETag and the checksum of
 * the journal. Whether its ETag is its MD5 is judged later, for all parts together; what that does not prove is read back.
 *
 * A part copied with `--verify none` or `size` has no checksum in the journal: it is trusted only if none is wanted. A part
 * copied by the store itself may have none either: there the ETag suffices, as it does without an interruption.
 *
 * @param {import('../types').Part[]} parts of the plan
 * @param {Map<number, Omit<import('../types').JobPart, 'partNumber'>>} journal the journal's entries, by part number
 * @param {import('../types').StoredPart[]} stored all listed parts
 * @param {{ unproved?: boolean, checked?: boolean }} [options] unproved: whether a part without a known checksum is
 *   trusted; checked: whether the store is known to check the checksums of parts
 * @returns {TaskSuccess[]} the trusted parts, in the plan's order
 */
function trustParts(parts, journal, stored, { unproved = false, checked = false } = {}) {
  const there = byNumber(stored, journal)
  /** @type {TaskSuccess[]} */
  const trusted = []
  for (const { partNumber, bytes } of parts) {
    const found = there.get(partNumber)
    if (!found || found.bytes !== bytes) continue
    const known = journal.get(partNumber)
    const agrees = known !== undefined && known.bytes === bytes && sameEtag(known.etag, found.etag)
    if (compareSums(known?.sums, found.sums).differs) continue
    const sums = { ...(checked && found.sums), ...(agrees && known.sums) }
    if (!hasCrc(sums) && !(agrees && (unproved || known.server))) continue
    const { answered } = agrees ? known : {}
    trusted.push({ partNumber, bytes, etag: found.etag, sums, ...(answered && { answered }), timing: UNKNOWN_TIMING })
  }
  return trusted
}

/**
 * What the store has of each part. If it lists what several attempts wrote, that is what has the known ETag, else the last.
 *
 * @param {import('../types').StoredPart[]} stored
 * @param {Map<number, { etag: string }>} known by part number
 * @returns {Map<number, import('../types').StoredPart>}
 */
function byNumber(stored, known) {
  /** @type {Map<number, import('../types').StoredPart>} */
  const there = new Map()
  for (const part of stored) {
    const before = there.get(part.partNumber)
    const etag = known.get(part.partNumber)?.etag
    const isKnown = before !== undefined && etag !== undefined && sameEtag(before.etag, etag)
    if (!isKnown) there.set(part.partNumber, part)
  }
  return there
}

module.exports = { byNumber, trustParts, UNKNOWN_TIMING }

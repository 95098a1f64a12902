'use strict'

/** What of an unfinished upload may be trusted: the journal says what was copied, the store says what is there. */

/** @typedef {import('../types').TaskSuccess} TaskSuccess */

const { sameEtag } = require('../integrity')

/** Nobody watched it. */
const UNKNOWN_TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }

/**
 * At a store that is known to check checksums a part counts when the store has it with the size of the plan and the ETag of
 * the journal. With another ETag, or where the journal says nothing of it, it counts only when the store keeps its checksum:
 * the store compared that with the bytes when they came in, the function computed it from what the pinned source answered,
 * and nobody else knows the upload. A checksum that contradicts the journal's is worth nothing.
 *
 * At any other store a checksum may be an echo. There a part counts with the journal's ETag and CRC-32: whether the ETag is
 * its MD5 is weighed with that of all others, and what that does not prove is read back.
 *
 * Of a part that was copied with `--verify none` or `size` the journal knows no CRC-32: it counts only where none is wanted. Of
 * one that the store copied by itself it may know none either: there the ETag has to do, as it does when nothing interrupts.
 *
 * @param {import('../types').Part[]} parts of the plan
 * @param {Map<number, { bytes: number, etag: string, crc32?: number, md5?: string, server?: true }>} journal by part number
 * @param {import('../types').StoredPart[]} stored every page of them
 * @param {{ unproved?: boolean, checked?: boolean }} [options] unproved: whether a part may do of which no CRC-32 is known;
 *   checked: whether the store is known to check the checksums of parts
 * @returns {TaskSuccess[]} in the plan's order
 */
function trustParts(parts, journal, stored, { unproved = false, checked = false } = {}) {
  const there = new Map(stored.map(part => [part.partNumber, part]))
  /** @type {TaskSuccess[]} */
  const trusted = []
  for (const { partNumber, bytes } of parts) {
    const found = there.get(partNumber)
    if (!found || found.bytes !== bytes) continue
    const known = journal.get(partNumber)
    const agrees = known !== undefined && known.bytes === bytes && sameEtag(known.etag, found.etag)
    if (known?.crc32 !== undefined && found.crc32 !== undefined && found.crc32 !== known.crc32) continue
    const crc32 = (agrees ? known.crc32 : undefined) ?? (checked ? found.crc32 : undefined)
    if (crc32 === undefined && !(agrees && (unproved || known.server))) continue
    const md5 = agrees ? known.md5 : undefined
    const sums = { ...(crc32 !== undefined && { crc32 }), ...(md5 && { md5 }) }
    trusted.push({ partNumber, bytes, etag: found.etag, ...sums, timing: UNKNOWN_TIMING })
  }
  return trusted
}

module.exports = { trustParts, UNKNOWN_TIMING }

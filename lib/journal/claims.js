'use strict'

/**
 * Who owns a journal. The lock is in the journal itself: a process appends a claim, then judges all claims in the order of
 * the file. The first claim owns the journal until it is released. A later claim owns it only if it names the current owner
 * as the one that it replaces, because its writer found that owner dead. If two claims replace the same dead owner, the
 * first in the file wins; the other process sees that when it reads the file again.
 */

/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {import('../types').Claim} Claim */

/**
 * @param {JournalEntry[]} entries in the file's order
 * @returns {(Claim & { seenMs: number }) | undefined} seenMs: when it last wrote a sign of life, by its own clock
 */
function ownerOf(entries) {
  /** @type {(Claim & { seenMs: number }) | undefined} */
  let owner
  for (const entry of entries) {
    if (entry.type === 'claim' && (owner === undefined || entry.takes === owner.owner)) {
      const { pid, host, processStart, takes } = entry
      owner = { owner: entry.owner, pid, host, processStart, takes, seenMs: entry.at }
    } else if (owner !== undefined && (entry.type === 'release' || entry.type === 'heartbeat')) {
      if (entry.owner !== owner.owner) continue
      owner = entry.type === 'release' ? undefined : { ...owner, seenMs: entry.at }
    }
  }
  return owner
}

/** How long after the last sign of life an owner on another machine counts as dead. */
const SILENT_MS = 15 * 60_000

/**
 * Whether the owner is dead.
 *
 * @param {Claim & { seenMs: number }} owner
 * @param {object} view
 * @param {'alive' | 'dead' | 'unseen'} view.process what this machine knows about its process
 * @param {boolean} view.brought the user opened the journal by its path, and so knows how its run ended
 * @param {number} view.nowMs
 */
function isDead({ seenMs }, { process, brought, nowMs }) {
  if (process !== 'unseen') return process === 'dead'
  return brought || nowMs - seenMs > SILENT_MS
}

module.exports = { ownerOf, isDead, SILENT_MS }

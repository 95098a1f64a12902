'use strict'

/**
 * Whose a journal is. The lock is in the journal itself: a claim is appended, and then the claims are judged in the order
 * in which they stand in the file. The first one owns the journal, until its owner lets go of it; a later one owns it only
 * if it takes it from the owner at its place, whom its writer had found dead. Of two that take it from the same dead one
 * the first in the file wins, and the other finds itself refused when it reads the file again.
 */

/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {import('../types').Claim} Claim */

/**
 * @param {JournalEntry[]} entries in the file's order
 * @returns {(Claim & { seenMs: number }) | undefined} seenMs: when it last wrote that it lives, by its own clock
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

/** After so long without a sign of life. */
const SILENT_MS = 15 * 60_000

/**
 * Whether the owner is dead.
 *
 * @param {Claim & { seenMs: number }} owner
 * @param {object} view
 * @param {'alive' | 'dead' | 'unseen'} view.process what this machine knows of its process
 * @param {boolean} view.brought the journal was brought here, by who knows what became of its run
 * @param {number} view.nowMs
 */
function isDead({ seenMs }, { process, brought, nowMs }) {
  if (process !== 'unseen') return process === 'dead'
  return brought || nowMs - seenMs > SILENT_MS
}

module.exports = { ownerOf, isDead, SILENT_MS }

'use strict'

/** Who owns a journal, and taking it; processes.js tells whether the process of an owner lives. */

const { randomBytes } = require('node:crypto')
const { hostname } = require('node:os')
const { XferError } = require('../errors')
const { isAt, readAll, unwritable } = require('./file')
const { encodeLine } = require('./lines')
const { lifeOf, thisProcess } = require('./processes')

/** @typedef {import('../types').Claim} Claim */
/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {import('./lines').Decoded} Decoded */

/** How long after the last sign of life an owner on another machine counts as dead. */
const SILENT_MS = 15 * 60_000
/** How often to try again when another process takes the journal first and dies. */
const TRIES = 10

/** @param {string} [takes] @returns {Promise<{ type: 'claim' } & Claim>} */
async function newClaim(takes) {
  const owner = randomBytes(12).toString('hex')
  return { type: 'claim', owner, ...(await thisProcess()), ...(takes !== undefined && { takes }) }
}

/**
 * The owner of a journal, and whether it is alive.
 *
 * @param {JournalEntry[]} entries
 * @param {{ brought: boolean, nowMs: number }} view brought: the user opened it by its path, and so knows how its run ended
 */
async function judge(entries, { brought, nowMs }) {
  const owner = ownerOf(entries)
  if (owner === undefined) return { alive: false }
  const life = await lifeOf(owner)
  const silent = brought || nowMs - owner.seenMs > SILENT_MS
  return { owner, alive: life === 'unseen' ? !silent : life === 'alive' }
}

/**
 * Takes ownership of the journal.
 *
 * @param {import('node:fs/promises').FileHandle} handle
 * @param {{ path: string, job: string, brought: boolean, now: () => number, read: Decoded }} where job: for messages; read: the
 *   journal as it was just read
 * @returns {Promise<{ claim: { type: 'claim' } & Claim, decoded: Decoded }>} claim: ours; decoded: the journal after the claim
 * @throws {XferError} JOB_RUNNING, NO_SUCH_JOB, BAD_JOURNAL
 */
async function takeLock(handle, { path, job, brought, now, read }) {
  let decoded = read
  for (let attempt = 1; ; attempt++) {
    const { owner, alive } = await judge(decoded.entries, { brought, nowMs: now() })
    if (owner && (alive || attempt > TRIES)) throw running(owner, job)
    const claim = await newClaim(owner?.owner)
    const line = encodeLine({ n: nextNumber(decoded.entries), at: now(), ...claim })
    await handle
      .write((decoded.whole ? '' : '\n') + line)
      .then(() => handle.datasync())
      .catch(error => {
        throw unwritable(error, path)
      })
    decoded = await readAll(handle, path)
    if (ownerOf(decoded.entries)?.owner !== claim.owner) continue
    // The previous owner may have finished the job and removed the file meanwhile.
    if (!(await isAt(handle, path))) throw new XferError('NO_SUCH_JOB', { job })
    return { claim, decoded }
  }
}

/** @param {JournalEntry[]} entries */
function nextNumber(entries) {
  return 1 + entries.reduce((most, { n }) => Math.max(most, n), 0)
}

/** @param {Claim} owner @param {string} job */
function running({ pid, host }, job) {
  const elsewhere = host !== hostname()
  const own = !elsewhere && pid === process.pid
  return new XferError('JOB_RUNNING', { job, pid, ...(elsewhere && { host }), ...(own && { own }) })
}

/**
 * Who owns a journal. The lock is in the journal itself: a process appends a claim, then judges all claims in the order of
 * the file. The first claim owns the journal until it is released. A later claim owns it only if it names the current owner
 * as the one that it replaces, because its writer found that owner dead. If two claims replace the same dead owner, the
 * first in the file wins; the other process sees that when it reads the file again.
 */

/**
 * @param {JournalEntry[]} entries in the file's order
 * @returns {(Claim & { seenMs: number }) | undefined} seenMs: when it last wrote a sign of life, by its own clock
 */
function ownerOf(entries) {
  /** @type {(Claim & { seenMs: number }) | undefined} */
  let owner
  for (const entry of entries) {
    if (entry.type === 'claim' && (owner === undefined || entry.takes === owner.owner)) {
      owner = { ...entry, seenMs: entry.at }
    } else if (owner !== undefined && (entry.type === 'release' || entry.type === 'heartbeat')) {
      if (entry.owner !== owner.owner) continue
      owner = entry.type === 'release' ? undefined : { ...owner, seenMs: entry.at }
    }
  }
  return owner
}

module.exports = { judge, newClaim, nextNumber, running, takeLock, ownerOf }

'use strict'

/** Who owns a journal or begins a job, whether its process lives, and taking it. */

const { createHash, randomBytes } = require('node:crypto')
const { readFile, readlink, unlink } = require('node:fs/promises')
const { hostname } = require('node:os')
const { dirname, join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { XferError } = require('../errors')
const { fileLog, isAt, openNew, readAll, removeEmptyFolders, unwritable } = require('./file')
const { encodeLine } = require('./facts')

/** @typedef {import('../types').Claim} Claim */
/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {import('./facts').Decoded} Decoded */

/** How long after the last sign of life an owner on another machine counts as dead: its clock may differ from ours. */
const SILENT_MS = 15 * 60_000
/** The same by the clock of the store that has the journal, which stops the owner then (segments.js). */
const SILENT_THERE_MS = 2 * 60_000
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
 * @param {Decoded} decoded
 * @param {{ brought: boolean, nowMs: number }} view brought: the user opened it by its path, or says so, and so knows how its run ended
 */
async function judge({ entries, silentMs }, { brought, nowMs }) {
  const owner = ownerOf(entries)
  if (owner === undefined) return { alive: false }
  const life = await lifeOf(owner)
  // Many machines have one name, and one bucket.
  if (silentMs !== undefined) return { owner, alive: life !== 'dead' && !brought && silentMs <= SILENT_THERE_MS }
  const silent = brought || nowMs - owner.seenMs > SILENT_MS
  return { owner, alive: life === 'unseen' ? !silent : life === 'alive' }
}

/**
 * Takes ownership of the journal.
 *
 * @param {import('../types').JournalLog} log
 * @param {{ job: string, brought: boolean, now: () => number, read: Decoded }} where job: for messages; read: the
 *   journal as it was just read
 * @returns {Promise<{ claim: { type: 'claim' } & Claim, decoded: Decoded }>} claim: ours; decoded: the journal after the claim
 * @throws {XferError} JOB_RUNNING, NO_SUCH_JOB, BAD_JOURNAL
 */
async function takeLock(log, { job, brought, now, read }) {
  let decoded = read
  for (let attempt = 1; ; attempt++) {
    const { owner, alive } = await judge(decoded, { brought, nowMs: now() })
    if (owner && (alive || attempt > TRIES)) throw running(owner, job)
    const claim = await newClaim(owner?.owner)
    await log.append(encodeLine({ n: nextNumber(decoded.entries), at: now(), ...claim })).catch(error => {
      // Another process was first: its claim is read, and judged.
      if (error.code !== 'JOB_TAKEN') throw unwritable(error, log.path)
    })
    decoded = await log.read()
    // Its owner has finished it meanwhile: a store remembers that.
    if (decoded.entries.some(({ type }) => type === 'finished')) throw new XferError('NO_SUCH_JOB', { job })
    if (ownerOf(decoded.entries)?.owner === claim.owner) return { claim, decoded }
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

/**
 * Only one process at a time may begin a job between two places: it looks for an unfinished one, and makes a journal if
 * there is none. A second process then finds the journal of the first, and its owner.
 *
 * The lock is a file beside the journals. It is taken as a journal is: the first claim in it counts, until its process is dead.
 * It is held only for moments, without any network request.
 */

/** @typedef {import('.').Ends} Ends */

/** By what two places are known that a job is between. @param {Ends} ends */
function hashOfEnds({ source, destination }) {
  const hash = createHash('sha256').update(JSON.stringify([source.place, destination.place]))
  return hash.digest('hex').slice(0, 32)
}

const POLL_MS = 20
/** How long to wait for another process that begins the same job: it only reads the folder and writes a file. */
const WAIT_MS = 10_000

/**
 * @param {string} folder of the journals; created if missing
 * @param {Ends} ends
 * @param {{ now: () => number, waitMs?: number }} how
 * @returns {Promise<() => Promise<void>>} releases the lock; never rejects
 * @throws {XferError} JOB_RUNNING when a living process holds it, BAD_JOURNAL when this folder allows no lock
 */
async function holdBeginning(folder, ends, { now, waitMs = WAIT_MS }) {
  const path = join(folder, `${hashOfEnds(ends)}.beginning`)
  const endMs = performance.now() + waitMs
  for (;;) {
    try {
      return await takeBeginning(path, now)
    } catch (cause) {
      const { code, facts } = /** @type {import('../types').XferError} */ (cause)
      if (code === 'JOB_RUNNING') {
        if (performance.now() > endMs) throw new XferError('JOB_RUNNING', { ...facts, job: undefined }, { cause })
        await delay(POLL_MS)
      } else if (code !== 'NO_SUCH_JOB') {
        await removeEmptyFolders(folder)
        throw cause
      }
      // Else it was removed after it was found.
    }
  }
}

/**
 * @param {string} path
 * @param {() => number} now
 * @returns {Promise<() => Promise<void>>} as of `holdBeginning`
 * @throws {XferError} JOB_RUNNING, NO_SUCH_JOB when the file is gone, BAD_JOURNAL
 */
async function takeBeginning(path, now) {
  const handle = await openNew(path, 'a+').catch(error => {
    throw unwritable(error, path)
  })
  try {
    const log = fileLog(handle, path)
    const { claim } = await takeLock(log, { job: '', brought: false, now, read: await log.read() })
    return () => letGo(path, handle, claim.owner)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @param {string} path @param {import('node:fs/promises').FileHandle} handle @param {string} owner we, while it was held */
async function letGo(path, handle, owner) {
  try {
    const { entries } = await readAll(handle, path)
    // Another machine may have considered us dead and taken it over.
    if (ownerOf(entries)?.owner === owner && (await isAt(handle, path))) await unlink(path)
  } catch {
    // The next process takes it over, because this one has ended.
  } finally {
    await handle.close().catch(() => {})
    await removeEmptyFolders(dirname(path))
  }
}

/** Identifies this process, and tells whether another one still runs. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */

/**
 * @returns {Promise<{ pid: number, host: string, processStart?: string }>} processStart: on Linux the boot, the
 *   process id namespace, and the start time since the boot
 */
async function thisProcess() {
  const view = await viewOf()
  const start = await startOf('self')
  return { pid: process.pid, host: hostname(), ...(view && start && { processStart: `${view} ${start.ticks}` }) }
}

/**
 * @param {Claim} claim
 * @returns {Promise<'alive' | 'dead' | 'rebooted' | 'unseen'>} rebooted: dead, or on another machine of this name; unseen: it is on another machine or in another container
 */
async function lifeOf({ pid, host, processStart }) {
  if (host !== hostname()) return 'unseen'
  const view = await viewOf()
  if (processStart !== undefined && view !== undefined) {
    const [boot, space, ticks] = processStart.split(' ')
    const [ourBoot, ourSpace] = view.split(' ')
    if (boot !== ourBoot) return 'rebooted'
    if (space !== ourSpace) return 'unseen'
    const start = await startOf(String(pid))
    if (start !== undefined) return start.ticks === ticks && !start.ended ? 'alive' : 'dead'
  }
  try {
    process.kill(pid, 0)
    return 'alive'
  } catch (error) {
    // A process of another user exists, but may not be signalled.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH' ? 'dead' : 'alive'
  }
}

/** @returns {Promise<string | undefined>} the boot and the process id namespace of this process */
async function viewOf() {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** @param {string} pid @returns {Promise<{ ticks: string, ended: boolean } | undefined>} undefined when the system does not tell */
async function startOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The process name may contain anything, brackets and blanks too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Fields 3 (state) and 22 (start time); a zombie has ended and waits for its parent.
  const [state, ticks] = [fields[0], fields[19]]
  return ticks === undefined ? undefined : { ticks, ended: /[ZXx]/.test(state) }
}

module.exports = {
  hashOfEnds,
  holdBeginning,
  judge,
  newClaim,
  nextNumber,
  running,
  takeLock,
  ownerOf,
  thisProcess,
  lifeOf,
}

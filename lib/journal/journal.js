'use strict'

/** A journal that this process owns: it writes to it until it closes or removes it. */

const { realpath } = require('node:fs/promises')
const { dirname } = require('node:path')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { unwritable, isAt, putFile, removeEmptyFolders, removeFile } = require('./file')
const { writableFact, encodeLine } = require('./lines')
const { nextNumber } = require('./lock')
const { applyFact, factsOf } = require('./replay')

/** @typedef {import('../types').JournalFact} JournalFact */
/** @typedef {import('../types').LockFact} LockFact */

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */

/** How often to write a sign of life for processes on other machines (lock.js). */
const HEARTBEAT_MS = 45_000
/** A smaller journal is not rewritten: more than that of a single object needs. */
const LEAST_BYTES = 4 * 1024 ** 2
/** Rewrite only when the file has grown by at least this factor. */
const GROWTH = 4

/**
 * @param {object} opened
 * @param {import('node:fs/promises').FileHandle} opened.handle
 * @param {import('../types').JobState} opened.state
 * @param {Extract<LockFact, { type: 'claim' }>} opened.claim our claim
 * @param {import('./lines').Decoded} opened.decoded the whole file
 * @param {boolean} [opened.brought] whether it is from elsewhere (lib/job/others.js)
 * @param {() => number} opened.now
 * @param {number} [opened.compactBytes] smaller files are not rewritten
 * @param {(error: import('../types').XferError) => void} [opened.onTrouble] called once when something cannot be written
 */
function createJournal({ handle, state, claim, decoded, brought = false, now, onTrouble, compactBytes = LEAST_BYTES }) {
  const { path } = state
  const { owner } = claim
  const appender = createAppender(handle, { ...decoded, compact })
  /** From which size on the file is rewritten. */
  let worthIt = compactBytes
  let next = nextNumber(decoded.entries)
  let told = false
  let closed = false
  const timer = setInterval(() => note({ type: 'heartbeat', owner }), HEARTBEAT_MS)
  timer.unref()

  /** @param {JournalFact | LockFact} fact */
  async function append(fact) {
    const entry = writableFact({ n: next++, at: now(), ...fact })
    applyFact(state, entry)
    await appender.append(encodeLine(entry))
  }

  /** The facts to keep, with our claim. */
  function render() {
    const { takes, ...ours } = claim
    const [job, ...facts] = factsOf(state)
    // The first line holds the start time of the job.
    const released = closed ? [{ type: /** @type {const} */ ('release'), owner }] : []
    const lines = [
      { at: state.createdMs, ...job },
      ...[ours, ...facts, ...released].map(one => ({ at: now(), ...one })),
    ]
    return lines.map(line => encodeLine(writableFact({ n: next++, ...line }))).join('')
  }

  /**
   * Rewrites a journal that has grown, with only the facts that a later run needs. Otherwise the journal of a job over
   * millions of objects could become larger than the objects.
   *
   * @param {FileHandle} old
   * @param {number} bytes the size that this process expects
   * @returns {Promise<{ handle: FileHandle, bytes: number } | undefined>} the new file, opened to append; undefined: nothing was rewritten
   */
  async function compact(old, bytes) {
    if (bytes < worthIt) return undefined
    const content = render()
    try {
      // Another process wrote to it, considers us dead and owns it now.
      const ours = (await old.stat()).size === bytes && (await isAt(old, path))
      if (!ours) {
        worthIt = Number.POSITIVE_INFINITY
        return undefined
      }
      const compacted = { handle: await putFile(await realpath(path), content), bytes: Buffer.byteLength(content) }
      worthIt = Math.max(compactBytes, GROWTH * compacted.bytes)
      return compacted
    } catch {
      // The old file keeps growing while there is room.
      worthIt = 2 * bytes
      return undefined
    }
  }

  /** @param {unknown} error */
  function tellOnce(error) {
    if (told) return
    told = true
    onTrouble?.(unwritable(error, path))
  }

  /** Writes a fact soon, without waiting. Never throws; see `onTrouble`. @param {JournalFact | LockFact} fact */
  function note(fact) {
    if (!closed) append(fact).catch(tellOnce)
  }

  /** Resolves when all noted facts are on the disk, or could not be written. Never rejects. */
  async function flush() {
    await appender.settle().catch(tellOnce)
  }

  /** Nothing is written after what was noted so far. */
  async function stop() {
    closed = true
    clearInterval(timer)
    await flush()
  }

  return {
    /** The current state: each fact that is written changes it. */
    state,
    path,
    /** It is from elsewhere, and may be anybody's: lib/job/others.js. */
    brought,
    /**
     * @param {JournalFact} fact
     * @returns {Promise<void>} resolves when it is on the disk; rejects with BAD_JOURNAL if not: the next write tries it again
     */
    async write(fact) {
      if (closed) throw unwritable(new Error('it is closed'), path)
      await append(fact).catch(error => {
        tellOnce(error)
        throw unwritable(error, path)
      })
    },
    note,
    flush,
    /** Flushes, gives up the claim, and closes the journal. Never rejects. */
    async close() {
      if (closed) return
      note({ type: 'release', owner })
      await stop()
      await appender.close()
    },
    /** Deletes the journal: the job is over. */
    async remove() {
      if (closed) return
      await stop()
      try {
        await removeFile(path)
      } catch (error) {
        throw unwritable(error, path)
      } finally {
        await appender.close()
      }
      if (!brought) await removeEmptyFolders(dirname(path))
    },
  }
}

/**
 * Appends lines and flushes them in groups: lines that arrive during a flush go together with the next one. Lines that
 * could not be written are written again with the next group; a repeated line does no harm.
 *
 * @param {FileHandle} opened opened to append
 * @param {object} file
 * @param {boolean} file.whole whether it ends with a line end
 * @param {number} [file.bytes] its size
 * @param {(handle: FileHandle, bytes: number) => Promise<{ handle: FileHandle, bytes: number } | undefined>} [file.compact] called
 *   before each flush; may return a rewritten file to continue with
 */
function createAppender(opened, { whole, bytes = 0, compact }) {
  let handle = opened
  /** @type {string[]} lines that are not on the disk yet */
  let lines = []
  /** @type {Promise<unknown>} the current flush */
  let current = Promise.resolve()
  /** @type {Promise<void> | undefined} the flush that waits for it */
  let next

  /** @param {Promise<unknown>} previous */
  async function flushAfter(previous) {
    await previous
    await nextTurn()
    next = undefined
    const batch = lines
    lines = []
    const compacted = await compact?.(handle, bytes)
    if (compacted) {
      await handle.close().catch(() => {})
      handle = compacted.handle
      bytes = compacted.bytes
      whole = true
      return
    }
    try {
      await writeWhole((whole ? '' : '\n') + batch.join(''))
      whole = true
      await handle.datasync()
    } catch (error) {
      whole = false
      lines = [...batch, ...lines]
      throw error
    }
  }

  /** @param {string} text */
  async function writeWhole(text) {
    const all = Buffer.from(text)
    for (let written = 0; written < all.length; ) {
      const { bytesWritten } = await handle.write(all, written, all.length - written, null)
      written += bytesWritten
      bytes += bytesWritten
    }
  }

  function flush() {
    if (next === undefined) {
      next = flushAfter(current)
      current = next.catch(() => {})
    }
    return next
  }

  return {
    /** @param {string} line with its end @returns {Promise<void>} resolves when it is on the disk */
    append(line) {
      lines.push(line)
      return flush()
    },
    /** @returns {Promise<void>} resolves when all lines are on the disk, as far as possible */
    async settle() {
      await (lines.length > 0 ? flush() : (next ?? current))
    },
    /** Ends the file: nothing more is appended. */
    close: () => handle.close().catch(() => {}),
  }
}

module.exports = { createAppender, createJournal }

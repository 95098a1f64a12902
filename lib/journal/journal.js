'use strict'

/** A journal that this process owns: it writes to it until it closes or removes it. */

const { setImmediate: nextTurn } = require('node:timers/promises')
const { unwritable } = require('./file')
const { writableFact, encodeLine } = require('./facts')
const { nextNumber } = require('./lock')
const { applyFact, factsOf, lastFactsOf } = require('./replay')

/** @typedef {import('../types').JournalFact} JournalFact */
/** @typedef {import('../types').LockFact} LockFact */

/** How often the owner looks whether somebody asks it to stop. */
const STOP_EVERY_MS = 10_000

/**
 * @param {object} opened
 * @param {import('../types').JournalLog} opened.log
 * @param {import('../types').JobState} opened.state
 * @param {Extract<LockFact, { type: 'claim' }>} opened.claim our claim
 * @param {import('./facts').Decoded} opened.decoded the whole log
 * @param {boolean} [opened.brought] whether it is from elsewhere (lib/job/others.js)
 * @param {() => number} opened.now
 * @param {(error: import('../types').XferError) => void} [opened.onTrouble] called once when something cannot be written
 */
function createJournal({ log, state, claim, decoded, brought = false, now, onTrouble }) {
  const { path } = state
  const { owner } = claim
  const appender = createAppender(log, { compact })
  let next = nextNumber(decoded.entries)
  let told = false
  let closed = false
  /** Another process has taken the job over. @type {import('../types').XferError | undefined} */
  let taken
  /** @type {((error: import('../types').XferError) => void) | undefined} */
  let onTaken
  /** @type {Promise<void> | undefined} */
  let fencing
  // At once: who slept learns by it that the job was taken over.
  const timer = setInterval(() => note({ type: 'heartbeat', owner }, { soon: false }), log.heartbeatMs)
  timer.unref()
  /** @type {(() => void) | undefined} */
  let onStop
  const looking = log.asked && setInterval(lookForStop, STOP_EVERY_MS)
  looking?.unref()

  /** Whether somebody asks it to stop. What the store does not tell now it tells the next time. */
  async function lookForStop() {
    if (!onStop || !(await log.asked?.().catch(() => false))) return
    clearInterval(looking)
    onStop()
  }

  /** @param {JournalFact | LockFact} fact @param {{ soon?: boolean }} [how] soon: nobody waits for it */
  async function append(fact, { soon = false } = {}) {
    if (taken) throw taken
    const entry = writableFact({ n: next++, at: now(), ...fact })
    applyFact(state, entry)
    await appender.append(encodeLine(entry), soon ? log.groupMs : 0).catch(cause => {
      if (cause.code === 'JOB_TAKEN' && taken === undefined) {
        taken = /** @type {import('../types').XferError} */ (cause)
        clearInterval(timer)
        clearInterval(looking)
        onTaken?.(taken)
      }
      throw cause
    })
  }

  /** The facts to keep, with our claim. @param {JournalFact[]} [kept] */
  function render([job, ...facts] = factsOf(state)) {
    const { takes, ...ours } = claim
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
   * @returns {Promise<boolean>} whether all that was noted so far is in it
   */
  async function compact() {
    return log.isGrown() && (await log.replace(render()))
  }

  /** @param {unknown} error */
  function tellOnce(error) {
    if (told || error === taken) return
    told = true
    onTrouble?.(unwritable(error, path))
  }

  /** Writes a fact without waiting. Never throws; see `onTrouble`. @param {JournalFact | LockFact} fact @param {{ soon?: boolean }} [how] as of `append` */
  function note(fact, how = { soon: true }) {
    if (!closed && !taken) append(fact, how).catch(tellOnce)
  }

  /** Resolves when all noted facts are on the disk, or could not be written. Never rejects. */
  async function flush() {
    await appender.settle().catch(tellOnce)
  }

  /** Nothing is written after what was noted so far. */
  async function stop() {
    closed = true
    clearInterval(timer)
    clearInterval(looking)
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
    fences: log.fences,
    /**
     * Before what must not be done twice: resolves once it is sure that no other process has taken the job over.
     *
     * @throws {import('../types').XferError} JOB_TAKEN
     */
    async fence() {
      if (!log.fences || closed) return
      // One that is under way shows it as well.
      fencing ??= append({ type: 'heartbeat', owner }).finally(() => {
        fencing = undefined
      })
      await fencing
    },
    /** The same as an answer. @returns {Promise<import('../types').XferError | undefined>} undefined: nobody else has the job, as far as it is known */
    async takenOver() {
      return await this.fence().then(
        () => undefined,
        cause => (cause.code === 'JOB_TAKEN' ? cause : undefined),
      )
    },
    /** @param {(error: import('../types').XferError) => void} listener called once if another process takes the job over */
    watchTaken(listener) {
      onTaken = listener
      if (taken) listener(taken)
    },
    /** @param {() => void} listener called once if somebody asks the job to stop */
    watchStop(listener) {
      onStop = listener
    },
    /** Flushes, gives up the claim, and closes the journal. Never rejects. */
    async close() {
      if (closed) return
      note({ type: 'release', owner })
      await stop()
      await log.close()
    },
    /** Deletes the journal: the job is over. A store keeps what it was, for a while. @param {{ code: string, message: string }} [error] */
    async remove(error) {
      if (closed) return
      // Who watches the job has its file open (xfer attach).
      if (error && !log.fences) note({ type: 'finished', code: error.code, message: error.message })
      await stop()
      try {
        await log.remove(() => render(lastFactsOf(state, error)))
      } catch (error) {
        throw unwritable(error, path)
      }
    },
  }
}

/**
 * Appends lines and flushes them in groups: lines that arrive during a flush go together with the next one. Lines that
 * could not be written are written again with the next group; a repeated line does no harm.
 *
 * @param {Pick<import('../types').JournalLog, 'append'>} log
 * @param {{ compact?: () => Promise<boolean> }} [how] compact: called before each flush; whether it has written all lines
 */
function createAppender(log, { compact } = {}) {
  /** @type {string[]} lines that are not on the disk yet */
  let lines = []
  /** @type {Promise<unknown>} the current flush */
  let current = Promise.resolve()
  /** The flush that waits for it. @type {Promise<void> | undefined} */
  let next
  /** Ends the wait before it. @type {(() => void) | undefined} */
  let hurry

  /** @param {Promise<unknown>} previous @param {number} waitMs */
  async function flushAfter(previous, waitMs) {
    await Promise.all([previous, waitMs > 0 ? waited(waitMs) : undefined])
    await nextTurn()
    next = undefined
    const batch = lines
    lines = []
    try {
      if (await compact?.()) return
      await log.append(batch.join(''))
    } catch (error) {
      lines = [...batch, ...lines]
      throw error
    }
  }

  /** @param {number} waitMs @returns {Promise<void>} */
  function waited(waitMs) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, waitMs)
      timer.unref()
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @param {number} [waitMs] */
  function flush(waitMs = 0) {
    if (next === undefined) {
      next = flushAfter(current, waitMs)
      current = next.catch(() => {})
    } else if (waitMs === 0) hurry?.()
    return next
  }

  return {
    /** @param {string} line with its end @param {number} [waitMs] it may wait so long for others @returns {Promise<void>} resolves when it is on the disk */
    append(line, waitMs) {
      lines.push(line)
      return flush(waitMs)
    },
    /** @returns {Promise<void>} resolves when all lines are on the disk, as far as possible */
    async settle() {
      await (lines.length > 0 ? flush() : (next ?? current))
    },
  }
}

module.exports = { createAppender, createJournal }

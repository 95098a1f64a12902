'use strict'

/** A journal that is ours: written to until it is closed or removed. */

const { unwritable, createAppender } = require('./file')
const { writableFact } = require('./facts')
const { removeFile } = require('./folder')
const { encodeLine } = require('./lines')
const { applyFact } = require('./replay')

/** @typedef {import('../types').JournalFact} JournalFact */
/** @typedef {import('../types').LockFact} LockFact */

/** Those who look from another machine believe that we live: claims.js. */
const HEARTBEAT_MS = 45_000

/**
 * @param {object} opened
 * @param {import('node:fs/promises').FileHandle} opened.handle
 * @param {import('../types').JobState} opened.state
 * @param {string} opened.owner our nonce
 * @param {number} opened.next number of the next line
 * @param {boolean} opened.whole the file ends with a line end
 * @param {() => number} opened.now
 * @param {(error: import('../types').XferError) => void} [opened.onTrouble] told once when something cannot be written
 * @returns {import('../types').Journal}
 */
function createJournal({ handle, state, owner, next, whole, now, onTrouble }) {
  const { path } = state
  const appender = createAppender(handle, { whole })
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

  /** @param {unknown} error */
  function tellOnce(error) {
    if (told) return
    told = true
    onTrouble?.(unwritable(error, path))
  }

  /** @param {JournalFact | LockFact} fact */
  function note(fact) {
    if (!closed) append(fact).catch(tellOnce)
  }

  async function flush() {
    await appender.settle().catch(tellOnce)
  }

  async function release() {
    closed = true
    clearInterval(timer)
    await handle.close().catch(() => {})
  }

  return {
    state,
    path,
    async write(fact) {
      if (closed) throw unwritable(new Error('it is closed'), path)
      await append(fact).catch(error => {
        tellOnce(error)
        throw unwritable(error, path)
      })
    },
    note,
    flush,
    async close() {
      if (closed) return
      note({ type: 'release', owner })
      closed = true
      await flush()
      await release()
    },
    async remove() {
      if (closed) return
      closed = true
      await flush()
      try {
        await removeFile(path)
      } catch (error) {
        throw unwritable(error, path)
      } finally {
        await release()
      }
    },
  }
}

module.exports = { createJournal }

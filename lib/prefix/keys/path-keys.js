'use strict'

/**
 * Objects with keys that the destination may resolve as paths, to other keys. They wait until a probe shows whether it
 * does. If no probe is possible, the first of them is written alone and checked.
 */

const { createStrangeKeys, isStrange, resolvedTo } = require('./strange-keys')

/** @typedef {{ pair: import('../write/objects').Pair, verdict: import('../selection/selection').Verdict, over: (done?: boolean) => void }} Entry */
/** @typedef {import('../write/writers').Done} Done */

/** If this many wait, the first of them is written alone. */
const MOST_WAITING = 1_000

/**
 * @param {object} how
 * @param {import('../../job/open').Job['destination']} how.destination
 * @param {AbortSignal | undefined} how.signal no new object starts
 * @param {(entry: Entry) => Promise<void>} how.start resolves once the copy has started
 * @param {(entry: Entry, way: (write: () => Promise<Done>) => Promise<Done>) => Promise<void>} how.copy resolves once the copy is done or has failed
 * @param {() => Promise<unknown>} how.idle resolves once nothing is in flight
 */
function createPathKeys({ destination, signal, start, copy, idle }) {
  const strange = createStrangeKeys(destination, signal)
  /** @type {Entry[]} */
  let waiting = []
  /** Pending while one object is written alone. @type {Promise<void> | undefined} */
  let alone
  /** @type {Promise<void> | undefined} */
  let releasing

  /** @param {Entry} entry @param {boolean} last no later probe can help */
  async function place(entry, last) {
    const key = destination.key + entry.pair.name
    /** @type {unknown} */
    let reason
    const judged = await strange.judge(key).catch(error => {
      reason = error
    })
    if (judged === 'kept') await start(entry)
    else if (judged !== 'unknown') {
      await copy(entry, async () => {
        throw reason ?? resolvedTo(destination.store, key)
      })
    } else if (last) await copyAlone(entry, key)
    else waiting.push(entry)
  }

  /** @param {Entry} entry @param {string} key */
  async function copyAlone(entry, key) {
    let open = () => {}
    alone = new Promise(resolve => {
      open = resolve
    })
    await idle()
    await copy(entry, write => strange.attempt(key, write))
    alone = undefined
    open()
  }

  async function release() {
    const entries = waiting
    waiting = []
    for (const entry of entries) if (!signal?.aborted) await place(entry, true)
    releasing = undefined
  }

  return {
    /** @param {string} key that was written */
    wrote: key => strange.wrote(key),

    /** @param {Entry} entry @returns {Promise<void>} resolves once the copy has started, or the entry waits */
    async begin(entry) {
      while (alone) await alone
      if (isStrange(destination.key + entry.pair.name)) await place(entry, false)
      else await start(entry)
      if (waiting.length >= MOST_WAITING || (waiting.length > 0 && strange.canTell())) {
        releasing ??= release()
        await releasing
      }
    },

    /** No further entry comes. @returns {Promise<void>} resolves once every entry that waited has started */
    async end() {
      await releasing
      await release()
    },
  }
}

module.exports = { createPathKeys }

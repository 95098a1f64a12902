'use strict'

/**
 * Objects with keys that the destination may take for others wait aside until it is known whether it does. Where nothing
 * tells, the first of them finds out, while nothing else is written.
 */

const { createStrangeKeys, isStrange, resolvedTo } = require('./strange-keys')

/** @typedef {{ pair: import('../write/objects').Pair, verdict: import('../selection/selection').Verdict, over: (done?: boolean) => void }} Entry */
/** @typedef {import('../write/objects').Done} Done */

/** Then the first of them finds out. */
const MOST_WAITING = 1_000

/**
 * @param {object} how
 * @param {import('../../job/open').Job['destination']} how.destination
 * @param {AbortSignal | undefined} how.signal nothing more is to begin
 * @param {(entry: Entry) => Promise<void>} how.start resolves once it has begun
 * @param {(entry: Entry, way: (write: () => Promise<Done>) => Promise<Done>) => Promise<void>} how.copy once it is done, or has failed
 * @param {() => Promise<unknown>} how.idle once nothing is under way
 */
function createAside({ destination, signal, start, copy, idle }) {
  const strange = createStrangeKeys(destination, signal)
  /** @type {Entry[]} */
  let waiting = []
  /** Something is written alone. @type {Promise<void> | undefined} */
  let alone
  /** @type {Promise<void> | undefined} */
  let releasing

  /** @param {Entry} entry @param {boolean} last whether nothing will tell any more */
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

    /** @param {Entry} entry @returns {Promise<void>} once it has begun, or waits aside */
    async begin(entry) {
      while (alone) await alone
      if (isStrange(destination.key + entry.pair.name)) await place(entry, false)
      else await start(entry)
      if (waiting.length >= MOST_WAITING || (waiting.length > 0 && strange.canTell())) {
        releasing ??= release()
        await releasing
      }
    },

    /** Nothing more will begin. @returns {Promise<void>} once all that waited has begun */
    async end() {
      await releasing
      await release()
    },
  }
}

module.exports = { createAside }

'use strict'

const { isDeepStrictEqual } = require('node:util')

/** How long before the expiry to ask for new credentials, unless they live less than twice as long. */
const REFRESH_BEFORE_MS = 5 * 60_000
/** The shortest times between two calls of the provider: shortly before the expiry, and after a failure. */
const LEAST_INTERVAL_MS = 1_000
const RETRY_INTERVAL_MS = 10_000
/** Credentials that many calls share are asked for again after this time: refused ones may have been replaced. */
const MOST_SHARED_MS = 5 * 60_000
/** A service may write to any number of buckets. */
const MOST_SHARED = 1_000
/** Limits renewals after refusals: when stores refuse new credentials again and again, more would not help. */
const MOST_RENEWALS = 5
const RENEWALS_MS = 10 * 60_000

/**
 * Caches a provider's credentials until five minutes before they expire, or until half of a shorter life is over. Concurrent
 * callers share one call of the provider. When that call fails, the cached credentials are used until they expire.
 *
 * @template {Record<string, any>} C credentials of any kind, or settings; equal ones have equal properties; `expiration` is a Date
 * @param {() => Promise<C>} provider
 * @param {() => number} [now]
 * @param {number} [mostMs] they are asked for again after this time, however long they live
 * @returns {(() => Promise<C>) & { renew(refused: C): Promise<boolean> }}
 */
function memoize(provider, now = Date.now, mostMs = Number.POSITIVE_INFINITY) {
  /** @type {Promise<C> | undefined} */
  let pending
  /** @type {{ credentials: C, refreshMs: number } | undefined} */
  let cached
  /** Times of the recent renewals. @type {number[]} */
  let renewals = []

  function ask() {
    pending ??= provider()
      .then(keep)
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  /** @param {C} given */
  function keep(given) {
    const sinceMs = now()
    const lifeMs = given.expiration ? given.expiration.getTime() - sinceMs : Number.POSITIVE_INFINITY
    const refreshMs = sinceMs + Math.min(mostMs, Math.max(lifeMs - REFRESH_BEFORE_MS, lifeMs / 2, LEAST_INTERVAL_MS))
    // Equal credentials stay the same object: signing keys are cached by its identity.
    const credentials = cached && isDeepStrictEqual(cached.credentials, given) ? cached.credentials : given
    cached = { credentials, refreshMs }
    return credentials
  }

  async function get() {
    const nowMs = now()
    if (cached && nowMs < cached.refreshMs) return cached.credentials
    try {
      return await ask()
    } catch (error) {
      const expiration = cached?.credentials.expiration
      if (!cached || !expiration || expiration.getTime() <= nowMs) throw error
      cached.refreshMs = Math.min(nowMs + RETRY_INTERVAL_MS, expiration.getTime())
      return cached.credentials
    }
  }

  /**
   * Asks for new credentials after a store refused these.
   *
   * @param {C} refused
   * @returns {Promise<boolean>} whether there are other ones now; rejects as the provider does
   */
  async function renew(refused) {
    if (pending) await pending.catch(() => {})
    if (cached && cached.credentials !== refused) return true
    const nowMs = now()
    renewals = renewals.filter(atMs => nowMs - atMs < RENEWALS_MS)
    if (renewals.length >= MOST_RENEWALS) return false
    renewals.push(nowMs)
    return (await ask()) !== refused
  }

  return Object.assign(get, { renew })
}

/**
 * What jobs of this process share: made for the first that takes it, ended when the last one has left, unless a client keeps it.
 */

/** The clients that keep everything. */
let keepers = 0
/** Each ends what nobody uses. @type {Set<() => Promise<unknown>>} */
const sweepers = new Set()

/**
 * @template T
 * @param {(value: T) => unknown} end
 */
function createShared(end) {
  /** @type {Map<string, { value: T, users: number }>} */
  const entries = new Map()

  async function sweep() {
    if (keepers > 0) return
    const idle = [...entries].filter(([, { users }]) => users === 0)
    for (const [key] of idle) entries.delete(key)
    await Promise.all(idle.map(([, { value }]) => end(value)))
  }
  sweepers.add(sweep)

  return {
    /**
     * @param {string} key equal for what may be shared
     * @param {() => T} make
     * @returns {{ value: T, leave: () => Promise<void> }}
     */
    take(key, make) {
      const entry = entries.get(key) ?? { value: make(), users: 0 }
      entries.set(key, entry)
      entry.users++
      let left = false
      return {
        value: entry.value,
        async leave() {
          if (left) return
          left = true
          entry.users--
          await sweep()
        },
      }
    },
  }
}

/** What the calls of each client share, by its own copy of the environment. @type {WeakMap<NodeJS.ProcessEnv, Map<string, any>>} */
const ofClients = new WeakMap()

/**
 * As `memoize`, and for all calls of a client: a role or a program is not asked for each of a thousand uploads.
 *
 * @template {Record<string, any>} C
 * @param {NodeJS.ProcessEnv} env of the provider
 * @param {string} key equal for equal providers of this environment
 * @param {() => Promise<C>} provider
 * @returns {ReturnType<typeof memoize<C>>}
 */
function memoizeShared(env, key, provider) {
  const all = ofClients.get(env)
  if (!all) return memoize(provider)
  if (!all.has(key)) place(all, key, memoize(provider, Date.now, MOST_SHARED_MS))
  return all.get(key)
}

/**
 * Takes what the calls of a client have together for some minutes; a call without a client has it alone.
 *
 * @template {{ isOver: () => boolean, close: () => Promise<void> }} T
 * @param {NodeJS.ProcessEnv} env of the client
 * @param {string | undefined} key calls with equal keys share; undefined: this call shares with none
 * @param {() => Promise<T>} make
 * @returns {Promise<{ value: T, leave: () => Promise<void> }>} leave: the last one closes it, if no client keeps it
 */
async function takeKept(env, key, make) {
  const all = key === undefined ? undefined : ofClients.get(env)
  const name = `kept ${key}`
  const known = all?.get(name)
  if (known && (Date.now() - known.sinceMs > MOST_SHARED_MS || known.value?.isOver())) forget(known)
  const entry = all?.get(name) ?? keep(make, all, name)
  entry.users++
  try {
    return { value: await entry.made, leave: entry.leave }
  } catch (error) {
    entry.users--
    forget(entry)
    throw error
  }
}

/**
 * @template {{ isOver: () => boolean, close: () => Promise<void> }} T
 * @param {() => Promise<T>} make
 * @param {Map<string, any> | undefined} all of the client that keeps it
 * @param {string} key
 */
function keep(make, all, key) {
  const entry = {
    sinceMs: Date.now(),
    users: 0,
    kept: all !== undefined,
    value: /** @type {T | undefined} */ (undefined),
    made: make().then(value => {
      entry.value = value
      return value
    }),
    async leave() {
      entry.users--
      if (entry.users > 0) return
      if (!entry.kept) await entry.value?.close()
      else if (entry.value?.isOver()) await entry.forget()
    },
    /** It is for no further call. */
    async forget() {
      if (all?.get(key) === entry) all.delete(key)
      if (!entry.kept) return
      entry.kept = false
      if (entry.users === 0) await entry.value?.close()
    },
  }
  if (all) place(all, key, entry)
  return entry
}

/** Ends it without waiting for that; an error of it would be nobody's. @param {Pick<ReturnType<typeof keep>, 'forget'>} entry */
function forget(entry) {
  entry.forget().catch(() => {})
}

/** @param {Map<string, any>} all @param {string} key @param {unknown} value */
function place(all, key, value) {
  if (all.size >= MOST_SHARED) {
    const [[oldest, entry]] = all
    if (entry.forget) forget(entry)
    else all.delete(oldest)
  }
  all.set(key, value)
}

/** Keeps what jobs share beyond their ends. @param {NodeJS.ProcessEnv} env of a client, which no other has @returns {() => Promise<void>} ends that */
function keepShared(env) {
  keepers++
  ofClients.set(env, new Map())
  let kept = true
  return async () => {
    if (!kept) return
    kept = false
    keepers--
    const all = ofClients.get(env)
    ofClients.delete(env)
    await Promise.all(Array.from(all?.values() ?? [], one => one.forget?.()))
    await Promise.all([...sweepers].map(sweep => sweep()))
  }
}

module.exports = { memoize, memoizeShared, createShared, keepShared, takeKept }

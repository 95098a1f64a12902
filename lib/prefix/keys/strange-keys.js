'use strict'

/**
 * Keys that a store may resolve as a path (lib/stores/keys.js), below a prefix. The store would write such an object to
 * another key and could replace an object that was just copied. So the destination is probed before the first such key is
 * written: xfer asks for an existing object, the witness, by aliases, keys that a path-resolving store maps to it.
 */

const { asXferError, XferError } = require('../../errors')
const { checkKey, resolveKey } = require('../../stores')

/** @typedef {import('../../types').Store} Store */
/** A store may treat each kind differently: MinIO refuses two slashes, and drops a leading one. @typedef {'leading' | 'slashes' | 'dot' | 'parent' | 'backslash'} Kind */

/** Objects of the listing's first page, one of which becomes the witness. */
const MOST_LISTED = 20

/** The keys that `resolveKey` maps to another key. Tested on every object. */
const STRANGE = /\\|^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/

/** @param {string} key */
const isStrange = key => STRANGE.test(key)

/** @param {string} key @returns {Kind[]} */
function kindsOf(key) {
  const segments = key.split('/')
  /** @type {Array<[Kind, boolean]>} */
  const kinds = [
    ['leading', key.startsWith('/')],
    ['slashes', segments.slice(1, -1).includes('')],
    ['dot', segments.includes('.')],
    ['parent', segments.includes('..')],
    ['backslash', key.includes('\\')],
  ]
  return kinds.flatMap(([kind, has]) => (has ? [kind] : []))
}

/**
 * @param {Kind} kind
 * @param {string} witness a key that is not strange, in a folder
 * @returns {string} a key of only that kind, which a path-resolving store maps to the witness
 */
function aliasOf(kind, witness) {
  const slash = witness.indexOf('/')
  const [first, rest] = [witness.slice(0, slash), witness.slice(slash + 1)]
  const aliases = {
    leading: `/${witness}`,
    slashes: `${first}//${rest}`,
    dot: `${first}/./${rest}`,
    parent: `${first}/../${witness}`,
    backslash: `${first}\\${rest}`,
  }
  return aliases[kind]
}

/** @param {{ store: Store, key: string }} destination key: the prefix @param {AbortSignal | undefined} signal */
function createStrangeKeys({ store, key: prefix }, signal) {
  /** Whether the destination resolves keys of each kind. @type {Map<Kind, Promise<boolean | undefined>>} */
  const known = new Map()
  /** @type {string | undefined} */
  let witness
  /** @type {Promise<void> | undefined} */
  let listed

  async function list() {
    // If listing is denied, the first written object becomes the witness.
    const page = await store.list?.({ prefix, most: MOST_LISTED }, { signal }).catch(() => undefined)
    witness ??= page?.objects.find(object => isWitness(object.key) && !object.doubtful)?.key
  }

  /** @param {Kind} kind @returns {Promise<boolean | undefined>} undefined: not known yet */
  async function resolves(kind) {
    if (witness === undefined) return undefined
    const alias = aliasOf(kind, witness)
    if (!(await find(witness))) {
      witness = undefined
      return undefined
    }
    if (!(await find(alias))) return false
    return await checkKey({ store, key: alias }, { written: false, signal }).then(
      () => false,
      () => true,
    )
  }

  /** @param {string} key @returns {Promise<import('../../types').ObjectHead | undefined>} undefined: there is none, or the store refuses such a key */
  async function find(key) {
    try {
      return await store.head(key, { signal })
    } catch (cause) {
      const error = asXferError(cause)
      if (error.retryable || error.throttled || signal?.aborted) throw error
      return undefined
    }
  }

  /** @param {Kind} kind */
  async function ask(kind) {
    const asked = known.get(kind) ?? resolves(kind)
    known.set(kind, asked)
    const forget = () => void known.delete(kind)
    const found = await asked.catch(error => {
      forget()
      throw error
    })
    if (found === undefined) forget()
    return found
  }

  /** @param {Kind[]} kinds @param {boolean} found */
  function learn(kinds, found) {
    for (const kind of kinds) known.set(kind, Promise.resolve(found))
  }

  return {
    /** @param {string} key that was written */
    wrote(key) {
      if (witness === undefined && isWitness(key)) witness = key
    },

    /** Whether there is a witness. */
    canTell: () => witness !== undefined,

    /** @param {string} key that may be resolved @returns {Promise<'resolved' | 'kept' | 'unknown'>} what the destination does with it */
    async judge(key) {
      listed ??= list()
      await listed
      const found = await Promise.all(kindsOf(key).map(ask))
      if (found.includes(true)) return 'resolved'
      return found.includes(undefined) ? 'unknown' : 'kept'
    },

    /**
     * Finds out by writing the object, while nothing else is written. Checks the other key before and after, and removes an
     * object that was written there.
     *
     * @template {{ etag: string } | 'skipped' | 'gone'} T
     * @param {string} key
     * @param {() => Promise<T>} write
     * @returns {Promise<T>}
     * @throws {import('../../types').XferError} KEY_RESOLVED
     */
    async attempt(key, write) {
      const kinds = kindsOf(key)
      const other = resolveKey(key)
      await checkKey({ store, key }, { written: false, signal })
      const before = other === '' ? undefined : await find(other)
      const written = await write()
      if (written === 'skipped' || written === 'gone') return written
      try {
        await checkKey({ store, key }, { written: true, signal })
      } catch (error) {
        if (kinds.length === 1) learn(kinds, true)
        if (before) throw error
        await store.remove({ key: other, etag: written.etag }, { signal }).catch(() => {
          throw error
        })
        throw resolvedTo(store, key)
      }
      if (other !== '') learn(kinds, false)
      return written
    },
  }
}

/** @param {Store} store @param {string} key which was not written */
function resolvedTo(store, key) {
  return new XferError('KEY_RESOLVED', { ...store.facts, key, other: resolveKey(key), written: false })
}

/** @param {string} key */
const isWitness = key => !isStrange(key) && key.includes('/') && !key.endsWith('/')

module.exports = { aliasOf, createStrangeKeys, isStrange, kindsOf, resolvedTo }

'use strict'

/**
 * A destination may treat two names of the source as one, as file systems do that ignore case or Unicode normalization.
 * The second object would replace the first, so it fails instead. The destination is probed only if two names would fold
 * into one, or if so many names are stored that two requests are worth the memory that they may free. A file system is asked by
 * files of our own, other stores by spellings of a name that is there.
 */

const { XferError, asXferError } = require('../../errors')
const { createFoldedNames } = require('./folded-names')

/** A difference between names that a store may ignore. @typedef {'case' | 'unicode'} Fold */
/** @type {readonly Fold[]} */
const FOLDS = ['case', 'unicode']
const ASCII = /^[\0-\x7f]*$/
/** Probes without a result before the destination counts as one that does not fold names. */
const MOST_INCONCLUSIVE = 3
/** Objects of the listing's first page that are tried as witnesses. */
const MOST_LISTED = 1_000

/** Other spellings of a name. @type {Record<Fold, (name: string) => string[]>} */
const SPELLINGS = {
  case: name => [flipped(name), name.toUpperCase(), name.toLowerCase()],
  unicode: name => [name.normalize('NFD'), name.normalize('NFC')],
}
/** Whether a name has another spelling. @type {Record<Fold, (name: string) => boolean>} */
const VARIES = {
  case: name => name.toLowerCase() !== name || name.toUpperCase() !== name,
  unicode: name => !ASCII.test(name) && name.normalize('NFD') !== name.normalize('NFC'),
}

/** @param {string} name */
function flipped(name) {
  return Array.from(name, sign => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase())).join('')
}

/**
 * @param {object} how
 * @param {Pick<import('../../job/open').Job, 'destination' | 'run'>} how.job of the prefix
 * @param {boolean} how.dryRun nothing is written, so no name is checked
 */
function createFolding({ job: { destination, run }, dryRun }) {
  const { store, key: prefix } = destination
  const { cancel: signal } = run
  const names = createFoldedNames()
  /** @type {Partial<Record<Fold, boolean>>} */
  const known = {}
  /** Probes without a result. */
  const inconclusive = { case: 0, unicode: 0 }
  /** Names at the destination that have another spelling; probes ask for these. @type {Partial<Record<Fold, string>>} */
  const witnesses = {}
  /** @type {Array<() => void>} */
  let waiting = []

  /** @param {string} key */
  async function exists(key) {
    return await store.head(key, { signal }).then(
      () => true,
      cause => {
        if (asXferError(cause).code !== 'NO_SUCH_KEY') throw cause
        return false
      },
    )
  }

  /** @param {string} key */
  async function isListed(key) {
    const page = await store.list?.({ prefix: key, most: 1 }, { signal })
    return page?.objects[0]?.key === key
  }

  /** @param {Fold} fold @param {string} witness @returns {Promise<boolean | undefined>} undefined: no result */
  async function probe(fold, witness) {
    if (!(await exists(prefix + witness))) return undefined
    for (const spelling of new Set(SPELLINGS[fold](witness))) {
      if (spelling === witness) continue
      if (!(await exists(prefix + spelling))) return false
      // If both spellings are listed they are two objects.
      if (!(await isListed(prefix + spelling))) return true
      return !(await isListed(prefix + witness))
    }
  }

  /** Asks the store itself, which writes files for it. @type {Promise<Partial<Record<Fold, boolean>> | undefined> | undefined} */
  let asked

  async function ask() {
    asked ??= dryRun ? Promise.resolve(undefined) : store.folds?.()
    Object.assign(known, await asked)
    for (const fold of FOLDS) if (known[fold] === false) names.forget(fold)
  }

  /** @param {Fold} fold @param {() => Promise<unknown>} [idle] resolves once nothing is in flight */
  async function settle(fold, idle) {
    if (known[fold] === undefined) await ask()
    if (known[fold] !== undefined) return known[fold]
    if (witnesses[fold] === undefined && idle) {
      await Promise.race([new Promise(resolve => waiting.push(() => resolve(undefined))), idle()])
    }
    const witness = witnesses[fold]
    if (witness === undefined) return undefined
    // With write-only credentials, or a store that fails, nobody knows whether it folds: names are written as they are.
    const folds = await probe(fold, witness).catch(cause => {
      if (signal?.aborted) throw cause
      return undefined
    })
    if (folds === undefined && ++inconclusive[fold] < MOST_INCONCLUSIVE) witnesses[fold] = undefined
    else known[fold] = folds ?? false
    if (known[fold] === false) names.forget(fold)
    return folds
  }

  /** @param {readonly import('./folded-names').Kind[]} kinds @param {() => Promise<unknown>} [idle] */
  async function foldsAny(kinds, idle) {
    for (const kind of kinds) {
      const folds = kind === 'both' ? FOLDS : [kind]
      const found = []
      for (const fold of folds) found.push(await settle(fold, idle))
      if (found.every(Boolean)) return true
    }
    return false
  }

  /** @param {readonly import('./folded-names').Kind[]} kinds @param {() => Promise<unknown>} idle */
  async function judge(kinds, idle) {
    for (const fold of names.many()) await settle(fold)
    return kinds.length > 0 && (await foldsAny(kinds, idle))
  }

  /** @param {string} name of an object at the destination */
  function note(name) {
    for (const fold of FOLDS) {
      if (witnesses[fold] !== undefined || known[fold] !== undefined || !VARIES[fold](name)) continue
      witnesses[fold] = name
      for (const go of waiting.splice(0)) go()
      waiting = []
    }
  }

  return {
    note,

    /**
     * @param {string} name of an object of the source that is to be copied
     * @param {() => Promise<unknown>} idle resolves once nothing is in flight
     * @returns {Promise<boolean> | false} whether the destination treats it and an earlier name as one
     */
    clashes(name, idle) {
      if (dryRun) return false
      const kinds = names.add(name)
      return kinds.length > 0 || names.areMany() ? judge(kinds, idle) : false
    },

    /** @param {string} name of the source */
    add(name) {
      names.add(name)
    },

    /** @param {string} name of the destination @returns {Promise<boolean>} whether the destination treats it and a name of the source as one */
    async spares(name) {
      const kinds = names.clashesOf(name)
      if (kinds.length === 0) return false
      note(name)
      return await foldsAny(kinds)
    },

    /** For a resumed job, which does not know the names of the earlier run. @returns {Promise<boolean>} */
    async foldsAtAll() {
      const page = await store.list?.({ prefix, most: MOST_LISTED }, { signal }).catch(() => undefined)
      for (const { key } of page?.objects ?? []) note(key.slice(prefix.length))
      return await foldsAny(FOLDS)
    },
  }
}

/** @param {import('../../job/open').Job['destination']} destination of the prefix @param {string} name */
function foldedError({ store, key }, name) {
  return new XferError('NAMES_FOLDED', { ...store.facts, key: key + name })
}

module.exports = { createFolding, foldedError }

'use strict'

/**
 * A destination that takes two names of the source for one, as file systems do that fold case or Unicode's normal form:
 * the second would replace the first, and so fails by its name. Whether the destination does that is asked only where two
 * names would be one, or where so many names are kept that it is worth two requests to forget them.
 */

const { XferError, asXferError } = require('../../errors')
const { createFoldedNames } = require('./folded-names')

/** What a store may take for the same. @typedef {'case' | 'unicode'} Fold */
/** @type {readonly Fold[]} */
const FOLDS = ['case', 'unicode']
const ASCII = /^[\0-\x7f]*$/
/** How often a destination is asked that tells nothing. */
const MOST_VAIN = 3
/** Of the first page. */
const MOST_LISTED = 1_000

/** What a name may be written as instead. @type {Record<Fold, (name: string) => string[]>} */
const SPELLINGS = {
  case: name => [flipped(name), name.toUpperCase(), name.toLowerCase()],
  unicode: name => [name.normalize('NFD'), name.normalize('NFC')],
}
/** Whether it may be written otherwise at all. @type {Record<Fold, (name: string) => boolean>} */
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
 * @param {boolean} how.dryRun nothing is written
 */
function createFolding({ job: { destination, run }, dryRun }) {
  const { store, key: prefix } = destination
  const { cancel: signal } = run
  const names = createFoldedNames()
  /** @type {Partial<Record<Fold, boolean>>} */
  const known = {}
  /** How often nothing told. */
  const vain = { case: 0, unicode: 0 }
  /** Names that are at the destination, and have another spelling. @type {Partial<Record<Fold, string>>} */
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
    const { objects } = await store.list({ prefix: key, most: 1 }, { signal })
    return objects[0]?.key === key
  }

  /** @param {Fold} fold @param {string} witness @returns {Promise<boolean | undefined>} undefined: nothing tells */
  async function probe(fold, witness) {
    if (!(await exists(prefix + witness))) return undefined
    for (const spelling of new Set(SPELLINGS[fold](witness))) {
      if (spelling === witness) continue
      if (!(await exists(prefix + spelling))) return false
      // Two that are listed are two.
      if (!(await isListed(prefix + spelling))) return true
      return !(await isListed(prefix + witness))
    }
  }

  /** @param {Fold} fold @param {() => Promise<unknown>} [idle] once nothing is under way */
  async function settle(fold, idle) {
    if (known[fold] !== undefined) return known[fold]
    if (witnesses[fold] === undefined && idle) {
      await Promise.race([new Promise(resolve => waiting.push(() => resolve(undefined))), idle()])
    }
    const witness = witnesses[fold]
    if (witness === undefined) return undefined
    // Whoever may not look, or finds a store that fails, does not know: then names are written as they are.
    const folds = await probe(fold, witness).catch(cause => {
      if (signal?.aborted) throw cause
      return undefined
    })
    if (folds === undefined && ++vain[fold] < MOST_VAIN) witnesses[fold] = undefined
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

  /** @param {string} name that is at the destination */
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
     * @param {string} name of the source that is to be at the destination
     * @param {() => Promise<unknown>} idle once nothing is under way
     * @returns {Promise<boolean> | false} whether the destination takes it for one that came before
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

    /** @param {string} name of the destination @returns {Promise<boolean>} whether it takes it for one that the source has */
    async spares(name) {
      const kinds = names.clashesOf(name)
      if (kinds.length === 0) return false
      note(name)
      return await foldsAny(kinds)
    },

    /** Asked where names before are not known. @returns {Promise<boolean>} */
    async foldsAtAll() {
      const page = await store.list({ prefix, most: MOST_LISTED }, { signal }).catch(() => undefined)
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

'use strict'

/**
 * A run over a prefix, made of one over an object: many small objects and a few large ones, a destination that is not
 * empty, a source that changes between two commands, and dice that fall as often on whole objects as on parts. Pure.
 */

const { MiB } = require('./dice')

/**
 * @typedef {{ name: string, bytes: number }} Sized
 *
 * @typedef {object} Tree names are keys without the prefix
 * @property {'copy' | 'sync'} mode
 * @property {boolean} deletes
 * @property {boolean} [files] for stores that keep objects as files
 * @property {Sized[]} source
 * @property {Sized[]} destination what is there before; not what the source has, also where the name and the size are
 * @property {Array<{ name: string, bytes: number | undefined }>} later what becomes of objects of the source once a command was
 *   killed; undefined: they are deleted
 *
 * @typedef {import('./draw').Script} Script
 * @typedef {ReturnType<typeof import('./dice').diceOf>} Dice
 */

/** Names as they come, and some that tempt. */
const ODD_NAMES = ['a b', 'ü', '100%', 'deep/er/x', 'deep/er/', '数据', 'a+b', '😀/x']

/** @type {Record<string, unknown>[]} */
const SOURCE_FAULTS = [
  { operation: 'ListObjectsV2', status: 500 },
  { operation: 'ListObjectsV2', cutAfterBytes: 500, on: 'response' },
]
/** @type {Record<string, unknown>[]} */
const DESTINATION_FAULTS = [
  { operation: 'PutObject', status: 500 },
  { operation: 'PutObject', status: 503 },
  { operation: 'PutObject', status: 500, afterWork: true },
  { operation: 'ListObjectsV2', status: 503 },
  { operation: 'DeleteObjects', status: 500 },
  { operation: 'DeleteObjects', loseAnswer: true },
]

/**
 * @param {Script} script
 * @param {Dice} dice
 * @returns {Script}
 */
function ofTree(script, dice) {
  const { pick, chance } = dice
  const tree = drawTree(dice)
  const small = tree.source.filter(({ bytes }) => bytes <= MiB)
  const paged = { pageSize: pick([5, 20, 1000]) }
  return {
    ...script,
    bytes: Math.max(...tree.source.map(({ bytes }) => bytes)),
    tree,
    source: { ...script.source, ...paged, faults: [...faultsOf(script.source), ...drawFaults(dice, SOURCE_FAULTS, 1)] },
    destination: {
      ...script.destination,
      ...paged,
      faults: [
        ...faultsOf(script.destination).map(fault =>
          fault.operation === 'UploadPart' ? { ...fault, operation: ['UploadPart', 'PutObject'] } : fault,
        ),
        ...drawFaults(dice, DESTINATION_FAULTS, 2),
      ],
    },
    kills: script.kills.map(kill => ({
      ...kill,
      ...(kill.victim === 'cli' && chance(0.25) && { signal: pick(/** @type {const} */ (['SIGINT', 'SIGTERM'])) }),
      when: momentOf(kill.when, dice, { deletes: tree.deletes, most: small.length }),
    })),
  }
}

/** @param {Dice} dice @returns {Tree} */
function drawTree({ integer, pick, chance }) {
  const mode = chance(0.4) ? 'sync' : 'copy'
  const deletes = mode === 'sync' && chance(0.7)
  const folder = () => pick(['', 'x/', 'x/y/'])
  const small = Array.from({ length: integer(5, 250) }, (_, i) => ({
    name: `${folder()}${i}`,
    bytes: chance(0.1) ? 0 : integer(1, chance(0.1) ? MiB : 20_000),
  }))
  const odd = ODD_NAMES.filter(() => chance(0.5)).map(name => ({ name, bytes: integer(0, 100) }))
  const large = Array.from({ length: integer(0, 3) }, (_, i) => ({
    name: `${folder()}large${i}`,
    bytes: integer(12 * MiB, 30 * MiB),
  }))
  const source = [...small, ...odd, ...large]
  const gone = Array.from({ length: integer(0, 40) }, (_, i) => ({
    name: `${folder()}gone${i}`,
    bytes: integer(0, 100),
  }))
  const stale = source
    .filter(() => chance(0.1))
    .map(({ name, bytes }) => ({ name, bytes: chance(0.7) ? bytes : bytes + 1 }))
  const later = chance(0.5)
    ? source
        .filter(() => chance(0.05))
        .map(({ name, bytes }) => ({ name, bytes: chance(0.3) ? undefined : chance(0.6) ? bytes : bytes + 1 }))
    : []
  return { mode, deletes, source, destination: [...stale, ...gone], later }
}

/** @param {Record<string, any>} options of a store @returns {any[]} */
function faultsOf({ faults = [] }) {
  return faults
}

/** @param {Dice} dice @param {Record<string, unknown>[]} faults @param {number} most */
function drawFaults({ integer, pick, seed }, faults, most) {
  return Array.from({ length: integer(0, most) }, () => ({
    probability: integer(2, 12) / 100,
    seed: seed(),
    ...pick(faults),
  }))
}

/**
 * @param {import('./draw').Kill['when']} when of an object
 * @param {Dice} dice
 * @param {{ deletes: boolean, most: number }} tree
 * @returns {import('./draw').Kill['when']}
 */
function momentOf(when, { integer, chance }, { deletes, most }) {
  const count = when.count > 1 ? integer(1, most) : when.count
  if (when.of === 'platform') return { ...when, count }
  if (chance(0.15)) return { ...when, operation: 'ListObjectsV2', count: integer(1, 12) }
  if (when.of === 'source') return { ...when, count }
  if (deletes && chance(0.15)) return { ...when, operation: 'DeleteObjects', count: 1 }
  const operation = when.operation === 'UploadPart' && chance(0.6) ? 'PutObject' : when.operation
  return { ...when, operation, count }
}

/** The same without keys that a file system refuses. @param {Script} script @returns {Script} */
function forFiles(script) {
  if (!script.tree) return script
  const { source, destination, later } = script.tree
  const plain = (/** @type {{ name: string }} */ { name }) => !name.endsWith('/')
  const tree = { ...script.tree, source: source.filter(plain), destination: destination.filter(plain) }
  return { ...script, tree: { ...tree, later: later.filter(plain), files: true } }
}

module.exports = { forFiles, ofTree }

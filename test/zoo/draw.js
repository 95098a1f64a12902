'use strict'

/** What happens in a run of the zoo, all of it drawn from the seed and the number of the run: pure. */

const { MODES } = require('../../sandbox/store/modes')
const { seededRandom } = require('../../sandbox/common/call-faults')
const { diceOf, MiB } = require('../soak/dice')
const { drawFaults } = require('./draw-faults')
const { drawObject, drawTree } = require('./draw-objects')

/**
 * @typedef {ReturnType<typeof diceOf>} Dice
 * @typedef {import('./draw-objects').Drawn} Drawn
 * @typedef {import('../../sandbox/store/types').FaultRule} Rule
 *
 * @typedef {object} Side
 * @property {string[]} modes their names
 * @property {Record<string, any>} options of the store
 * @property {Rule[]} rules faults and flips of this run, beside those of its modes
 *
 * @typedef {object} Script
 * @property {'copy' | 'copy -r' | 'sync' | 'verify'} command
 * @property {boolean} deletes of a sync
 * @property {boolean} checksum of a sync: `--checksum`
 * @property {'local' | 'openwhisk'} engine
 * @property {'auto' | 'full' | 'size' | 'none'} verify
 * @property {'none' | 'no-clobber' | 'if-match' | 'if-match-other'} condition
 * @property {boolean} oneStore both buckets are in the destination, which copies by itself
 * @property {number} chunk MiB
 * @property {number} retries
 * @property {Side} source
 * @property {Side} destination
 * @property {Drawn[]} objects of the source; names without the prefix
 * @property {{ name: string, bytes: number, same?: boolean }[]} before at the destination; same: the source's own bytes
 * @property {{ of: 'source' | 'destination', operation: string, count: number } | undefined} kill when the command is killed (-9)
 * @property {('resume' | 'again')[]} comebacks what follows a command that was killed, or failed
 * @property {{ count: number, bytes: number } | undefined} change the source is replaced when that many GETs have begun
 * @property {boolean} server the stores are of other make
 * @property {'equal' | 'different' | 'lying'} pair of `verify`: what the destination holds; lying: other bytes under the source's checksum
 */

const PART_BYTES = 5 * MiB

/**
 * @param {number} seed
 * @param {number} run from 1
 * @param {{ server?: boolean }} [where] server: the stores are of other make, and have no modes
 * @returns {Script}
 */
function drawRun(seed, run, { server = false } = {}) {
  const dice = diceOf(seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run, 0x85ebca6b) ^ 0x700))
  const { pick, chance, integer } = dice
  const command = pick(/** @type {const} */ (['copy', 'copy', 'copy', 'copy -r', 'copy -r', 'sync', 'sync', 'verify']))
  const single = command === 'copy' || command === 'verify'
  const oneStore = command !== 'verify' && chance(0.12)
  const verify = pick(/** @type {const} */ (['auto', 'auto', 'auto', 'auto', 'full', 'full', 'size', 'none']))
  const source = drawSide(dice, 'source', server)
  const destination = drawSide(dice, 'destination', server)
  const plain = server || destination.options.foldNames === undefined
  const condition =
    command === 'copy' && chance(0.35)
      ? pick(/** @type {const} */ (['no-clobber', 'no-clobber', 'if-match', 'if-match-other']))
      : 'none'
  const tree = single
    ? {
        objects: [drawObject(dice, pick(['object', 'object', 'a b/ü', command === 'copy' ? 'dir/' : 'deep/er']))],
        before: drawBefore(dice, condition),
      }
    : drawTree(dice, { twins: !plain })
  const faults = drawFaults(dice, { single, verify, oneStore })
  const kill = command !== 'verify' && chance(0.12) ? drawKill(dice, single) : undefined
  return {
    command,
    deletes: command === 'sync' && chance(0.6),
    checksum: command === 'sync' && chance(0.3),
    engine: chance(0.25) ? 'openwhisk' : 'local',
    verify,
    condition,
    oneStore,
    chunk: pick([5, 5, 6, 8]),
    retries: pick([0, 1, 3, 3]),
    source: { ...source, rules: oneStore ? [] : faults.source },
    destination: { ...destination, rules: oneStore ? [...faults.source, ...faults.destination] : faults.destination },
    ...tree,
    kill,
    comebacks: Array.from({ length: 6 }, () => (chance(0.7) ? 'resume' : 'again')),
    change:
      !kill && single && command === 'copy' && chance(0.06)
        ? { count: integer(1, 2), bytes: integer(0, 9 * MiB) }
        : undefined,
    server,
    pair: pick(/** @type {const} */ (['equal', 'different', 'lying'])),
  }
}

/** @param {Dice} dice @param {'source' | 'destination'} side @param {boolean} server @returns {Omit<Side, 'rules'>} */
function drawSide({ pick, chance }, side, server) {
  const fitting = MODES.filter(mode => mode.side === side || mode.side === 'both')
  const first = pick(fitting)
  const second = chance(0.25) ? pick(fitting) : first
  if (server) return { modes: [], options: {} }
  const clash = Object.keys(second.options).some(name => name !== 'serverName' && name in first.options)
  const modes = clash ? [first] : [first, second]
  return { modes: modes.map(({ name }) => name), options: Object.assign({}, ...modes.map(({ options }) => options)) }
}

/** @param {Dice} dice @param {Script['condition']} condition */
function drawBefore({ chance, integer }, condition) {
  return chance(condition === 'if-match' ? 0.9 : 0.4) ? [{ name: '', bytes: integer(0, 20_000) }] : []
}

/** @param {Dice} dice @param {boolean} single @returns {NonNullable<Script['kill']>} */
function drawKill({ pick, integer }, single) {
  const operations = [
    'PutObject',
    'UploadPart',
    'CreateMultipartUpload',
    'CompleteMultipartUpload',
    'HeadObject',
    'GetObject',
  ]
  if (!single) operations.push('ListObjectsV2', 'PutObject', 'DeleteObjects')
  const operation = pick(operations)
  const of = operation === 'GetObject' ? pick(/** @type {const} */ (['source', 'destination'])) : 'destination'
  return { of, operation, count: operation === 'PutObject' && !single ? integer(1, 5) : integer(1, 2) }
}

module.exports = { drawRun, PART_BYTES }

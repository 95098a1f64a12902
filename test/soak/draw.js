'use strict'

/** What happens in a run, all of it drawn from the seed and the number of the run: pure. */

const { diceOf, MiB } = require('./dice')
const { ofTree } = require('./draw-tree')
const { PLATFORMS } = require('./platforms')
const { seededRandom } = require('../../sandbox/common/call-faults')

/**
 * @typedef {string} Victim `cli`, `source`, `destination`, `container`, or a member of the platform
 *
 * @typedef {object} Kill
 * @property {Victim} victim
 * @property {'SIGKILL' | 'SIGINT' | 'SIGTERM'} signal
 * @property {{ of: 'source' | 'destination' | 'platform', event: string, operation?: string, count: number }} when the count-th such
 *   event since the last kill
 * @property {number} downMs until it is started again; the command is followed by another one at once
 *
 * @typedef {object} Script
 * @property {number} bytes of the object, or of the largest
 * @property {import('./draw-tree').Tree} [tree] what is below a prefix, instead of an object
 * @property {string} engine
 * @property {string[]} flags of `xfer copy`
 * @property {boolean} sourceChecksum whether the source keeps one
 * @property {boolean} [checks] false: the destination does not check what it receives
 * @property {Record<string, unknown>} source options of the store
 * @property {Record<string, unknown>} destination likewise
 * @property {Record<string, unknown>} platform likewise
 * @property {Kill[]} kills
 * @property {('resume' | 'copy')[]} comebacks the commands that follow, in turn
 */

/**
 * @param {number} seed
 * @param {number} run from 1
 * @param {{ prefix?: boolean, engine?: string }} [what] engine: in place of the one that is drawn
 * @returns {Script}
 */
function drawRun(seed, run, { prefix = false, engine } = {}) {
  const script = drawObject(seed, run, engine)
  return prefix
    ? ofTree(script, diceOf(seededRandom(Math.imul(seed, 0x27d4eb2f) ^ Math.imul(run, 0x165667b1))))
    : script
}

/** @param {number} seed @param {number} run @param {string} [asked] engine @returns {Script} */
function drawObject(seed, run, asked) {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run, 0x85ebca6b))
  const dice = diceOf(random)
  const { integer, pick, chance } = dice
  const drawn = pick(['local', 'openwhisk'])
  const engine = asked ?? drawn
  const platform = PLATFORMS[engine] ?? PLATFORMS.openwhisk
  const bytes = integer(5 * MiB, 60 * MiB)
  const chunk = integer(5, 14)
  const parts = Math.ceil(bytes / (chunk * MiB))
  const checksums = chance(0.7)
  const perInvocation = pick(['auto', '1', '2', '3'])
  const flags = ['--chunk', String(chunk), '--concurrency', String(integer(1, 6)), '--io-timeout', '2']
  return {
    bytes,
    engine,
    flags: [...flags, '--parts-per-invocation', perInvocation, ...(chance(0.2) ? ['--verify', 'full'] : [])],
    sourceChecksum: chance(0.5),
    source: { faults: drawSome(dice, SOURCE_FAULTS, 2) },
    destination: {
      checksums,
      requirePartChecksums: checksums && chance(0.3),
      trailerStatus: pick([501, 411]),
      // Without checksums nothing else than an MD5 tells of a part what it is.
      md5Etags: !checksums || chance(0.7),
      faults: [
        { operation: ['UploadPart', 'PutObject'], bytesPerSecond: integer(20, 200) * MiB, shared: true },
        ...drawSome(dice, DESTINATION_FAULTS, 3),
        ...drawPauses(dice),
      ],
    },
    platform: {
      ...drawPlaces(dice, platform),
      ...platform.options,
      faults: drawSome(dice, platform.faults, 2),
    },
    kills: Array.from({ length: integer(2, 7) }, () => drawKill(dice, engine, parts)),
    comebacks: Array.from({ length: 40 }, () => (chance(0.75) ? 'resume' : 'copy')),
  }
}

/** @typedef {ReturnType<typeof diceOf>} Dice */

/** Those that pass: what is met too often ends a command, and the next one goes on. @type {Record<string, unknown>[]} */
const SOURCE_FAULTS = [
  { operation: 'GetObject', status: 500 },
  { operation: 'GetObject', status: 503 },
  { operation: 'GetObject', cutAfterBytes: MiB, on: 'response' },
  { operation: 'GetObject', stall: MiB, on: 'response' },
  { operation: 'GetObject', ignoreRange: true },
  { operation: 'GetObject', wrongContentRange: true },
  { operation: 'HeadObject', status: 500 },
]

/** @type {Record<string, unknown>[]} */
const DESTINATION_FAULTS = [
  { operation: 'UploadPart', status: 500 },
  { operation: 'UploadPart', status: 503 },
  { operation: 'UploadPart', status: 500, afterWork: true },
  { operation: 'UploadPart', cutAfterBytes: 2 * MiB },
  { operation: 'UploadPart', flipByteAt: MiB },
  { operation: 'UploadPart', stall: MiB },
  { operation: ['UploadPart', 'PutObject'], loseAnswer: true },
  { operation: 'CreateMultipartUpload', loseAnswer: true },
  { operation: 'CreateMultipartUpload', status: 500, afterWork: true },
  { operation: 'CompleteMultipartUpload', loseAnswer: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true },
  { operation: 'CompleteMultipartUpload', errorInBody: true, afterWork: true },
  { operation: ['ListParts', 'ListMultipartUploads', 'AbortMultipartUpload'], status: 500 },
  { operation: ['ListParts', 'AbortMultipartUpload'], loseAnswer: true },
]

/** @param {Dice} dice @param {import('./platforms').Platform} platform */
function drawPlaces({ integer }, { places }) {
  const most = integer(1, 3)
  return places ? { [places]: most } : {}
}

/** @param {Dice} dice @param {Record<string, unknown>[]} faults @param {number} most */
function drawSome({ integer, pick, seed }, faults, most) {
  return Array.from({ length: faults.length > 0 ? integer(0, most) : 0 }, () => {
    const fault = pick(faults)
    const { operation } = fault
    // Of what happens once or twice in a copy a small share would be none.
    const rare = typeof operation === 'string' && /Create|Complete|Head/.test(operation)
    return { probability: integer(rare ? 10 : 2, rare ? 40 : 12) / 100, seed: seed(), ...fault }
  })
}

/** Before or behind the work of the calls whose answer matters most, so that a kill finds its way into it. @param {Dice} dice */
function drawPauses({ pick, integer }) {
  return ['CreateMultipartUpload', 'CompleteMultipartUpload'].map(operation => ({
    operation,
    [pick(['delayMs', 'answerDelayMs'])]: integer(20, 120),
  }))
}

/** Moments, by who shows them. */
const OF_DESTINATION = [
  ['begin', 'UploadPart'],
  ['request', 'UploadPart'],
  ['begin', 'UploadPart'],
  ['request', 'UploadPart'],
  ['begin', 'CreateMultipartUpload'],
  ['request', 'CreateMultipartUpload'],
  ['begin', 'CompleteMultipartUpload'],
  ['request', 'CompleteMultipartUpload'],
  ['begin', 'ListParts'],
]
const OF_SOURCE = [
  ['begin', 'HeadObject'],
  ['begin', 'GetObject'],
  ['request', 'GetObject'],
]
const OF_PLATFORM = [['start'], ['run']]

/** @param {Dice} dice @param {Script['engine']} engine @param {number} parts @returns {Kill} */
function drawKill({ integer, pick, chance }, engine, parts) {
  const { members = [], shows = false } = PLATFORMS[engine] ?? {}
  /** @type {Victim[]} */
  const victims = ['cli', 'cli', 'cli', 'destination', 'destination', 'source']
  victims.push(...members, ...members)
  if (shows) victims.push('container', 'container')
  const victim = pick(victims)
  const of = witnessOf(victim, shows, pick)
  const [event, operation] = pick({ source: OF_SOURCE, destination: OF_DESTINATION, platform: OF_PLATFORM }[of])
  const many = operation === undefined || operation === 'UploadPart' || operation === 'GetObject'
  return {
    victim,
    signal: victim === 'cli' && chance(0.2) ? pick(/** @type {const} */ (['SIGINT', 'SIGTERM'])) : 'SIGKILL',
    when: {
      of,
      event: victim === 'container' ? 'run' : event,
      operation,
      count: many ? integer(1, Math.max(parts, 2)) : 1,
    },
    downMs: pick([0, 0, 100, 400, 1_000, 2_500]),
  }
}

/** @param {Victim} victim @param {boolean} shows whether the platform tells of its invocations @param {Dice['pick']} pick @returns {Kill['when']['of']} */
function witnessOf(victim, shows, pick) {
  if (shows && (victim === 'container' || victim === 'platform')) return 'platform'
  if (victim === 'source' || victim === 'destination') return victim
  return pick(shows ? ['source', 'destination', 'destination', 'platform'] : ['source', 'destination', 'destination'])
}

module.exports = { drawRun }

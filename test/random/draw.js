'use strict'

/** What happens in a run, all of it drawn from the seed and the number of the run: pure. */

const { seededRandom } = require('../../sandbox/common/rules')
const { drawFaults } = require('./faults')
const { drawChain } = require('./chains')
const { drawMachines } = require('./machines')

const MiB = 1024 ** 2
const PREFIX = { from: 'from/', to: 'to/' }

/**
 * @typedef {import('../../sandbox/store/types').FaultRule} Rule
 * @typedef {{ kill: number, flip: number, faults: number, lie: number, machines: number, chain: number }} Shares of the runs in which something is killed,
 *   flipped, faulty, or kept against the word of the destination, or two machines share the job, or it is left to functions
 * @typedef {'put' | 'put-crc32' | 'parts' | 'parts-full' | 'parts-composite'} Written how an object came to the source
 * @typedef {{ headers: Record<string, string>, user: Record<string, string>, tags: [string, string][] }} Attributes
 * @typedef {{ name: string, bytes: number, kind: Written, attributes: Attributes }} Drawn
 *
 * @typedef {object} Kill
 * @property {'command' | 'source' | 'destination' | 'platform'} victim command: of a job that is left to functions, the run that goes on with it; a
 *   store cannot be reached for a while; the platform is started anew
 * @property {'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'SIGSTOP'} signal SIGSTOP: it sleeps while another machine takes its job
 * @property {number} downMs
 * @property {{ of: 'source' | 'destination', operation: string, count: number }} when the count-th such request since the last kill
 *
 * @typedef {object} Script
 * @property {'copy' | 'copy -r' | 'sync' | 'mv -r' | 'verify'} command
 * @property {boolean} single one object, not all below a prefix
 * @property {string[]} flags
 * @property {string} engine
 * @property {'auto' | 'full'} verify
 * @property {'none' | 'no-clobber' | 'if-match' | 'if-match-other'} condition
 * @property {boolean} deletes of a sync
 * @property {string} source name of its kind
 * @property {string} destination
 * @property {number} pageSize of the lists of the sandbox's store
 * @property {boolean} oneStore both places are in the destination's store, which copies by itself
 * @property {Drawn[]} objects of the source; names without the prefix
 * @property {{ name: string, bytes: number, same?: boolean }[]} before at the destination; same: the source's own bytes
 * @property {boolean} equal of `verify`: whether the destination has the source's bytes
 * @property {ReturnType<typeof drawFaults>} faults
 * @property {Kill[]} kills all lie in wait, and count from the last one that struck
 * @property {('resume' | 'again')[]} comebacks what follows a command that was killed, or failed
 * @property {import('./machines').Machines | undefined} machines
 * @property {import('./chains').Chain | undefined} chain it is left to functions
 * @property {{ after: number, bytes: number } | undefined} change the first object is replaced when that many reads have begun
 */

/** @type {Script['command'][]} */
const COMMANDS = ['copy', 'copy', 'copy', 'copy', 'copy -r', 'copy -r', 'sync', 'sync', 'sync', 'mv -r', 'verify']
const HEADERS = [
  ['cache-control', 'max-age=60'],
  ['content-disposition', 'attachment'],
  ['content-encoding', 'gzip'],
  ['content-language', 'de'],
  ['content-type', 'text/plain'],
  ['expires', 'Wed, 21 Oct 2037 07:28:00 GMT'],
]
const TAGS = Object.entries({ team: 'blue', owner: 'me' })
/** Names that tempt. */
const ODD = ['a b', '100%', 'a+b', '数据', 'deep/er/x']
const FOLDERS = ['dir/', 'deep/er/']

/** @param {() => number} random */
function diceOf(random) {
  /** @param {number} least @param {number} most @returns {number} both included */
  const integer = (least, most) => least + Math.floor(random() * (most - least + 1))
  return {
    integer,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: list => list[integer(0, list.length - 1)],
    /** @param {number} share */
    chance: share => random() < share,
    seed: () => integer(1, 2 ** 31),
  }
}

/** @typedef {ReturnType<typeof diceOf>} Dice */

/**
 * @param {number} seed
 * @param {number} run from 1
 * @param {import('./world').Kind[]} kinds that can be started
 * @param {Shares} shares
 * @returns {Script}
 */
function drawRun(seed, run, kinds, shares) {
  const dice = diceOf(seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run, 0x85ebca6b)))
  const { pick, chance, integer } = dice
  const command = pick(COMMANDS)
  const single = command === 'copy' || command === 'verify'
  const [source, destination] = drawKinds(dice, kinds)
  const oneStore = source === destination && !source.local && command !== 'verify' && chance(0.7)
  const isLocal = source.local || destination.local
  const engine = isLocal ? 'local' : pick(['local', 'local', 'local', 'local', 'openwhisk', 'lambda', 'http'])
  const verify = pick(/** @type {const} */ (['auto', 'auto', 'full']))
  const condition =
    command === 'copy' && chance(0.3)
      ? pick(/** @type {const} */ (['no-clobber', 'no-clobber', 'if-match', 'if-match-other']))
      : 'none'
  const odd = !source.files && !destination.files ? [...ODD, ...FOLDERS] : ODD
  const changes = command !== 'verify' && !source.local && chance(single ? 0.25 : 0.1)
  // Another machine has other files.
  const isShared = command !== 'verify' && !isLocal && chance(shares.machines)
  const isKilled = command !== 'verify' && chance(isShared ? Math.max(0.8, shares.kill) : shares.kill)
  // What is interrupted in its middle has several parts, one after the other.
  const inParts = changes || isKilled
  const { objects, before } = single
    ? {
        objects: [drawObject(dice, pick(['object', 'a b/ü']), inParts ? [11, 22] : chance(0.6) ? [5, 12] : undefined)],
        before: drawBefore(dice, condition),
      }
    : drawTree(dice, odd, command)
  const chunk = pick([5, 5, 6, 8])
  const isSmall = objects.every(({ kind, bytes }) => kind.startsWith('put') && bytes <= 5 * MiB)
  // What a source keeps tells any other reading of an object of one request.
  const readsAreSure = verify === 'full' || (isSmall && source.md5)
  const faults = drawFaults(dice, { engine, readsAreSure, oneStore, full: verify === 'full', shares })
  const drawn = !isKilled ? [] : drawKills(dice, { single, source, destination })
  const names = { source: oneStore ? destination.name : source.name, destination: destination.name }
  const { machines, kills } = isShared
    ? drawMachines(dice, { kills: drawn, faults, condition }, names)
    : { machines: undefined, kills: drawn }
  const script = {
    ...{ command, single, engine, verify, condition, oneStore, objects, before, faults, kills, machines },
    source: source.name,
    destination: destination.name,
    pageSize: pick([3, 1000]),
    deletes: command === 'sync' && chance(0.7),
    equal: chance(0.5),
    flags: [
      ...['--chunk', String(chunk), '--concurrency', String(pick(inParts ? [1, 1, 2, 4] : [1, 2, 4, 8]))],
      ...(command === 'verify'
        ? verify === 'full'
          ? ['--read']
          : []
        : ['--verify', verify, '--retries', String(pick([0, 1, 3, 3]))]),
    ],
    comebacks: Array.from({ length: 10 }, () => (chance(0.75) ? 'resume' : 'again')),
    change: changes
      ? { after: integer(single ? 2 : 1, 3), bytes: chance(0.7) ? objects[0].bytes : integer(0, 9 * MiB) }
      : undefined,
  }
  const chain = chance(shares.chain) ? drawChain(dice, script, names) : undefined
  return chain ? leftTo(chain, script, dice) : { ...script, chain }
}

/** One run at a time goes on with it: what is cut off costs minutes. @param {import('./chains').Chain} chain @param {Omit<Script, 'chain'>} script @param {Dice} dice @returns {Script} */
function leftTo(chain, { flags, kills, faults, ...script }, { chance }) {
  const at = flags.indexOf('--concurrency') + 1
  return {
    ...script,
    ...{ chain, engine: chain.engine, machines: undefined, faults: { ...faults, platform: [] } },
    flags: flags.with(at, '1'),
    kills: kills.slice(0, 2).map(kill => ({ ...kill, victim: chance(0.2) ? 'platform' : kill.victim })),
  }
}

/** As often servers of other makes as modes of the sandbox, where there are both. @param {Dice} dice @param {import('./world').Kind[]} kinds */
function drawKinds({ pick, chance }, kinds) {
  const one = (/** @type {'source' | 'destination'} */ side) => {
    const fitting = kinds.filter(kind => kind.side === undefined || kind.side === side)
    const others = fitting.filter(({ options }) => options === undefined)
    return pick(others.length > 0 && chance(0.5) ? others : fitting)
  }
  const source = one('source')
  const fits = source.side === undefined
  return /** @type {const} */ ([source, fits && chance(0.12) ? source : one('destination')])
}

/** @param {Dice} dice @param {string} name @param {number[]} [large] its bounds in MiB @returns {Drawn} */
function drawObject(dice, name, large) {
  const { integer, chance, pick } = dice
  const bytes = large
    ? integer(large[0] * MiB + 1, large[1] * MiB)
    : chance(0.1)
      ? 0
      : integer(1, chance(0.3) ? 200_000 : 5_000)
  const kind = large
    ? pick(/** @type {const} */ (['put', 'put-crc32', 'parts', 'parts', 'parts-full', 'parts-composite']))
    : pick(/** @type {const} */ (['put', 'put', 'put-crc32']))
  return { name, bytes, kind, attributes: drawAttributes(dice, name) }
}

/** @param {Dice} dice @param {string} name @returns {Attributes} */
function drawAttributes({ chance }, name) {
  if (chance(0.5) || name.endsWith('/')) return { headers: {}, user: {}, tags: [] }
  return {
    headers: Object.fromEntries(HEADERS.filter(() => chance(0.4))),
    user: chance(0.5) ? { colour: 'red', with_line: 'a b' } : {},
    tags: TAGS.filter(() => chance(0.4)),
  }
}

/** @param {Dice} dice @param {string[]} odd names @param {Script['command']} command */
function drawTree(dice, odd, command) {
  const { integer, pick, chance } = dice
  const many = integer(1, chance(0.2) ? 60 : 9)
  const usual = Array.from({ length: many }, (_, i) => `${pick(['', 'x/', 'x/y/'])}${i}`)
  const names = [...usual, ...odd.filter(() => chance(0.2))]
  /** @type {Drawn[]} */
  const objects = names.map(name => ({
    ...{ name, bytes: name.endsWith('/') ? 0 : integer(0, 20_000), attributes: drawAttributes(dice, name) },
    kind: pick(['put', 'put-crc32']),
  }))
  if (chance(0.4)) objects.push(drawObject(dice, 'large', [5, 12]))
  const there = objects
    .filter(({ bytes }) => bytes < MiB && chance(0.25))
    // A copy that is resumed takes what is the same, and was written in the second in which it began, for its own.
    .map(({ name, bytes }) =>
      command === 'sync' && chance(0.3) ? { name, bytes, same: true } : { name, bytes: bytes + 1 },
    )
    .filter(({ name }) => !name.endsWith('/'))
  const gone = Array.from({ length: integer(0, 4) }, (_, i) => ({ name: `gone${i}`, bytes: integer(0, 100) }))
  return { objects, before: [...there, ...gone] }
}

/** @param {Dice} dice @param {Script['condition']} condition */
function drawBefore({ chance, integer }, condition) {
  return chance(condition === 'if-match' ? 0.9 : 0.4) ? [{ name: '', bytes: integer(0, 20_000) }] : []
}

/** @param {Dice} dice @param {{ single: boolean, source: { local?: boolean }, destination: { local?: boolean } }} of @returns {Kill[]} */
function drawKills(dice, { single, source, destination }) {
  const { pick, integer, chance } = dice
  const sides = [...(source.local ? [] : ['source']), ...(destination.local ? [] : ['destination'])]
  // Between two folders nothing tells the moment of a kill.
  if (sides.length === 0) return []
  const operations = {
    source: ['GetObject', 'GetObject', 'HeadObject', ...(single ? [] : ['ListObjectsV2'])],
    destination: [
      ...[...Array(4).fill('UploadPart'), 'PutObject', 'CreateMultipartUpload', 'CompleteMultipartUpload'],
      ...(single ? [] : ['PutObject', 'ListObjectsV2', 'DeleteObjects']),
    ],
  }
  return Array.from({ length: integer(1, 3) }, () => {
    const of = /** @type {'source' | 'destination'} */ (pick(sides))
    const operation = pick(operations[of])
    const victim = chance(0.7) ? 'command' : of
    const signal = chance(0.8) ? 'SIGKILL' : pick(/** @type {const} */ (['SIGINT', 'SIGTERM']))
    const downMs = pick([0, 100, 1_000, 2_500])
    const count = operation === 'UploadPart' ? integer(2, 4) : /GetObject|Put/.test(operation) ? integer(1, 5) : 1
    return { victim, signal, downMs, when: { of, operation, count } }
  })
}

module.exports = { PREFIX, drawRun }

'use strict'

/** Two machines that share the jobs of a state: what is drawn of them, and what is held of the state afterwards. Pure. */

/**
 * @typedef {ReturnType<typeof import('./draw').diceOf>} Dice
 * @typedef {import('../../sandbox/store/types').FaultRule} Rule
 *
 * @typedef {object} Machines
 * @property {'own' | 'source' | 'destination'} where the state is: in a store of its own, or below that place
 * @property {boolean} byOption `--state` names it; else XFER_STATE
 * @property {boolean} atOnce both begin with the same command at the same time
 * @property {boolean[]} others whether a command that goes on is given on the other machine
 * @property {Rule[]} faults of a store of its own
 */

const STATE = '.xfer/'
/** A wish of no job: it has to stay as it is. */
const CANARY = 'asks/canary'
/** Stores of which xfer knows that they keep the condition of a write. */
const IS_SAFE = /^(sandbox:plain|sandbox-azure|google-mode|azurite|minio|versitygw)$/
/** @type {Rule[]} */
const OF_STATE = [
  { operation: 'PutObject', status: 500 },
  { operation: 'PutObject', status: 503, afterWork: true },
  { operation: 'PutObject', loseAnswer: true },
  { operation: 'PutObject', answerDelayMs: 400 },
  { operation: ['GetObject', 'HeadObject'], status: 500 },
  { operation: 'GetObject', cutAfterBytes: 100, on: 'response' },
  { operation: 'ListObjectsV2', status: 503 },
]

/**
 * @param {Dice} dice
 * @param {Pick<import('./draw').Script, 'kills' | 'faults' | 'condition'>} script
 * @param {{ source: string, destination: string }} names of kinds
 * @returns {{ machines: Machines, kills: import('./draw').Kill[] }} of the kills one may be a sleep
 */
function drawMachines({ pick, chance, integer, seed }, { kills, faults, condition }, names) {
  // Below a place what goes wrong there goes wrong with the state too: only what a client can notice.
  const isFit = (/** @type {'source' | 'destination'} */ side) => {
    const rules = names.source === names.destination ? [...faults.source, ...faults.destination] : faults[side]
    return IS_SAFE.test(names[side]) && rules.every(({ flipByteAt, keeps }) => flipByteAt === undefined && !keeps)
  }
  const fitting = /** @type {const} */ (['source', 'destination']).filter(isFit)
  const where = fitting.length > 0 && chance(0.6) ? pick(fitting) : 'own'
  const strikes = chance(0.4) ? integer(1, 2) : 0
  const sleeps = kills.some(({ victim }) => victim === 'command') && chance(0.5)
  const sleep = sleeps ? kills.find(({ victim }) => victim === 'command') : undefined
  return {
    machines: {
      ...{ where, byOption: chance(0.5), atOnce: !sleeps && condition === 'none' && chance(0.4) },
      others: Array.from({ length: 10 }, () => chance(0.7)),
      faults: Array.from({ length: strikes }, () => ({
        ...{ probability: integer(5, 25) / 100, seed: seed() },
        ...pick(OF_STATE),
      })),
    },
    kills: kills.map(kill => (kill === sleep ? { ...kill, signal: 'SIGSTOP' } : kill)),
  }
}

/** The lines of each job, as its segments stand. @param {Map<string, { bytes: Buffer }>} objects of the state @returns {Map<string, string>} by id, the oldest first */
function textsOf(objects) {
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const [name, { bytes }] of [...objects].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [folder, id] = name.split('/')
    if (folder === 'jobs') texts.set(id, `${texts.get(id) ?? ''}${bytes}\n`)
  }
  return texts
}

/** Whether the newest job is that machine's own, as the last claim says. @param {Map<string, string>} texts @param {string} machine */
function isOwnedBy(texts, machine) {
  const signs = [
    ...([...texts.values()].at(-1) ?? '').matchAll(/"type":"(claim|release|finished)"(?:.*"host":"(\w+)")?/g),
  ]
  return signs.at(-1)?.[1] === 'claim' && signs.at(-1)?.[2] === machine
}

/**
 * Each command that ended with 0 has finished a job of its own, and after one that is the last none is unfinished.
 *
 * @param {import('./run').Ended[]} commands
 * @param {import('./run').Ended} listed by `xfer jobs`
 * @param {Map<string, { bytes: Buffer }>} objects of the state
 * @returns {string[]} what is wrong
 */
function judgeState(commands, listed, objects) {
  const jobs = listed.events.filter(({ id }) => id !== undefined)
  const stateOf = (/** @type {any} */ job) => `${job.id} ${job.state}`
  const done = jobs.filter(({ state }) => state === 'done')
  const finished = commands.filter(({ status }) => status === 0).length
  const isOver = commands.at(-1)?.status === 0
  const open = jobs.filter(({ state }) => /running|stopped|waiting|damaged/.test(state))
  return [
    ...(listed.status === 0 ? [] : [`xfer jobs ends with ${listed.status}: ${listed.last?.message}`]),
    ...(done.length < finished ? [`${finished} commands ended with 0, and ${done.length} jobs are done`] : []),
    ...(isOver && open.length > 0
      ? [`it ends with 0, and of jobs there is left: ${open.map(stateOf).join(', ')}`]
      : []),
    ...(String(objects.get(CANARY)?.bytes) === CANARY ? [] : ['a wish of no job is gone from the state']),
  ]
}

module.exports = { CANARY, STATE, drawMachines, isOwnedBy, judgeState, textsOf }

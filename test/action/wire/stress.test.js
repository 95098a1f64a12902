'use strict'

/** Copies between stores that do what they like: every outcome and every byte. */

const crypto = require('node:crypto')
const { readFileSync } = require('node:fs')

jest.mock('../../../actions/copy-range/slab', () => require('./poisoned-slab'))

const { closeConnections, main } = require('../../../actions/copy-range')
const { AUTHORITY } = require('../../support/tls')
const { crc32Of, S3, makeTask } = require('../stores')
const { inUse } = require('./poisoned-slab')
const { createChance, startWildStore, turns } = require('./wild-store')

const ROUNDS = 200
/** One test of many rounds would take longer than a test may on a busy machine. */
const ROUNDS_A_TEST = 10
const firstRounds = Array.from({ length: ROUNDS / ROUNDS_A_TEST }, (_, i) => 1 + i * ROUNDS_A_TEST)
const object = crypto.randomBytes(3_000_000)
const ca = readFileSync(AUTHORITY, 'utf8')

/** @type {Map<string, any>} */
const plans = new Map()
let urls = []

beforeEach(async () => {
  const [plain, secure] = [await startWildStore(plans, false), await startWildStore(plans, true)]
  urls = [`http://127.0.0.1:${plain.port}`, `https://127.0.0.1:${secure.port}`]
})

const FRAMINGS = ['length', 'length', 'chunked', 'close']
const SOURCE_FAULTS = ['refuse', 'mute', 'cut', 'reset', 'long', 'surplus', 'idle']
const SINK_FAULTS = ['cut', 'reset', 'refuse', 'refuse and close', 'refuse and reset', 'late']

/** What the stores of one task do. */
function makePlan(chance) {
  const bytes = chance.pick([0, 1, 1 + chance.below(3000), 1 + chance.below(200_000), 1 + chance.below(1_500_000)])
  const start = chance.below(object.length - bytes + 1)
  const framing = chance.pick(FRAMINGS)
  let fault = chance.oneIn(6) ? chance.pick(SOURCE_FAULTS) : undefined
  if (bytes === 0 && (fault === 'cut' || fault === 'reset')) fault = undefined
  if (fault === 'long' && framing === 'length') fault = undefined
  return {
    bytes,
    start,
    seed: chance.below(2 ** 30),
    // Of an object that is no longer than what is read: an empty range cannot be asked for.
    total: bytes > 0 ? `bytes ${start}-${start + bytes - 1}/${object.length}` : '',
    data: object.subarray(start, start + bytes),
    source: {
      framing,
      fault,
      at: chance.below(bytes),
      interim: chance.oneIn(5) ? 1 + chance.below(3) : 0,
      most: Math.max(bytes / 40, chance.pick([1, 1000, 16_384, 70_000, 2 ** 21])),
      close: chance.oneIn(8),
    },
    sink: {
      fault: chance.oneIn(6) ? chance.pick(SINK_FAULTS) : undefined,
      at: chance.below(100) / 100,
      most: chance.pick([10, 1000]),
      slow: chance.pick([0, 0, 1, 4]),
      close: chance.oneIn(8),
      chunked: chance.oneIn(3),
    },
    urls: [chance.pick(urls), chance.pick(urls)],
  }
}

/** Outcomes that a plan can have; each as its code and side. */
function possible({ source, sink, bytes }) {
  const ends = new Set()
  const { fault, framing } = source
  if (fault === 'refuse') ends.add('HTTP_STATUS read')
  if (fault === 'mute') ends.add('CONNECTION_CUT read')
  if (fault === 'long') ends.add('BODY_LENGTH read')
  if (fault === 'cut') ends.add(framing === 'close' ? 'BODY_LENGTH read' : 'CONNECTION_CUT read')
  // The kernel may tell a reset as an end.
  if (fault === 'reset') ends.add('CONNECTION_CUT read').add(framing === 'close' ? 'BODY_LENGTH read' : '')
  // It is in time for the answer, or too late, or there is no end to be beyond of.
  if (fault === 'surplus')
    ends
      .add('BAD_ANSWER read')
      .add('ok')
      .add(framing === 'close' ? 'BODY_LENGTH read' : '')
  const readFails = ends.size > 0 && fault !== 'surplus'
  if (sink.fault === 'cut' || sink.fault === 'reset') ends.add('CONNECTION_CUT write')
  else if (sink.fault) ends.add('HTTP_STATUS write')
  if (sink.fault === 'refuse and reset' || sink.fault === 'refuse and close') ends.add('CONNECTION_CUT write')
  if (sink.fault) ends.delete('ok')
  else if (!readFails) ends.add('ok')
  // What is sent to a store that has heard all it wants.
  if (bytes === 0 && sink.fault) ends.add('HTTP_STATUS write')
  return ends
}

/** Of those who share connections with one that is closed unasked, or that says too much. */
const LOOSE = ['read', 'write'].flatMap(side => [`CONNECTION_CUT ${side}`, `BAD_ANSWER ${side}`])

const labelOf = ({ error }) => (error ? `${error.code} ${error.side}` : 'ok')

async function runRound(round, how = {}) {
  const chance = createChance(round)
  const list = Array.from({ length: 1 + chance.below(4) }, () => ({ ...makePlan(chance), stored: [] }))
  const names = list.map((_plan, i) => `${round}-${i}`)
  for (const [i, plan] of list.entries()) plans.set(names[i], plan)
  const tasks = list.map(({ bytes, start, urls }, i) => {
    const total = bytes > 0 ? object.length : 0
    const more = { bytes, start: bytes > 0 ? start : 0, total, partNumber: i + 1 }
    const task = makeTask({ url: urls[0] }, { url: urls[1] }, more)
    task.read.url = `${urls[0]}/plan/${names[i]}`
    task.write.url = `${urls[1]}/plan/${names[i]}`
    return task
  })
  const parallel = 1 + chance.below(3)
  const { outcomes } = await main({ ...S3, tasks, parallel, stallMs: 30_000 }, { ca, ...how })
  return list.map((plan, i) => ({ plan, outcome: outcomes[i] }))
}

test.each(firstRounds)('rounds from %i end as they may, with the right bytes', async from => {
  const wrong = []
  for (let round = from; round < from + ROUNDS_A_TEST; round++) {
    const results = await runRound(round)
    // One that closes connections unasked may close one that another task of the round has just begun to write to.
    const loose = results.some(({ plan }) => plan.source.fault === 'idle' || plan.source.fault === 'surplus')
    for (const [i, { plan, outcome }] of results.entries()) {
      const ends = possible(plan)
      if (loose) for (const end of LOOSE) ends.add(end)
      const label = labelOf(outcome)
      const rightSum = label !== 'ok' || outcome.sums.crc32 === crc32Of(plan.data)
      const rightBytes = plan.stored.every(Boolean) && (label !== 'ok' || plan.stored.length > 0)
      if (!ends.has(label) || !rightSum || !rightBytes) {
        const { source, sink, bytes, urls } = plan
        const how = JSON.stringify({ bytes, source, sink, urls, ends: [...ends], rightSum, rightBytes })
        wrong.push(`round ${round}, task ${i + 1}: ${label}, ${how}`)
      }
    }
    // What is left of such a connection is no matter of the next round.
    if (loose) closeConnections()
    plans.clear()
  }
  expect(wrong).toEqual([])
  await expectNothingInUse()
})

test('rounds that are called off somewhere leave nothing behind', async () => {
  for (let round = 1; round <= 40; round++) {
    const controller = new AbortController()
    const chance = createChance(-round)
    let left = chance.below(12)
    const onBytes = () => {
      if (left-- === 0) controller.abort()
    }
    const results = await runRound(round, { onBytes, signal: controller.signal })
    for (const { plan, outcome } of results) {
      expect([...possible(plan), ...LOOSE, 'CANCELLED undefined']).toContain(labelOf(outcome))
      expect(plan.stored).not.toContain(false)
    }
    plans.clear()
  }
  await expectNothingInUse()
})

/** No slab has a user once the connections are closed. */
async function expectNothingInUse() {
  closeConnections()
  for (let i = 0; i < 1000 && inUse() > 0; i++) await turns(1)
  expect(inUse()).toBe(0)
}
